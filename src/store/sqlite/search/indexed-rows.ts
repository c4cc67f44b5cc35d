// The rows of the search index.
//
// With `detail=none` and no stored columns the index is a set of (token, row) pairs. So an update takes away the pairs
// that a row loses and adds those that it gains, and leaves the others as they are. Measured: 2 to 25 µs an update.
// Replacing the row of a `contentless_delete` table took 104 µs.
//
// The rows count down: the newest indicator has the smallest one. So the lists of FTS5, which ascend, give the newest
// first. Read backwards they took two to four times as long.

import type { Audience } from '../../../domain/audience.ts';
import type { TlpMarking } from '../../../domain/vocabulary.ts';
import type { Seq } from '../../indicators.ts';
import { markingNumber } from '../../rules/markings.ts';
import type { Connection } from '../connection.ts';
import { type SearchedText, substringTokens, tokensOnlyIn, wordTokens } from './text-tokens.ts';
import { IS_VIEW } from './view-rows.ts';

/** The row of the first seq. Rows this small take five bytes in the index; a negative row would take nine. */
const FIRST_ROW = 2 ** 35 - 1;

/** SQL that turns a seq into its row in the index, and a row into its seq. */
export function mirrored(seqOrRow: string): string {
  return `${FIRST_ROW} - ${seqOrRow}`;
}

/** What the index holds of a row. The same is stored in columns, since FTS5 cannot tell it. */
export interface Indexed extends SearchedText {
  /** The tokens of everything but text, separated by blanks. */
  readonly facets: string;
}

export interface IndexChange {
  readonly seq: Seq;
  /** Undefined for a new row. */
  readonly before: Indexed | undefined;
  /** Undefined for a row that was deleted. */
  readonly after: Indexed | undefined;
}

export function readIndexed(connection: Connection, seq: Seq): Indexed {
  const row = connection.row(
    'select r.facets, i.haystack, i.words from indicator i join indicator_record r using (seq) where seq = ?',
    seq,
  );
  return indexedOf(connection, seq, row);
}

/** A view that exists, and what the index holds of it. */
export function findIndexed(
  connection: Connection,
  id: Buffer,
  marking: TlpMarking,
): { readonly seq: Seq; readonly audience: Audience; readonly indexed: Indexed } | undefined {
  const row = connection.row(
    `select i.seq, i.audience, r.facets, i.haystack, i.words
     from indicator i left join indicator_record r on r.seq = i.seq where i.id = ? and ${IS_VIEW}`,
    id,
    markingNumber(marking),
  );
  if (row === undefined) return undefined;
  const [seq, audience, ...columns] = row as [Seq, Audience, ...unknown[]];
  return { seq, audience, indexed: indexedOf(connection, seq, columns) };
}

function indexedOf(connection: Connection, seq: Seq, row: readonly unknown[] = [null]): Indexed {
  const [facets, haystack, words] = row as [string | null, string, string];
  if (facets === null) throw connection.file.corrupt(`indicator ${seq} has no record`);
  return { facets, haystack, words };
}

/** All tokens of a row, each once. */
export function tokensOf(indexed: Indexed): readonly string[] {
  return [...indexed.facets.split(' '), ...substringTokens(indexed.haystack), ...wordTokens(indexed)];
}

/**
 * Writes the changes in the order of rows, with no other statement between them. FTS5 collects changes in memory. It
 * writes them as a new segment when a smaller row follows, or when a statement opens a savepoint. In the order of events
 * it would write, and later merge, a segment for nearly every row.
 */
export function indexRows(connection: Connection, changes: readonly IndexChange[]): void {
  for (const change of changes.toSorted((a, b) => b.seq - a.seq)) indexRow(connection, change);
}

function indexRow(connection: Connection, { seq, before, after }: IndexChange): void {
  const lost: string[] = [];
  const gained: string[] = [];
  if (before?.facets !== after?.facets)
    compare(before?.facets.split(' '), after?.facets.split(' '), lost, gained);
  if (before?.haystack !== after?.haystack) {
    compare(
      before && substringTokens(before.haystack),
      after && substringTokens(after.haystack),
      lost,
      gained,
    );
    compare(before && wordTokens(before), after && wordTokens(after), lost, gained);
  } else if (before !== undefined && after !== undefined) {
    lost.push(...tokensOnlyIn(before, after));
    gained.push(...tokensOnlyIn(after, before));
  }
  if (lost.length === 0 && gained.length === 0) return;
  const row = FIRST_ROW - seq;
  if (lost.length > 0) {
    connection.run(
      `insert into search_index (search_index, rowid, tokens) values ('delete', ?, ?)`,
      row,
      lost.join(' '),
    );
  }
  // Needed even without new tokens: a deletion lowers the row count of FTS5, and a negative count is corruption.
  if (after !== undefined)
    connection.run('insert into search_index (rowid, tokens) values (?, ?)', row, gained.join(' '));
}

/** The tokens of one kind that are only before go to `lost`, those that are only after to `gained`. */
function compare(
  before: Iterable<string> | undefined,
  after: Iterable<string> | undefined,
  lost: string[],
  gained: string[],
): void {
  const left = new Set(before);
  for (const token of after ?? []) {
    if (!left.delete(token)) gained.push(token);
  }
  lost.push(...left);
}
