// Writing indicators and keeping the search index in step.

import type { Audience } from '../../../domain/audience.ts';
import type { IndicatorRecord } from '../../../domain/indicator/indicator.ts';
import type { Views } from '../../../domain/indicator/views.ts';
import { numberOf, SEVERITIES, type TlpMarking } from '../../../domain/vocabulary.ts';
import type { IndicatorWrite, Seq, StoredView, ViewKey } from '../../indicators.ts';
import { markingNumber } from '../../rules/markings.ts';
import { leaveArchive, readArchived } from '../archive/archived-rows.ts';
import { checksumOf } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { idToBlob } from '../id-column.ts';
import { noteRange } from './address-ranges.ts';
import { findIndexed, type IndexChange, type Indexed, indexRows, readIndexed } from './indexed-rows.ts';
import { packRecord, readRecord } from './packed-record.ts';
import { facetTokens } from './search-tokens.ts';
import { searchedText } from './text-tokens.ts';
import { IS_VIEW, keyColumns, nextSeq, seqBeside, viewOf } from './view-rows.ts';

export function loadIndicators(connection: Connection, ids: readonly string[]): Map<string, Views> {
  const found = new Map<string, Views>();
  const isArchiveEmpty = connection.row('select 1 from archive limit 1') === undefined;
  for (const id of ids) {
    const blob = idToBlob(id);
    if (blob === undefined || found.has(id)) continue;
    const rows = connection.rows(
      'select r.record, r.crc from indicator i join indicator_record r on r.seq = i.seq where i.id = ?',
      blob,
    );
    const views = rows.map(([packed, crc]) => readRecord(connection, packed, crc));
    if (!isArchiveEmpty) views.push(...readArchived(connection, blob).map(({ record }) => record));
    if (views.length === 0) continue;
    found.set(id, views.length === 1 ? views : views.sort(leastRestrictiveFirst));
  }
  return found;
}

function leastRestrictiveFirst(one: IndicatorRecord, other: IndicatorRecord): number {
  return markingNumber(one.indicator.tlp) - markingNumber(other.indicator.tlp);
}

export function loadViews(connection: Connection, keys: readonly ViewKey[]): (StoredView | undefined)[] {
  return keys.map((key) => {
    const row = connection.row(
      `select r.record, r.crc, i.audience, r.revision from indicator i join indicator_record r on r.seq = i.seq
       where i.id = ? and ${IS_VIEW}`,
      ...keyColumns(key),
    );
    if (row === undefined) return undefined;
    const [packed, crc, audience, revision] = row as [unknown, unknown, Audience, number];
    return { record: readRecord(connection, packed, crc), audience, revision };
  });
}

export function readRevisions(connection: Connection, keys: readonly ViewKey[]): (number | undefined)[] {
  return keys.map((key) => {
    const row = connection.row(
      `select r.revision from indicator i join indicator_record r on r.seq = i.seq where i.id = ? and ${IS_VIEW}`,
      ...keyColumns(key),
    );
    return row?.[0] as number | undefined;
  });
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
  const changes: IndexChange[] = [];
  for (const write of writes) {
    if (write.document === undefined) saveRecord(connection, write.record);
    else changes.push(saveRow(connection, { ...write, document: write.document }));
  }
  indexRows(connection, changes);
}

/** Saves the record of a view that exists, and leaves what readers find. */
function saveRecord(connection: Connection, record: IndicatorRecord): void {
  const { id, tlp } = record.indicator;
  const packed = packRecord(record);
  const changed = connection.run(
    `update indicator_record set revision = revision + 1, ahead = 1, crc = ?, record = ?
     where seq = (select i.seq from indicator i where i.id = ? and ${IS_VIEW})`,
    checksumOf(packed),
    packed,
    ...keyColumns({ indicatorId: id, marking: tlp }),
  );
  if (changed === 0) throw new TypeError(`a new view of ${id} without a document`);
}

/** A write of everything. */
type WholeWrite = IndicatorWrite & { readonly document: string };

/** No view of an indicator has a greater revision. A view that is made anew thus never has a revision of an earlier one. */
function latestRevision(connection: Connection, id: Buffer): number {
  const row = connection.row(
    `select coalesce(max(r.revision), 0) from indicator i join indicator_record r on r.seq = i.seq
     where i.id = ?`,
    id,
  );
  return row?.[0] as number;
}

/** Returns the change for the search index. */
function saveRow(connection: Connection, write: WholeWrite): IndexChange {
  const { id: uuid, tlp } = write.record.indicator;
  const id = idToBlob(uuid);
  if (id === undefined) throw new TypeError(`not a UUID: ${uuid}`);
  const row = rowOf(write);
  const found = findIndexed(connection, id, tlp);
  if (found === undefined) return insertRow(connection, id, write, row);
  // An update of an indexed column rewrites its index, even if it sets the same value.
  if (found.audience !== write.audience)
    connection.run('update indicator set audience = ? where seq = ?', write.audience, found.seq);
  updateRow(connection, found.seq, write, row);
  return { seq: found.seq, before: found.indexed, after: row.indexed };
}

/** What is stored of a view in the tables that searches read, and its record in packed form. */
interface Row {
  /** From `severity` to `words`, without the audience. */
  readonly columns: readonly (number | string | null)[];
  readonly record: Uint8Array;
  readonly indexed: Indexed;
}

function rowOf({ record, audience }: IndicatorWrite): Row {
  const { indicator } = record;
  const indexed = { facets: facetTokens(indicator, audience), ...searchedText(indicator) };
  return {
    columns: [
      numberOf(SEVERITIES, indicator.severity),
      indicator.confidenceScore,
      indicator.lastSeen,
      indicator.validUntil ?? null,
      indexed.haystack,
      indexed.words,
    ],
    record: packRecord(record),
    indexed,
  };
}

function insertRow(
  connection: Connection,
  id: Buffer,
  { record: { indicator }, audience, document, madeFrom }: WholeWrite,
  { columns, record, indexed }: Row,
): IndexChange {
  const seq =
    leaveArchive(connection, id, indicator.tlp) ??
    (madeFrom === undefined
      ? nextSeq(connection, indicator.tlp)
      : seqBeside(connection, id, madeFrom, indicator.tlp));
  const revision = latestRevision(connection, id) + 1;
  connection.run(
    `insert into indicator (seq, severity, confidence, last_seen, valid_until, haystack, words, id, audience, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    ...columns,
    id,
    audience,
    indicator.createdAt,
  );
  connection.run(
    'insert into indicator_document (seq, crc, document) values (?, ?, ?)',
    seq,
    checksumOf(document),
    document,
  );
  connection.run(
    'insert into indicator_record (seq, revision, facets, ahead, crc, record) values (?, ?, ?, 0, ?, ?)',
    seq,
    revision,
    indexed.facets,
    checksumOf(record),
    record,
  );
  noteRange(connection, indicator);
  return { seq, before: undefined, after: indexed };
}

function updateRow(
  connection: Connection,
  seq: Seq,
  { document }: WholeWrite,
  { columns, record, indexed }: Row,
): void {
  connection.run(
    `update indicator set severity = ?, confidence = ?, last_seen = ?, valid_until = ?, haystack = ?, words = ?
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
    'update indicator_record set revision = revision + 1, facets = ?, ahead = 0, crc = ?, record = ? where seq = ?',
    indexed.facets,
    checksumOf(record),
    record,
    seq,
  );
}

export function removeViews(connection: Connection, id: string, markings: readonly TlpMarking[]): void {
  const blob = idToBlob(id);
  if (blob === undefined) return;
  for (const marking of markings) {
    leaveArchive(connection, blob, marking);
    const seq = viewOf(connection, blob, marking);
    if (seq === undefined) continue;
    // The views that stay remember the revision, so that none is given twice.
    connection.run(
      `update indicator_record set revision = max(revision, (select revision from indicator_record where seq = ?1))
       where seq in (select seq from indicator where id = ?2)`,
      seq,
      blob,
    );
    indexRows(connection, [deleteRow(connection, seq)]);
  }
}

const ROWS_OF_A_VIEW = ['indicator', 'indicator_document', 'indicator_record', 'indicator_evidence'] as const;

/** Deletes a view, with the evidence of its marking, from all tables but the search index. Returns the change for the search index. */
export function deleteRow(connection: Connection, seq: Seq): IndexChange {
  const before = readIndexed(connection, seq);
  for (const table of ROWS_OF_A_VIEW) connection.run(`delete from ${table} where seq = ?`, seq);
  return { seq, before, after: undefined };
}
