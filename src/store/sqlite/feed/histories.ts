// The whole histories of some objects, for changes that concern all versions of them.

import type { Connection } from '../connection.ts';
import type { HistoryRow } from './heads.ts';

export interface ObjectRow extends HistoryRow {
  readonly id: string;
  readonly type: string;
  readonly joined: number;
}

/**
 * The versions of each object, from the newest to older ones.
 * @param which a condition that selects all versions of an object or none.
 */
export function historiesOf(
  connection: Connection,
  which: string,
  ...values: (Buffer | string)[]
): readonly (readonly ObjectRow[])[] {
  const histories = new Map<string, ObjectRow[]>();
  const rows = connection.rows(
    `select date_added, version, audience, collections, object_id, type, joined from feed
     where ${which} order by version desc`,
    ...values,
  ) as [number, string, number, number, string, string, number][];
  for (const [place, version, audience, collections, id, type, joined] of rows) {
    const history = histories.get(id) ?? [];
    history.push({ place, version, audience, collections, id, type, joined });
    histories.set(id, history);
  }
  return [...histories.values()];
}
