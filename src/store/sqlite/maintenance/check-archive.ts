// Checks each row of the archive: that it can come back to its place, and that the feed holds its last version if it says
// so.

import { indicatorId } from '../../../domain/indicator/identity.ts';
import type { Indicator } from '../../../domain/indicator/indicator.ts';
import { decodeRecord } from '../../record-codec.ts';
import { inflated, readDictionary } from '../archive/archived-rows.ts';
import { checksumOf } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { blobToId } from '../id-column.ts';
import { markingNumberOf } from '../search/view-rows.ts';
import type { CheckRule, Findings } from './check-rules.ts';

export const ARCHIVE_RULES: readonly CheckRule[] = [
  {
    rule: 'archived-and-live',
    broken: `select lower(hex(a.id)) from archive a
      where a.seq in (select seq from indicator)
        or exists (select 1 from indicator i where i.id = a.id and ${markingNumberOf('i.seq')} = ${markingNumberOf('a.seq')})`,
  },
  {
    rule: 'last-version-of-archived',
    broken: `select object_id from archive a where object_id is not null and not exists (
      select 1 from feed f where f.uuid = a.id and f.object_id = a.object_id)`,
  },
];

/** @param onRow called for every archived indicator. */
export function checkArchive(connection: Connection, findings: Findings, onRow: () => void): void {
  const secret = Buffer.from(connection.row('select secret from installation')?.[0] as Uint8Array);
  const dictionary = readDictionary(connection);
  const rows = connection.each('select id, created_at, crc, record from archive order by seq');
  for (const [blob, createdAt, crc, packed] of rows) {
    const id = blobToId(blob as Uint8Array);
    const text = inflated(packed, dictionary) ?? '';
    if (checksumOf(text) !== crc) findings.add('checksum', `archive ${id}`);
    const indicator = read(text);
    if (indicator === undefined) findings.add('archived-record-readable', id);
    else {
      if (indicator.id !== id || indicatorId(secret, indicator.type, indicator.value) !== id)
        findings.add('id-of-its-value', id);
      if (indicator.createdAt !== createdAt) findings.add('columns-of-its-record', id);
    }
    onRow();
  }
}

function read(text: string): Indicator | undefined {
  try {
    return decodeRecord(text).indicator;
  } catch {
    return undefined;
  }
}
