// The rows of the archive. A row is one view of an indicator, and keeps the seq of the view.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { IndicatorRecord } from '../../../domain/indicator/indicator.ts';
import type { TlpMarking } from '../../../domain/vocabulary.ts';
import type { ArchivedIndicator } from '../../archive.ts';
import type { Seq } from '../../indicators.ts';
import { decodeRecord, encodeRecord } from '../../record-codec.ts';
import { markingNumber } from '../../rules/markings.ts';
import { checksumOf, requireChecksum } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { markingNumberOf } from '../search/view-rows.ts';

export function insertArchived(
  connection: Connection,
  seq: Seq,
  id: Buffer,
  archivedAt: number,
  { record, objectId }: { readonly record: IndicatorRecord; readonly objectId: string | undefined },
): void {
  const text = encodeRecord(record);
  const dictionary = readDictionary(connection) ?? makeDictionary(connection, text);
  connection.run(
    `insert into archive (seq, id, created_at, archived_at, object_id, crc, record)
     values (?, ?, ?, ?, ?, ?, ?)`,
    seq,
    id,
    record.indicator.createdAt,
    archivedAt,
    objectId ?? null,
    checksumOf(text),
    deflateRawSync(text, { dictionary }),
  );
}

/** The archived views of an indicator. */
export function readArchived(connection: Connection, id: Buffer): readonly ArchivedIndicator[] {
  return connection
    .rows(`select archived_at, record, crc from archive where id = ? order by ${markingNumberOf('seq')}`, id)
    .map(([archivedAt, record, crc]) => ({
      archivedAt: archivedAt as number,
      record: unpackRecord(connection, record, crc),
    }));
}

/** Deletes an archived view and returns its seq. Undefined if it is not in the archive. */
export function leaveArchive(connection: Connection, id: Buffer, marking: TlpMarking): Seq | undefined {
  const row = connection.row(
    `delete from archive where id = ? and ${markingNumberOf('seq')} = ? returning seq`,
    id,
    markingNumber(marking),
  );
  return row?.[0] as Seq | undefined;
}

/** @throws ServiceError STORE_DAMAGED, and condemns the file, if the record differs from its checksum. */
export function unpackRecord(connection: Connection, packed: unknown, crc: unknown): IndicatorRecord {
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
