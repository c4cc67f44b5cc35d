// One page of the feed (TAXII 2.1 §3.4, §3.5): a correct client gets every version exactly once, whatever is written
// meanwhile, and a careless one loses nothing.

import { invalidArgument } from '../domain/errors.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { DateAdded, FeedEntry, FeedPage, FeedQuery } from '../store/stores.ts';
import type { Cursor, CursorCodec } from './cursor.ts';
import { type FeedFilter, isSatisfiable } from './feed-filter.ts';

export const DEFAULT_PAGE_SIZE = 1_000;
export const MAX_PAGE_SIZE = 5_000;

export interface PollRequest {
  /** Names the listing that is polled; a cursor of another listing is refused. */
  readonly scope: string;
  /** Id of a declared collection; absent: the whole feed. */
  readonly collection?: string;
  /** Only what was added later. May be earlier than all entries, or later. */
  readonly addedAfter?: DateAdded;
  /** At least 1; absent means the default. More than the maximum gives the maximum. */
  readonly limit?: number;
  /** The cursor of the page before. */
  readonly next?: string;
  readonly filter: FeedFilter;
}

/** What a poll reads: the objects of a feed, or the names of its versions. */
export interface PollSource<Entry extends FeedEntry> {
  page(query: FeedQuery): Promise<FeedPage<Entry>>;
  last(): Promise<DateAdded | undefined>;
}

export interface PollPage<Entry extends FeedEntry> {
  /** Ascending by dateAdded, and full unless it is the last page: some clients take a short page for the page size. */
  readonly entries: readonly Entry[];
  /** The cursor of the page behind this one; absent on the last page, and never absent on another. */
  readonly next?: string;
  /** Everything on the page was added after this: where a client of an empty page goes on. Absent = the beginning. */
  readonly after?: DateAdded;
}

/**
 * Without `next`, a walk begins: its end is the newest entry of now, and every page of it shows the versions as of that
 * end. What changes meanwhile has a later dateAdded, and comes with the next walk.
 *
 * With `next`, it goes on. Some clients move `added_after` along while they follow `next`, and some send the last
 * `next` of a walk that they have finished together with the `added_after` of a new one: wherever it is not the one
 * that the walk began with, the later of the two places counts, and the walk gets a new end.
 * @throws `invalid_argument` for a `next` that is not ours, or that contradicts what came along with it.
 */
export async function poll<Entry extends FeedEntry>(
  source: PollSource<Entry>,
  cursors: CursorCodec,
  request: PollRequest,
  ceiling: TlpMarking,
): Promise<PollPage<Entry>> {
  const cursor =
    request.next === undefined ? undefined : cursors.open(request.next, request.scope, request.filter);
  const filter = cursor?.filter ?? request.filter;
  const after = startOf(request.addedAfter, cursor);
  const begin = after === undefined ? {} : { after };

  const isSameWalk = cursor !== undefined && agreesOnStart(request.addedAfter, cursor);
  const until = isSameWalk ? cursor.until : await source.last();
  // The commonest poll finds nothing new: it costs no query.
  if (until === undefined || (after !== undefined && after >= until) || !isSatisfiable(filter)) {
    return { entries: [], ...begin };
  }

  const { ids, types, versions } = filter;
  const { entries, more } = await source.page({
    // A client may ask from the year 0 on, which as a number is not exact; nothing was added before 1970.
    ...(after !== undefined && { after: Math.max(after, 0) }),
    until,
    limit: Math.min(request.limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
    ceiling,
    ...(request.collection !== undefined && { collection: request.collection }),
    ...(ids && { ids }),
    ...(types && { types }),
    ...(versions && { versions }),
  });
  const last = entries.at(-1)?.dateAdded;
  if (!more || last === undefined) return { entries, ...begin };

  const addedAfter = isSameWalk ? cursor.addedAfter : request.addedAfter;
  const position = { until, last, filter, ...(addedAfter !== undefined && { addedAfter }) };
  return { entries, ...begin, next: cursors.seal(position, request.scope) };
}

/** Clients that send nothing but `next` mean the walk that it is of. */
function agreesOnStart(asked: DateAdded | undefined, cursor: Cursor): boolean {
  return asked === undefined || asked === cursor.addedAfter;
}

function startOf(asked: DateAdded | undefined, cursor: Cursor | undefined): DateAdded | undefined {
  if (cursor === undefined || asked === undefined) return cursor?.last ?? asked;
  // Earlier than the walk began: the client means another walk, and going on with this one would lose it entries.
  if (cursor.addedAfter !== undefined && asked < cursor.addedAfter) {
    const description = 'is earlier than in the request that `next` comes from';
    throw invalidArgument([{ field: 'added_after', description }], 'INVALID_CURSOR');
  }
  return Math.max(asked, cursor.last);
}
