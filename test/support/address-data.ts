// Data on addresses for a service under test, of nobody: all addresses are in one place and in one network.

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

/** The settings under which services and commands find the data, which is there until the tests of the file are over. */
export function addressData(): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'tis-addresses-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'all.mmdb');
  writeFileSync(path, writeMmdb({ '::/1': RECORD }));
  return { TIS_GEO_DB: path, TIS_ASN_DB: path };
}
