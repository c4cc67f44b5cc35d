// Pages of the feed as blocks of joined objects. SQLite joins them: a row, a text and a copy for each object would cost
// three times as much.

import type { FeedBlock, FeedObject, FeedPage, FeedQuery } from '../../feed.ts';
import { blockOf } from '../../rules/feed-block.ts';
import { PAGE_CHARACTERS } from '../../rules/page-size.ts';
import type { Connection } from '../connection.ts';
import { ROWS_AT_ONCE } from '../read-page.ts';
import { shownDate } from './dates.ts';
import { type LogQuery, logQuery } from './log-query.ts';
import { placesOf } from './places.ts';

/**
 * The result is that of one read transaction, which the caller has begun.
 * @param readObjects reads the same page object by object.
 */
export function readBlocks(
  connection: Connection,
  query: FeedQuery,
  collection: number,
  readObjects: () => FeedPage<FeedObject>,
): FeedPage<FeedBlock> {
  const joined = isOfNewest(query) ? joinBlocks(connection, query, collection) : undefined;
  if (joined !== undefined) return joined;
  const { entries, more } = readObjects();
  const blocks: FeedBlock[] = [];
  for (let start = 0; start < entries.length; start += ROWS_AT_ONCE)
    blocks.push(blockOf(entries.slice(start, start + ROWS_AT_ONCE)));
  return { entries: blocks, more };
}

/** Finding the places of other queries may take longer than reading them, so it is done once for a page. */
function isOfNewest({ ids, versions = 'last' }: FeedQuery): boolean {
  return ids === undefined && versions === 'last';
}

/** Undefined for a page that must be cut because it is too large. */
function joinBlocks(
  connection: Connection,
  query: FeedQuery,
  collection: number,
): FeedPage<FeedBlock> | undefined {
  const asked = logQuery(connection, query);
  const blocks: FeedBlock[] = [];
  let rest = query;
  // A character has a byte or more, so a page within this bound needs no cut.
  for (let bytes = 0; bytes <= PAGE_CHARACTERS; ) {
    const limit = Math.min(rest.limit, ROWS_AT_ONCE);
    const { block, count } = readBlock(connection, { ...asked, ...rest, limit }, collection) ?? NOTHING;
    if (block === undefined) return { entries: blocks, more: false };
    bytes += block.objects.length;
    blocks.push(block);
    rest = { ...rest, after: block.place, limit: rest.limit - count };
    if (count < limit || block.place >= query.until) return { entries: blocks, more: false };
    if (rest.limit === 0 && bytes <= PAGE_CHARACTERS)
      return { entries: blocks, more: hasMore(connection, { ...asked, ...rest }, collection) };
  }
  return undefined;
}

const NOTHING = { block: undefined, count: 0 };

interface Counted {
  readonly block: FeedBlock;
  readonly count: number;
}

/** Undefined if there are no objects. */
function readBlock(connection: Connection, asked: LogQuery, collection: number): Counted | undefined {
  const { sql, values } = placesOf(connection, asked, collection);
  const shown = asked.hasOtherDates
    ? shownDate(connection, 'place.date_added', asked.ceiling)
    : 'place.date_added';
  // SQLite keeps the order of a cross join, and so the order of the places. With the last limit, which is none, it
  // does not merge the two selects: it would look up the shown date of a row at each of its six uses.
  const row = connection.row(
    `select count(*), max(place), min(shown), max(shown), sum(shown & ${BITS_32}) & ${BITS_32},
       sum((shown & ${BITS_26}) * (shown & ${BITS_26}) & ${BITS_32}) & ${BITS_32},
       cast(group_concat(object, ',') as blob)
     from (
       select place.date_added as place, ${shown} as shown, o.object as object
       from (${sql} order by date_added limit ?) place cross join feed_object o on o.date_added = place.date_added
       limit -1
     )`,
    ...values,
    asked.limit,
  ) as [number, ...([number, number, number, number, number, Uint8Array] | null[])];
  const [count, place, first, dateAdded, plain, mixed, objects] = row;
  if (objects == null) return undefined;
  return { count, block: { place, dateAdded, first, sums: [plain, mixed], objects } } as Counted;
}

/** The sums of rules/date-sums.ts in SQL. */
const BITS_32 = 2 ** 32 - 1;
const BITS_26 = 2 ** 26 - 1;

function hasMore(connection: Connection, asked: LogQuery, collection: number): boolean {
  const { sql, values } = placesOf(connection, asked, collection);
  return connection.row(`select exists (${sql})`, ...values)?.[0] === 1;
}
