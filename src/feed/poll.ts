// One page of the feed (TAXII 2.1 §3.4, §3.5). A correct client gets every version exactly once, whatever is written
// meanwhile. A careless client misses nothing.

import { invalidArgument } from '../domain/errors.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { DateAdded, FeedBounds, FeedEntry, FeedPage, FeedQuery, Place } from '../store/feed.ts';
import type { Cursor, CursorCodec } from './cursor.ts';
import { type FeedFilter, isSatisfiable } from './feed-filter.ts';

export const DEFAULT_PAGE_SIZE = 1_000;
export const MAX_PAGE_SIZE = 5_000;

export interface PollRequest {
  /** Names the listing. A cursor of another listing is refused. */
  readonly scope: string;
  /** Id of a declared collection; absent: the whole feed. */
  readonly collection?: string;
  /** Only entries added later. May lie before or after all entries. */
  readonly addedAfter?: DateAdded;
  /** At least 1. Absent: the default. A higher value than the maximum gives the maximum. */
  readonly limit?: number;
  /** The cursor of the page before. */
  readonly next?: string;
  readonly filter: FeedFilter;
}

/** The source of a poll: the objects of a feed, or the manifest of its versions. */
export interface PollSource<Entry extends FeedEntry> {
  page(query: FeedQuery): Promise<FeedPage<Entry>>;
  bounds(ceiling: TlpMarking, addedAfter?: DateAdded): Promise<FeedBounds | undefined>;
}

export interface PollPage<Entry extends FeedEntry> {
  /**
   * Ascending by dateAdded. Only the last page may be short, or one with very large objects: some clients take a short
   * page for the page size.
   */
  readonly entries: readonly Entry[];
  /** The cursor of the next page; absent exactly on the last page. */
  readonly next?: string;
  /**
   * All entries of the page were added after this. After an empty page, the client continues here. Absent: the start.
   */
  readonly after?: DateAdded;
}

/**
 * Without `next`, a walk begins. Its end is the newest entry at that time, and every page shows the versions as of that
 * end. A later change has a later dateAdded and belongs to the next walk.
 *
 * With `next`, the walk continues. Some clients raise `added_after` while they follow `next`. Others send the last
 * `next` of a finished walk with the `added_after` of a new one. If `added_after` differs from that of the walk, the
 * later of the two places counts, and the walk gets a new end.
 * @throws `invalid_argument` for a `next` that is not genuine, or that contradicts the other parameters.
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
  const start = startOf(request.addedAfter, cursor);
  const begin = start === undefined ? {} : { after: start };

  const isSameWalk = cursor !== undefined && agreesOnStart(request.addedAfter, cursor);
  const span = isSameWalk ? spanOf(cursor) : await openSpan(source, ceiling, start);
  // The most common poll finds nothing new and costs no query.
  if (span === undefined || span.after >= span.until || !isSatisfiable(filter)) {
    return { entries: [], ...begin };
  }

  const { ids, types, versions } = filter;
  const { entries, more } = await source.page({
    ...span,
    limit: Math.min(request.limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
    ceiling,
    ...(request.collection !== undefined && { collection: request.collection }),
    ...(ids && { ids }),
    ...(types && { types }),
    ...(versions && { versions }),
  });
  const last = entries.at(-1);
  if (!more || last === undefined) return { entries, ...begin };

  const addedAfter = isSameWalk ? cursor.addedAfter : request.addedAfter;
  const { place, dateAdded } = last;
  const position = {
    until: span.until,
    last: { place, dateAdded },
    filter,
    ...(addedAfter !== undefined && { addedAfter }),
  };
  return { entries, ...begin, next: cursors.seal(position, request.scope) };
}

/** The part of the feed that is left of a walk. */
interface Span {
  readonly after: Place;
  readonly until: Place;
}

function spanOf({ last, until }: Cursor): Span {
  return { after: last.place, until };
}

/** The span of a new walk, up to the newest entry of the reader. Undefined while the feed is empty for him. */
async function openSpan(
  source: Pick<PollSource<FeedEntry>, 'bounds'>,
  ceiling: TlpMarking,
  start: DateAdded | undefined,
): Promise<Span | undefined> {
  // A client may ask from the year 0, which a number cannot hold in microseconds. Nothing was added before 1970.
  const bounds = await source.bounds(ceiling, Math.max(start ?? 0, 0));
  return bounds && { after: bounds.after, until: bounds.end.place };
}

/** A client that sends only `next` continues its walk. */
function agreesOnStart(asked: DateAdded | undefined, cursor: Cursor): boolean {
  return asked === undefined || asked === cursor.addedAfter;
}

/** The date after which the page begins, as the reader sees dates. Undefined for the start of the feed. */
function startOf(asked: DateAdded | undefined, cursor: Cursor | undefined): DateAdded | undefined {
  if (cursor === undefined || asked === undefined) return cursor?.last.dateAdded ?? asked;
  // The client means another walk. Continuing this one would miss entries.
  if (cursor.addedAfter !== undefined && asked < cursor.addedAfter) {
    const description = 'is earlier than in the request that `next` comes from';
    throw invalidArgument([{ field: 'added_after', description }], 'INVALID_CURSOR');
  }
  return Math.max(asked, cursor.last.dateAdded);
}
