// The archive: records of indicators that were long stale, outside the tables and indices that searches and feed read.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { IndicatorRecord } from '../../domain/indicator/indicator.ts';
import type { ArchivedIndicator, ArchiveReader, ArchiveWrite } from '../archive.ts';
import { decodeRecord, encodeRecord } from '../record-codec.ts';
import { checksumOf, requireChecksum } from './checksums.ts';
import type { Connection } from './connection.ts';
import { removeObject } from './feed/removal.ts';
import { idToBlob } from './id-column.ts';
import { unindexRow } from './search/indicator-writer.ts';
import { guarded } from './store-errors.ts';

/** Records of one batch of a walk. */
const WALK_BATCH = 500;

export function createArchiveReader(connection: Connection): ArchiveReader {
  const readBatch = guarded(
    (after: number) =>
      connection.rows(
        'select seq, archived_at, record, crc from archive where seq > ? order by seq limit ?',
        after,
        WALK_BATCH,
      ) as [number, number, Uint8Array, number][],
  );
  return {
    get: guarded((id: string): ArchivedIndicator | undefined => {
      const blob = idToBlob(id);
      if (blob === undefined) return undefined;
      const row = connection.row('select archived_at, record, crc from archive where id = ?', blob);
      return row && { archivedAt: row[0] as number, record: unpackRecord(connection, row[1], row[2]) };
    }),
    each: async function* () {
      let after = 0;
      let batch: [number, number, Uint8Array, number][];
      do {
        batch = await readBatch(after);
        for (const [seq, archivedAt, record, crc] of batch) {
          after = seq;
          yield { archivedAt, record: unpackRecord(connection, record, crc) };
        }
      } while (batch.length === WALK_BATCH);
    },
  };
}

/** Moves indicators into the archive. One with a job stays, because the pipeline is about to change it. */
export function archiveIndicators(
  connection: Connection,
  writes: readonly ArchiveWrite[],
  now: number,
): string[] {
  const moved: { readonly id: string; readonly seq: number; readonly tokens: string }[] = [];
  let dictionary = readDictionary(connection);
  for (const { record, objectId } of writes) {
    const { id } = record.indicator;
    const blob = idToBlob(id);
    if (blob === undefined) continue;
    const row = connection.row(
      `select i.seq, t.tokens from indicator i join search_tokens t using (seq)
       where i.id = ?1 and not exists (select 1 from job where indicator_id = ?1)`,
      blob,
    ) as [number, string] | undefined;
    if (row === undefined) continue;
    const [seq, tokens] = row;
    const text = encodeRecord(record);
    dictionary ??= makeDictionary(connection, text);
    connection.run(
      `insert into archive (seq, id, created_at, archived_at, object_id, crc, record)
       values (?, ?, ?, ?, ?, ?, ?)`,
      seq,
      blob,
      record.indicator.createdAt,
      now,
      objectId ?? null,
      checksumOf(text),
      deflateRawSync(text, { dictionary }),
    );
    for (const table of ['indicator', 'indicator_document', 'indicator_record', 'search_tokens'])
      connection.run(`delete from ${table} where seq = ?`, seq);
    moved.push({ id, seq, tokens });
  }
  for (const { seq, tokens } of moved.toSorted((a, b) => a.seq - b.seq)) unindexRow(connection, seq, tokens);
  return moved.map(({ id }) => id);
}

export function loadArchived(connection: Connection, ids: readonly string[]): Map<string, IndicatorRecord> {
  const found = new Map<string, IndicatorRecord>();
  for (const id of ids) {
    const blob = idToBlob(id);
    if (blob === undefined) continue;
    const row = connection.row('select record, crc from archive where id = ?', blob);
    if (row !== undefined) found.set(id, unpackRecord(connection, row[0], row[1]));
  }
  return found;
}

/** Deletes from the feed what is left of the indicators that were archived before an instant. */
export function forgetArchivedInFeed(connection: Connection, before: number, limit: number): number {
  const rows = connection.rows(
    `select seq, object_id from archive indexed by archive_in_feed
     where object_id is not null and archived_at < ? order by archived_at limit ?`,
    before,
    limit,
  ) as [number, string][];
  for (const [seq, objectId] of rows) {
    removeObject(connection, objectId);
    connection.run('update archive set object_id = null where seq = ?', seq);
  }
  return rows.length;
}

/** @throws ServiceError STORE_DAMAGED, and condemns the file, if the record differs from its checksum. */
function unpackRecord(connection: Connection, packed: unknown, crc: unknown): IndicatorRecord {
  return decodeRecord(requireChecksum(connection, inflated(packed, readDictionary(connection)), crc));
}

/** Undefined if it or the dictionary is damaged. */
export function inflated(packed: unknown, dictionary: Buffer | undefined): string | undefined {
  if (dictionary === undefined) return undefined;
  try {
    return inflateRawSync(packed as Uint8Array, { dictionary }).toString();
  } catch {
    return undefined;
  }
}

/** The most that deflate uses of a dictionary. */
const WINDOW = 32_768;

/** Undefined before anything was archived. */
export function readDictionary(connection: Connection): Buffer | undefined {
  const record = connection.row('select record from archive_dictionary')?.[0];
  return record === undefined ? undefined : dictionaryOf(String(record));
}

function makeDictionary(connection: Connection, record: string): Buffer {
  connection.run('insert into archive_dictionary (id, record) values (1, ?)', record);
  return dictionaryOf(record);
}

function dictionaryOf(record: string): Buffer {
  return Buffer.from(record).subarray(0, WINDOW);
}
