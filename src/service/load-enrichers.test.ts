// What a configuration makes of the enrichers, and how it fails.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError, type EnrichmentConfig } from '../config.ts';
import { writeMmdb } from '../pipeline/enrichers/mmdb-writer.test-support.ts';
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

test('without any configuration nothing is read and nobody is asked', async () => {
  assert.deepEqual(await load({}), {
    names: ['warning-list', 'attack-techniques', 'evidence-risk', 'template-summary'],
    warnings: [],
  });
});

test('each part that is configured has its place', async () => {
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
  assert.deepEqual(names, [
    'warning-list',
    'geo-location',
    'autonomous-system',
    'reverse-dns',
    'malware-families',
    'attack-techniques',
    'evidence-risk',
    'template-summary',
  ]);
});

test('what of the warning lists is not used is told, with its count', async () => {
  const { warnings } = await load({
    warningLists: [
      writeList('patterns', { name: 'Patterns', type: 'regex', list: ['a+'] }),
      writeList('ranges', { name: 'Ranges', type: 'cidr', list: ['192.0.2.0/24', 'x', 'y'] }),
    ],
  });
  assert.deepEqual(warnings, [
    'warning lists of regular expressions are not used (1): Patterns',
    'entries of the warning list "Ranges" that cannot be read: 2',
  ]);
});

test('data that cannot be used stops the start, naming variable and file', async () => {
  const broken = join(FOLDER, 'broken.mmdb');
  writeFileSync(broken, 'no database');
  const missing = join(FOLDER, 'missing');
  for (const [config, message] of [
    [{ geoDatabases: [broken] }, `TIS_GEO_DB: ${broken} is not an mmdb file, or a broken one`],
    [{ asnDatabases: [missing] }, `TIS_ASN_DB: ${missing} does not exist`],
    [{ galaxies: [missing] }, `TIS_GALAXY: ${missing} does not exist`],
    [{ warningLists: [missing] }, `TIS_WARNINGLISTS: ${missing} does not exist`],
  ] as const) {
    await assert.rejects(load(config), (error) => error instanceof ConfigError && error.message === message);
  }
});
