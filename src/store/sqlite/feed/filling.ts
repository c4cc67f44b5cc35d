// Filling a collection with objects that were published before it was declared.

import { type Audience, NOBODY } from '../../../domain/audience.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';
import { headsAmong } from './heads.ts';
import { historiesOf, type ObjectRow } from './histories.ts';
import { IN_DOUBT } from './listing.ts';
import { list } from './live-versions.ts';

/** @param audience only versions whose lowest ceiling is one of these. */
export function fillCollection(
  connection: Connection,
  bit: number,
  objects: readonly string[],
  audience: Audience,
): void {
  for (const object of objects) {
    const uuid = stixIdToBlob(object);
    for (const which of ['uuid = ?', 'owner = ?'])
      for (const history of historiesOf(connection, which, uuid))
        fillHistory(connection, bit, history, audience);
  }
}

/**
 * Old versions may appear in the collection behind the cursor of a poller. Nobody polls a new collection yet. After a
 * change of the filter, pollers miss the old versions; decision 0016 says so and recommends a new collection instead.
 */
function fillHistory(
  connection: Connection,
  bit: number,
  history: readonly ObjectRow[],
  audience: Audience,
): void {
  const isFilled = (row: ObjectRow) =>
    (row.collections & bit) === 0 && (lowestOf(row.audience) & audience) !== NOBODY;
  if (!history.some(isFilled)) return;
  const heads = new Map(headsAmong(history).map((head) => [head.place, head]));
  let present: Audience = NOBODY;
  for (const row of history.toSorted((one, other) => one.place - other.place)) {
    const fills = isFilled(row);
    if (!fills && (row.collections & bit) === 0) continue;
    // Whether it is the first version of the object in the collection for some ceiling.
    const joining = row.audience & ~present;
    const doubt = joining === row.audience ? 0 : IN_DOUBT;
    present |= row.audience;
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
  // Every supersession of a version is at the place of another version of the object.
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
