// Reads the rows of a page. Many rows are read one by one, so that reading can end when their documents are large.

import type { SQLInputValue } from 'node:sqlite';
import { type Page, takePage } from '../rules/page-size.ts';
import type { Connection } from './connection.ts';

/** Reading all rows at once is faster. This number of the largest documents fits into memory. */
export const ROWS_AT_ONCE = 200;

/**
 * @param sql has one `limit ?`, behind all other values. Its second column is the text that counts for the size of the page.
 * @param values without the limit.
 */
export function readRows(
  connection: Connection,
  sql: string,
  values: readonly SQLInputValue[],
  limit: number,
): Page<unknown[]> {
  // One row beyond the limit shows whether there are more.
  const given = [...values, limit + 1];
  const textOf = ([, text]: unknown[]) => text as string;
  if (limit <= ROWS_AT_ONCE) return takePage(connection.rows(sql, ...given), limit, textOf);
  try {
    return takePage(connection.each(sql, ...given), limit, textOf);
  } catch (error) {
    throw connection.file.failure(error);
  }
}
