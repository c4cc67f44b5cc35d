// What events added to the store, by reporter and UTC day.

import type { Growth } from '../../../domain/indicator/growth.ts';
import type { Connection } from '../connection.ts';

/** The row of the sum. No reporter has an empty key. */
const ALL = '';

export function readGrowth(
  connection: Connection,
  day: number,
  reporter: string,
): { readonly own: Growth; readonly all: Growth } {
  return { own: rowOf(connection, day, reporter), all: rowOf(connection, day, ALL) };
}

export function addGrowth(connection: Connection, day: number, reporter: string, growth: Growth): void {
  for (const key of [reporter, ALL]) {
    connection.run(
      `insert into growth (day, reporter, new_values, bytes) values (?, ?, ?, ?)
       on conflict (day, reporter) do update set
         new_values = new_values + excluded.new_values, bytes = bytes + excluded.bytes`,
      day,
      key,
      growth.values,
      growth.bytes,
    );
  }
}

export function forgetGrowthBefore(connection: Connection, day: number): void {
  connection.run('delete from growth where day < ?', day);
}

function rowOf(connection: Connection, day: number, key: string): Growth {
  const [values = 0, bytes = 0] = (connection.row(
    'select new_values, bytes from growth where day = ? and reporter = ?',
    day,
    key,
  ) ?? []) as number[];
  return { values, bytes };
}
