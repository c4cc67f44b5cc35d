// Checksums of the long contents, which are most of the store: texts, and records in packed form. SQLite sees a damaged
// page, but not a changed byte inside a text. CRC-32, because it detects what happens by accident and costs 2 µs.

import { crc32 } from 'node:zlib';
import type { Connection } from './connection.ts';

type Content = string | Uint8Array;

/** Stored beside a content. */
export function checksumOf(content: Content): number {
  return crc32(content);
}

/** A damaged row can hold anything. */
function agrees(content: unknown, crc: unknown): boolean {
  return (typeof content === 'string' || content instanceof Uint8Array) && checksumOf(content) === crc;
}

/** The tables whose rows have a checksum, with their key and their content. */
const CHECKED = [
  { table: 'indicator_record', key: 'seq', content: 'record' },
  { table: 'indicator_document', key: 'seq', content: 'document' },
  { table: 'indicator_evidence', key: 'seq', content: 'evidence' },
  { table: 'feed_object', key: 'date_added', content: 'object' },
] as const;

/** The rows that differ from their checksum, such as `feed_object 1773480413589000`. Reads all contents. */
export function* wrongChecksums(connection: Connection): Generator<string> {
  for (const { table, key, content } of CHECKED) {
    const rows = connection.each(`select ${key}, crc, ${content} from ${table}`);
    for (const [row, crc, stored] of rows) {
      if (!agrees(stored, crc)) yield `${table} ${row}`;
    }
  }
}

/** @throws ServiceError STORE_DAMAGED, and condemns the file, if a content differs from its checksum. */
export function requireChecksum<Kind extends Content>(
  connection: Connection,
  content: unknown,
  crc: unknown,
): Kind {
  if (!agrees(content, crc)) throw connection.file.corrupt('a record differs from its checksum');
  return content as Kind;
}
