// Writing indicators and keeping the search index in step.

import type { IndicatorWrite, StoredRecord } from '../../indicators.ts';
import { decodeRecord, encodeRecord } from '../../record-codec.ts';
import { markingNumber } from '../../rules/markings.ts';
import { checksumOf, requireChecksum } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { idToBlob } from '../id-column.ts';
import { searchedText, tokensOf, wordsColumn } from './search-tokens.ts';

export function loadRecords(connection: Connection, ids: readonly string[]): Map<string, StoredRecord> {
  const found = new Map<string, StoredRecord>();
  for (const id of ids) {
    const blob = idToBlob(id);
    if (blob === undefined || found.has(id)) continue;
    const row = connection.row(
      'select r.record, r.crc, r.revision from indicator i join indicator_record r on r.seq = i.seq where i.id = ?',
      blob,
    );
    if (row !== undefined) {
      const [text, crc, revision] = row as [unknown, unknown, number];
      found.set(id, { record: decodeRecord(requireChecksum(connection, text, crc)), revision });
    }
  }
  return found;
}

export function readRevisions(connection: Connection, ids: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const id of ids) {
    const blob = idToBlob(id);
    if (blob === undefined) continue;
    const row = connection.row(
      'select r.revision from indicator i join indicator_record r on r.seq = i.seq where i.id = ?',
      blob,
    );
    if (row !== undefined) found.set(id, row[0] as number);
  }
  return found;
}

/** Returns `now`, or the newest createdAt in the store if the clock is behind it. */
export function creationInstant(connection: Connection, now: number): number {
  // Archived indicators count: they may come back to their places.
  const newest = ['indicator', 'archive'].map(
    (table) => connection.row(`select created_at from ${table} order by seq desc limit 1`)?.[0] ?? now,
  );
  return Math.max(now, ...(newest as number[]));
}

export function saveIndicators(connection: Connection, writes: readonly IndicatorWrite[]): void {
  indexRows(
    connection,
    writes.map((write) => saveRow(connection, write)),
  );
}

const NEXT_SEQ =
  '1 + max((select coalesce(max(seq), 0) from indicator), (select coalesce(max(seq), 0) from archive))';

/** Returns the change for the search index. */
function saveRow(connection: Connection, { record, document }: IndicatorWrite): IndexChange {
  const { indicator } = record;
  const id = idToBlob(indicator.id);
  if (id === undefined) throw new TypeError(`not a UUID: ${indicator.id}`);
  const text = encodeRecord(record);
  const searched = searchedText(indicator);
  const tokens = tokensOf(indicator, searched);
  const columns = [
    indicator.confidenceScore,
    markingNumber(indicator.tlp),
    indicator.lastSeen,
    indicator.validUntil ?? null,
    searched.texts.join('\n'),
    wordsColumn(searched.words),
  ] as const;
  const existing = connection.row('select seq from indicator where id = ?', id);
  if (existing === undefined) {
    // An archived indicator gets its place again. No place is given twice.
    const archived = connection.row('delete from archive where id = ? returning seq', id);
    const seq = connection.insert(
      `insert into indicator (seq, confidence, tlp, last_seen, valid_until, haystack, words, id, created_at)
       values (coalesce(?, ${NEXT_SEQ}), ?, ?, ?, ?, ?, ?, ?, ?)`,
      (archived?.[0] ?? null) as number | null,
      ...columns,
      id,
      indicator.createdAt,
    );
    connection.run(
      'insert into indicator_document (seq, crc, document) values (?, ?, ?)',
      seq,
      checksumOf(document),
      document,
    );
    connection.run(
      'insert into indicator_record (seq, revision, crc, record) values (?, 1, ?, ?)',
      seq,
      checksumOf(text),
      text,
    );
    connection.run('insert into search_tokens (seq, tokens) values (?, ?)', seq, tokens);
    return { seq, before: '', after: tokens };
  }
  const seq = existing[0] as number;
  connection.run(
    `update indicator set confidence = ?, tlp = ?, last_seen = ?, valid_until = ?, haystack = ?, words = ?
     where seq = ?`,
    ...columns,
    seq,
  );
  connection.run(
    'update indicator_document set crc = ?, document = ? where seq = ?',
    checksumOf(document),
    document,
    seq,
  );
  connection.run(
    'update indicator_record set revision = revision + 1, crc = ?, record = ? where seq = ?',
    checksumOf(text),
    text,
    seq,
  );
  const before = connection.row('select tokens from search_tokens where seq = ?', seq)?.[0];
  if (typeof before !== 'string') throw connection.file.corrupt(`indicator ${seq} has no search tokens`);
  if (before !== tokens) connection.run('update search_tokens set tokens = ? where seq = ?', tokens, seq);
  return { seq, before, after: tokens };
}

/** The tokens of a row before and after the change, separated by blanks. A new row has none before. */
interface IndexChange {
  readonly seq: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Writes the changes in the order of rows, with no other statement between them. FTS5 collects changes in memory. It
 * writes them as a new segment when a smaller row follows, or when a statement opens a savepoint. In the order of events
 * it would write, and later merge, a segment for nearly every row.
 */
function indexRows(connection: Connection, changes: readonly IndexChange[]): void {
  for (const change of changes.toSorted((a, b) => a.seq - b.seq)) indexRow(connection, change);
}

/** Removes a row from the index. @param tokens all of its tokens. */
export function unindexRow(connection: Connection, seq: number, tokens: string): void {
  connection.run(
    `insert into search_index (search_index, rowid, tokens) values ('delete', ?, ?)`,
    seq,
    tokens,
  );
}

/**
 * Removes the old tokens and adds the new ones. With `detail=none` and no stored columns the index is a set of (token,
 * row) pairs, so unchanged pairs stay as they are. Measured: 2 to 25 µs an update. Replacing the row of a
 * `contentless_delete` table took 104 µs.
 */
function indexRow(connection: Connection, { seq, before, after }: IndexChange): void {
  if (before === after) return;
  const old = new Set(before.split(' '));
  const added: string[] = [];
  for (const token of after.split(' ')) {
    if (!old.delete(token)) added.push(token);
  }
  if (before !== '' && old.size > 0) {
    connection.run(
      `insert into search_index (search_index, rowid, tokens) values ('delete', ?, ?)`,
      seq,
      [...old].join(' '),
    );
  }
  // Needed even without new tokens: a deletion lowers the row count of FTS5, and a negative count is corruption.
  connection.run('insert into search_index (rowid, tokens) values (?, ?)', seq, added.join(' '));
}
