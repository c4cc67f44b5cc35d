// What the queries for places in the feed are put together from.
//
// Lists of values go in as one JSON text each, so that a query has the same SQL and the same few parameters however much a
// client asks for at once.

import type { SQLInputValue } from 'node:sqlite';
import type { FeedQuery } from '../../stores.ts';

export interface Places {
  /** Selects `date_added`, of which the caller takes the first ones in order. */
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** After the first value, up to and with the second. */
export const RANGE = 'date_added > ? and date_added <= ?';
/** The sign keeps SQLite from going through the log, where another condition has the better index. */
export const UNINDEXED_RANGE = '+date_added > ? and +date_added <= ?';

export function rangeOf({ after = Number.MIN_SAFE_INTEGER, until }: FeedQuery): readonly [number, number] {
  return [after, until];
}

/** A condition that takes one value: the JSON text of a list. */
export function oneOf(column: string): string {
  return `${column} in (select value from json_each(?))`;
}
