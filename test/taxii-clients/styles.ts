// The paging styles of clients in the field. A style is its memory, the query it makes of that memory, and what it keeps
// of the answer. So a client can be interrupted between any two requests.

/** The memory of a client between two requests. */
export interface Position {
  /** The `added_after` of its next poll. */
  readonly since?: string;
  /** The `next` of the page that comes next in this poll. */
  readonly next?: string;
  /** The greatest STIX `modified` it has seen in this poll. */
  readonly modified?: string;
  /** When this poll began, by the clock of the client. */
  readonly began?: string;
  /** The last `next` of the poll before. */
  readonly stale?: string;
}

/** What there is to go on by in an answer. */
export interface FeedPage {
  readonly next: string | undefined;
  /** X-TAXII-Date-Added-Last. */
  readonly last: string;
  /** The `modified` of its objects. */
  readonly modified: readonly string[];
  /** When it was asked for, by the clock of the client. */
  readonly asked: string;
}

export interface Style {
  readonly name: string;
  /** Whether it follows the standard and must receive every version once. The others must end and lose nothing. */
  readonly isCorrect: boolean;
  query(position: Position): Readonly<Record<string, string>>;
  after(position: Position, page: FeedPage): Position;
}

const ALL_VERSIONS = { 'match[version]': 'all' };

/** Sends `next` without the filters, like Elastic. */
const nextOnly: Style = {
  name: 'next only',
  isCorrect: true,
  query: ({ since, next }) =>
    next === undefined ? { limit: '40', ...ALL_VERSIONS, ...sinceOf(since) } : { limit: '40', next },
  after: ({ since }, { next, last }) => (next === undefined ? { since: last } : { ...sinceAt(since), next }),
};

/** Ignores `next`. */
const lastHeaderOnly: Style = {
  name: 'added_after from the Last header',
  isCorrect: true,
  query: ({ since }) => ({ limit: '25', ...ALL_VERSIONS, ...sinceOf(since) }),
  after: (_position, { last }) => ({ since: last }),
};

/** As the standard describes it: the same request again with `next`, then a new poll from the Last header. */
const both: Style = {
  name: 'next, then added_after',
  isCorrect: true,
  query: ({ since, next }) => ({
    limit: '60',
    ...ALL_VERSIONS,
    ...sinceOf(since),
    ...(next === undefined ? {} : { next }),
  }),
  after: nextOnly.after,
};

/**
 * Never looks at `next` and keeps its times in milliseconds: OpenCTI did at first. It moves on as long as a page is
 * longer than a millisecond can be, which is 100 versions.
 */
const milliseconds: Style = {
  name: 'the Last header cut to milliseconds',
  isCorrect: false,
  query: ({ since }) => ({ limit: '150', ...sinceOf(since) }),
  after: (_position, { last }) => ({ since: cutToMilliseconds(last) }),
};

/** Sends `next` with the first `added_after` and keeps times in milliseconds, like OpenCTI. */
const nextInMilliseconds: Style = {
  name: 'next, then the Last header cut to milliseconds',
  isCorrect: false,
  query: ({ since, next }) => ({ limit: '60', ...sinceOf(since), ...(next === undefined ? {} : { next }) }),
  after: ({ since }, { next, last }) =>
    next === undefined ? { since: cutToMilliseconds(last) } : { ...sinceAt(since), next },
};

/** Uses the greatest `modified` of each poll as the next `added_after`, like Cortex XSOAR. */
const greatestModified: Style = {
  name: 'the greatest modified as added_after',
  isCorrect: false,
  query: both.query,
  after: ({ since, modified }, page) => {
    // Timestamps of STIX in one form sort as texts.
    const [greatest = ''] = [...page.modified, modified ?? ''].sort().reverse();
    if (page.next !== undefined) return { ...sinceAt(since), next: page.next, modified: greatest };
    // The next poll begins without a memory of this one: its place can be an earlier one.
    return greatest === '' ? sinceAt(since) : { since: greatest };
  },
};

/**
 * What was added a moment before a poll may become visible a moment after it. The connector of OpenCTI polls once an hour
 * and cuts to seconds; here polls follow each other at once, on a machine that is busy.
 */
const CLOCK_MARGIN_MS = 15_000;

/** Uses the start of its last poll as `added_after` and never forgets a `next`, like the connector of OpenCTI. */
const staleNext: Style = {
  name: 'the clock as added_after, with the next of a poll long over',
  isCorrect: false,
  query: ({ since, next, stale }) => {
    const kept = next ?? stale;
    return { limit: '60', ...sinceOf(since), ...(kept === undefined ? {} : { next: kept }) };
  },
  after: ({ since, next, stale, began }, page) => {
    const start = began ?? page.asked;
    if (page.next !== undefined) return { ...sinceAt(since), next: page.next, began: start };
    const kept = next ?? stale;
    const earlier = new Date(Date.parse(start) - CLOCK_MARGIN_MS).toISOString();
    return { since: earlier, ...(kept === undefined ? {} : { stale: kept }) };
  },
};

export const STYLES: readonly Style[] = [
  nextOnly,
  lastHeaderOnly,
  both,
  milliseconds,
  nextInMilliseconds,
  greatestModified,
  staleNext,
];

function sinceOf(since: string | undefined): { added_after?: string } {
  return since === undefined ? {} : { added_after: since };
}

function sinceAt(since: string | undefined): { since?: string } {
  return since === undefined ? {} : { since };
}

function cutToMilliseconds(time: string): string {
  return `${time.slice(0, 23)}Z`;
}
