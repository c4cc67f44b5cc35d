// Pages of searches, as rows and as joined documents.

import type { SQLInputValue } from 'node:sqlite';
import type { SearchBlocks, SearchPlace, SearchResult, SearchRow, Seq } from '../../indicators.ts';
import type { Connection } from '../connection.ts';
import { ROWS_AT_ONCE, readRows } from '../read-page.ts';

/** SQL that gives `seq`, `document` and, in another order than that of creation, `key`. It ends with `limit ?`. */
export interface RowsInOrder {
  readonly sql: string;
  /** Without the limit. */
  readonly values: readonly SQLInputValue[];
}

export function readResult(
  connection: Connection,
  { sql, values }: RowsInOrder,
  limit: number,
): SearchResult {
  const { rows, more } = readRows(connection, sql, values, limit);
  return { rows: rows.map((row) => rowOf(row as [Seq, string, number?])), more };
}

function rowOf([seq, document, key]: readonly [Seq, string, number?]): SearchRow {
  return key === undefined ? { seq, document } : { seq, document, key };
}

/** The same page with its documents joined. */
export function readBlocks(connection: Connection, asked: RowsInOrder, limit: number): SearchBlocks {
  const { rows, more } = readResult(connection, asked, limit);
  const blocks: Uint8Array[] = [];
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    blocks.push(joinDocuments(rows.slice(start, start + ROWS_AT_ONCE)));
  const last = rows.at(-1);
  return { blocks, count: rows.length, last: last && placeOf(last), more };
}

function placeOf({ seq, key }: SearchRow): SearchPlace {
  return key === undefined ? { seq } : { seq, key };
}

const COMMA = 0x2c;

/**
 * Each document is encoded once, into its place: joining the texts first takes longer. Joining them in SQLite takes less time
 * in a process that does nothing else, and more in the service.
 */
function joinDocuments(rows: readonly SearchRow[]): Buffer {
  let size = rows.length - 1;
  for (const { document } of rows) size += Buffer.byteLength(document);
  const bytes = Buffer.allocUnsafe(size);
  let end = 0;
  for (const [index, { document }] of rows.entries()) {
    if (index > 0) bytes[end++] = COMMA;
    end += bytes.write(document, end);
  }
  return bytes;
}
