// The enrichers that a configuration loads, and its faults.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { EnrichmentConfig } from '../config.ts';
import { installData } from '../pipeline/data-sets/installation.ts';
import { removeInstalled } from '../pipeline/data-sets/installed-data.ts';
import type { Enricher } from '../pipeline/enricher.ts';
import { found, signalOf } from '../pipeline/enrichers/enricher.test-support.ts';
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
  summary: undefined,
};

async function load(config: Partial<EnrichmentConfig>, dataDir = join(FOLDER, 'no-data'), now = () => 0) {
  const warnings: string[] = [];
  const { enrichers, installed } = await loadEnrichers(
    { enrichment: { ...NOTHING, ...config }, dataDir },
    now,
    (message) => warnings.push(message),
  );
  return { names: enrichers.map(({ name }) => name), enrichers, installed, warnings };
}

function writeList(folder: string, content: object): string {
  const path = join(FOLDER, folder);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'list.json'), JSON.stringify({ version: 1, description: '', ...content }));
  return path;
}

/** The enrichers that need data, in their order. */
const WITH_DATA = ['geo-location', 'autonomous-system', 'reverse-dns', 'malware-families'];

/** The enrichers that have something to say about an address. */
function speaking(enrichers: readonly Enricher[]): string[] {
  const signal = signalOf([{ tags: ['remcos'] }]);
  return enrichers
    .filter(({ name, appliesTo }) => WITH_DATA.includes(name) && appliesTo(signal))
    .map(({ name }) => name);
}

test('an empty configuration reads no files and uses no network', async () => {
  const { names, enrichers, warnings } = await load({});
  assert.deepEqual(speaking(enrichers), []);
  assert.deepEqual([names.at(0), names.at(-1), warnings], ['warning-list', 'template-summary', []]);
});

test('data is taken up while the service runs, and a variable wins', async () => {
  const dataDir = join(FOLDER, 'data');
  const csv = join(FOLDER, 'country.csv');
  writeFileSync(csv, '0.0.0.0,255.255.255.255,NL\n');
  let now = 0;
  const { enrichers, installed } = await load({}, dataDir, () => now);
  assert.deepEqual([installed.generation(), speaking(enrichers)], [0, []]);
  await installData(dataDir, 'country', csv, { licence: 'CC0-1.0' }, 1_000);
  await installed.refresh();
  const geo = enrichers.find(({ name }) => name === 'geo-location') as Enricher;
  const finding = found(geo, signalOf([{}]));
  assert.equal(finding.geo?.countryCode, 'NL');
  assert.deepEqual(
    finding.datasets?.map(({ name }) => name),
    ['country.csv'],
  );
  assert.equal(installed.generation(), 0, 'other threads may still work with the earlier data');
  now = 6_000;
  assert.equal(installed.generation(), 1_000);

  await removeInstalled(dataDir, 'country', 2_000);
  await installed.refresh();
  assert.deepEqual(speaking(enrichers), []);
  now = 12_000;
  assert.equal(installed.generation(), 2_000, 'what the data said goes, too');

  const own = join(FOLDER, 'own.mmdb');
  writeFileSync(own, writeMmdb({ '0.0.0.0/0': { country_code: 'DE' } }));
  await installData(dataDir, 'country', csv, {}, 3_000);
  const configured = await load({ geoDatabases: [own] }, dataDir);
  const [answer] = configured.enrichers.filter(({ name }) => name === 'geo-location');
  assert.equal(answer && found(answer, signalOf([{}])).geo?.countryCode, 'DE');
  assert.equal(configured.installed.generation(), 0, 'data that is not used changes nothing');
});

test('installed data that is broken is reported, and the service does without it', async () => {
  const dataDir = join(FOLDER, 'broken-data');
  const csv = join(FOLDER, 'country.csv');
  writeFileSync(csv, '0.0.0.0,255.255.255.255,NL\n');
  const { path } = await installData(dataDir, 'country', csv, {}, 1_000);
  writeFileSync(join(path, 'country.csv'), 'no range\n');
  const { enrichers, warnings } = await load({}, dataDir);
  assert.deepEqual(speaking(enrichers), []);
  assert.match(warnings.join(), /^installed data is not used: .* has no range of addresses in line 1$/);
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
