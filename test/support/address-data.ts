// Made-up data on addresses for a service under test: all addresses are in one place and one network.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { writeMmdb } from '../../src/pipeline/enrichers/mmdb-writer.test-support.ts';

const RECORD = {
  country_code: 'NL',
  city: 'Delft',
  latitude: 52.01,
  longitude: 4.36,
  asn: 64_496,
  as_name: 'Example Networks',
};

/** Settings that name the data files. The files exist until the tests of the file end. */
export function addressData(): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'tis-addresses-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'all.mmdb');
  writeFileSync(path, writeMmdb({ '::/1': RECORD }));
  return { TIS_GEO_DB: path, TIS_ASN_DB: path };
}
