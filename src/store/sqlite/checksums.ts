// Checksums of the long texts, which are most of the store. SQLite sees a damaged page, but not a changed byte inside a
// text. CRC-32, because it detects what happens by accident and costs 2 µs for a text.

import { crc32 } from 'node:zlib';
import type { Connection } from './connection.ts';

/** Stored beside a text. */
export function checksumOf(text: string): number {
  return crc32(text);
}

/** A damaged row can hold anything. */
function agrees(text: unknown, crc: unknown): text is string {
  return typeof text === 'string' && checksumOf(text) === crc;
}

/** The tables whose rows have a checksum, with their key and their text. */
const CHECKED = [
  { table: 'indicator_record', key: 'seq', text: 'record' },
  { table: 'indicator_document', key: 'seq', text: 'document' },
  { table: 'indicator_evidence', key: 'seq', text: 'evidence' },
  { table: 'feed_object', key: 'date_added', text: 'object' },
] as const;

/** The rows whose text differs from its checksum, such as `feed_object 1773480413589000`. Reads all texts. */
export function* wrongChecksums(connection: Connection): Generator<string> {
  for (const { table, key, text } of CHECKED) {
    const rows = connection.each(`select ${key}, crc, ${text} from ${table}`);
    for (const [row, crc, content] of rows) {
      if (!agrees(content, crc)) yield `${table} ${row}`;
    }
  }
}

/** @throws ServiceError STORE_DAMAGED, and condemns the file, if a text differs from its checksum. */
export function requireChecksum(connection: Connection, text: unknown, crc: unknown): string {
  if (!agrees(text, crc)) throw connection.file.corrupt('a record differs from its checksum');
  return text;
}
