// Filling a collection with objects that were published before it was declared.

import { type Audience, NOBODY } from '../../../domain/audience.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';
import { headsAmong } from './heads.ts';
import { historiesOf, type ObjectRow } from './histories.ts';
import { IN_DOUBT } from './listing.ts';
import { list } from './live-versions.ts';
import { IS_LINK, IS_OWNED, ownedBy } from './owned.ts';

/**
 * What an object owns follows it. A link between two objects follows the last one of them.
 * @param audience the ceilings whose readers see objects that belong into the collection. A version is put in if the
 *   lowest of its ceilings is one of these: what the others see must not change what the lowest one sees.
 */
export function fillCollection(
  connection: Connection,
  bit: number,
  objects: readonly string[],
  audience: Audience,
): void {
  for (const object of objects) {
    const uuid = stixIdToBlob(object);
    let readers = NOBODY;
    for (const history of historiesOf(connection, 'uuid = ?', uuid))
      readers |= fillHistory(connection, bit, history, audience);
    for (const history of historiesOf(connection, `${IS_OWNED} and second_owner is null`, ...ownedBy(uuid)))
      fillHistory(connection, bit, history, audience | readers);
    for (const history of historiesOf(connection, IS_LINK, uuid))
      fillHistory(connection, bit, history, readers & readersOfOtherEnd(connection, bit, history, uuid));
  }
}

/** The ceilings for which the other end of a link is in the collection. */
function readersOfOtherEnd(
  connection: Connection,
  bit: number,
  history: readonly ObjectRow[],
  end: Buffer,
): Audience {
  return connection
    .rows(
      `select e.audience from feed f
       join feed e on e.uuid = iif(f.owner = ?, f.second_owner, f.owner) and e.collections & ? <> 0
       where f.date_added = ?`,
      end,
      bit,
      history[0]?.place ?? 0,
    )
    .reduce((all, [audience]) => all | (audience as Audience), NOBODY);
}

/**
 * Old versions may appear in the collection behind the cursor of a poller. Nobody polls a new collection yet. After a
 * change of the filter, pollers miss the old versions; decision 0016 says so and recommends a new collection instead.
 *
 * A version stays in the collections of the earlier ones, as when it is appended.
 * @returns the ceilings for which the object is in the collection now.
 */
function fillHistory(
  connection: Connection,
  bit: number,
  history: readonly ObjectRow[],
  audience: Audience,
): Audience {
  const heads = new Map(headsAmong(history).map((head) => [head.place, head]));
  let present: Audience = NOBODY;
  let isChanged = false;
  for (const row of history.toSorted((one, other) => one.place - other.place)) {
    const isInside = (row.collections & bit) !== 0;
    const fills = !isInside && (lowestOf(row.audience) & (audience | present)) !== NOBODY;
    if (!fills && !isInside) continue;
    // Whether it is the first version of the object in the collection for some ceiling.
    const joining = row.audience & ~present;
    const doubt = joining === row.audience ? 0 : IN_DOUBT;
    present |= row.audience;
    isChanged ||= fills;
    if (!isChanged) continue;
    connection.run(
      'update feed set collections = ?, joined = ? where date_added = ?',
      row.collections | bit,
      joining === NOBODY ? row.joined & ~bit : row.joined | bit | doubt,
      row.place,
    );
    if (!fills) continue;
    const head = heads.get(row.place);
    if (head !== undefined) list(connection, row.type, { ...head, collections: bit });
  }
  if (isChanged) followSupersessions(connection, history);
  return present;
}

/** Every supersession of a version is at the place of another version of the object. */
function followSupersessions(connection: Connection, history: readonly ObjectRow[]): void {
  for (const { place } of history) {
    connection.run(
      `update feed_superseded set collections = (
         select f.collections from feed f where f.date_added = feed_superseded.date_added
       ) where superseded_at = ?`,
      place,
    );
  }
}

function lowestOf(audience: Audience): Audience {
  return audience & -audience;
}
