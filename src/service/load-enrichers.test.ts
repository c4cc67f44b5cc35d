// The enrichers that a configuration loads, and its faults.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { EnrichmentConfig } from '../config.ts';
import { writeMmdb } from '../pipeline/enrichers/mmdb-writer.test-support.ts';
import { ConfigError } from '../variables.ts';
import { loadEnrichers } from './load-enrichers.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'enrichers-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const NOTHING: EnrichmentConfig = {
  geoDatabases: [],
  asnDatabases: [],
  warningLists: [],
  galaxies: [],
  reverseDns: undefined,
};

async function load(config: Partial<EnrichmentConfig>) {
  const warnings: string[] = [];
  const enrichers = await loadEnrichers(
    { ...NOTHING, ...config },
    () => 0,
    (message) => warnings.push(message),
  );
  return { names: enrichers.map(({ name }) => name), warnings };
}

function writeList(folder: string, content: object): string {
  const path = join(FOLDER, folder);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'list.json'), JSON.stringify({ version: 1, description: '', ...content }));
  return path;
}

/** The enrichers that need data, in their order. */
const WITH_DATA = ['geo-location', 'autonomous-system', 'reverse-dns', 'malware-families'];

test('an empty configuration reads no files and uses no network', async () => {
  const { names, warnings } = await load({});
  assert.deepEqual(
    names.filter((name) => WITH_DATA.includes(name)),
    [],
  );
  assert.deepEqual([names.at(0), names.at(-1), warnings], ['warning-list', 'template-summary', []]);
});

test('each configured enricher has its place in the order', async () => {
  const path = join(FOLDER, 'x.mmdb');
  writeFileSync(path, writeMmdb({ '192.0.2.0/24': { country_code: 'NL' } }));
  const galaxy = join(FOLDER, 'rat.json');
  writeFileSync(galaxy, JSON.stringify({ type: 'rat', values: [{ value: 'Remcos' }] }));
  const { names } = await load({
    geoDatabases: [path],
    asnDatabases: [path],
    galaxies: [galaxy],
    reverseDns: { servers: [] },
  });
  assert.deepEqual(
    names.filter((name) => WITH_DATA.includes(name)),
    WITH_DATA,
  );
  assert.deepEqual([names.at(0), names.at(-1)], ['warning-list', 'template-summary']);
});

test('warnings count the entries of warning lists that are skipped', async () => {
  const { warnings } = await load({
    warningLists: [
      writeList('patterns', { name: 'Patterns', type: 'regex', list: ['a+'] }),
      writeList('ranges', { name: 'Ranges', type: 'cidr', list: ['192.0.2.0/24', 'x', 'y'] }),
    ],
  });
  assert.deepEqual(warnings, [
    'skipped 1 warning lists of regular expressions: Patterns',
    'skipped 2 entries of the warning list "Ranges" that cannot be read',
  ]);
});

test('a bad data file stops the start and is named with its variable', async () => {
  const broken = join(FOLDER, 'broken.mmdb');
  writeFileSync(broken, 'no database');
  const missing = join(FOLDER, 'missing');
  for (const [config, message] of [
    [{ geoDatabases: [broken] }, `TIS_GEO_DB: ${broken} is not an mmdb file, or it is broken`],
    [{ asnDatabases: [missing] }, `TIS_ASN_DB: ${missing} does not exist`],
    [{ galaxies: [missing] }, `TIS_GALAXY: ${missing} does not exist`],
    [{ warningLists: [missing] }, `TIS_WARNINGLISTS: ${missing} does not exist`],
  ] as const) {
    await assert.rejects(load(config), (error) => error instanceof ConfigError && error.message === message);
  }
});
