// Pages of searches, as rows and as joined documents. SQLite joins them: a row, a text and a copy for each document would
// cost twice as much.

import type { SQLInputValue } from 'node:sqlite';
import type { SearchBlocks, SearchPlace, SearchResult, SearchRow, Seq } from '../../indicators.ts';
import { PAGE_CHARACTERS } from '../../rules/page-size.ts';
import type { Connection } from '../connection.ts';
import { ROWS_AT_ONCE, readRows } from '../read-page.ts';

/** SQL that gives `seq`, `document` and, in another order than that of creation, `key`. It ends with `limit ?`. */
export interface RowsInOrder {
  readonly sql: string;
  /** Without the limit. */
  readonly values: readonly SQLInputValue[];
  readonly hasKey: boolean;
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
export function readBlocks(connection: Connection, rows: RowsInOrder, limit: number): SearchBlocks {
  const joined = limit > ROWS_AT_ONCE ? undefined : joinRows(connection, rows, limit);
  return joined ?? blocksOf(readResult(connection, rows, limit));
}

/** Undefined for a page that must be cut because it is too large. */
function joinRows(
  connection: Connection,
  { sql, values, hasKey }: RowsInOrder,
  limit: number,
): SearchBlocks | undefined {
  // One row beyond the limit shows whether there are more.
  const row = connection.row(
    `select count(*), group_concat(seq), group_concat(octet_length(document)),
       cast(group_concat(document, ',') as blob)${hasKey ? ', group_concat(key)' : ''}
     from (${sql})`,
    ...values,
    limit + 1,
  ) as [number, string, string, Uint8Array | null, string?];
  const [found, seqs, lengths, documents, keys] = row;
  if (documents === null) return NO_ROWS;
  const more = found > limit;
  // A character has a byte or more, so a page within this bound needs no cut.
  const bytes = more ? documents.length - lastOf(lengths) - 1 : documents.length;
  if (bytes > PAGE_CHARACTERS) return undefined;
  return {
    blocks: [documents.subarray(0, bytes)],
    count: more ? limit : found,
    last: placeOf(lastOf(seqs, more), keys === undefined ? undefined : lastOf(keys, more)),
    more,
  };
}

const NO_ROWS: SearchBlocks = { blocks: [], count: 0, last: undefined, more: false };

/** The last number of a list with commas, or the last but one. */
function lastOf(list: string, butOne = false): number {
  const end = list.lastIndexOf(',');
  return Number(butOne ? list.slice(list.lastIndexOf(',', end - 1) + 1, end) : list.slice(end + 1));
}

function placeOf(seq: Seq, key: number | undefined): SearchPlace {
  return key === undefined ? { seq } : { seq, key };
}

function blocksOf({ rows, more }: SearchResult): SearchBlocks {
  const blocks: Uint8Array[] = [];
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const documents = rows.slice(start, start + ROWS_AT_ONCE).map(({ document }) => document);
    blocks.push(Buffer.from(documents.join()));
  }
  const last = rows.at(-1);
  return {
    blocks,
    count: rows.length,
    last: last && placeOf(last.seq, last.key),
    more,
  };
}
