// Installing, replacing and removing data.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DAY } from '../../domain/instant.ts';
import { writeMmdb } from '../enrichers/mmdb-writer.test-support.ts';
import { installData } from './installation.ts';
import {
  ageInDays,
  generationOf,
  isOld,
  readInstallations,
  readInstalled,
  removeInstalled,
} from './installed-data.ts';
import { openLicenceOf } from './licence.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'installing-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

let folders = 0;

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = join(FOLDER, `from-${folders++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const COUNTRIES = writeMmdb({ '192.0.2.0/24': { country_code: 'NL' } }, { builtAt: 1_000 });
const NETWORKS = '192.0.2.0,192.0.2.255,64496,Example\n';

test('a folder is installed with what it says of itself; a second one takes its place', async () => {
  const dataDir = join(FOLDER, 'data');
  const source = folderOf({
    'x-ipv4.mmdb': COUNTRIES,
    'x-ipv6.mmdb': COUNTRIES,
    'x.mmdb': 'not read',
    README: '',
  });
  const origin = { name: 'countries', version: '1.0.0', licence: 'CC0-1.0', integrity: 'sha512-x' };
  const first = await installData(dataDir, 'country', source, origin, 5_000);
  assert.deepEqual(readdirSync(first.path), ['x-ipv4.mmdb', 'x-ipv6.mmdb']);
  assert.equal(first.builtAt, 1_000_000, 'as the database says');
  assert.deepEqual(await readInstalled(dataDir), [first]);

  const second = await installData(dataDir, 'country', join(source, 'x-ipv4.mmdb'), {}, 5_000);
  assert.equal(second.name, 'x-ipv4.mmdb');
  assert.deepEqual(await readInstalled(dataDir), [second]);
  assert.equal(
    generationOf(await readInstallations(dataDir)),
    5_001,
    'it grows in the same millisecond, too',
  );
  assert.equal(readdirSync(join(dataDir, 'enrichment')).length, 2, 'a folder and a manifest');

  assert.equal(await removeInstalled(dataDir, 'country', 1), true);
  assert.equal(await removeInstalled(dataDir, 'country', 1), false);
  assert.deepEqual(await readInstalled(dataDir), []);
  assert.equal(generationOf(await readInstallations(dataDir)), 5_002);
});

test('a file of another kind, or a broken one, leaves what is installed', async () => {
  const dataDir = join(FOLDER, 'kept');
  const networks = folderOf({ 'asn-ipv4.csv': NETWORKS, 'asn-ipv4-num.csv': 'not read' });
  const kept = await installData(dataDir, 'asn', networks, { builtAt: 7 }, 1);
  assert.equal(kept.builtAt, 7, 'a table does not say when it was built');
  for (const [from, fault] of [
    [folderOf({ 'a.mmdb': COUNTRIES }), 'has no record with the number of an autonomous system'],
    [folderOf({ 'a.mmdb': 'x' }), 'is not an mmdb file, or it is broken'],
    [folderOf({ 'a.txt': 'x' }), 'has no mmdb file and no CSV file'],
    [join(FOLDER, 'missing'), 'does not exist'],
  ] as const)
    await assert.rejects(
      installData(dataDir, 'asn', from, {}, 2),
      ({ message }: Error) => message.startsWith(from) && message.endsWith(fault),
    );
  await assert.rejects(
    installData(dataDir, 'city', folderOf({ 'a.mmdb': COUNTRIES }), {}, 2),
    /a city or a place/,
  );
  await assert.rejects(installData(dataDir, 'country', networks, {}, 2), /no record with a country/);
  assert.deepEqual(await readInstalled(dataDir), [kept]);
  assert.equal(readdirSync(join(dataDir, 'enrichment')).length, 2, 'nothing half installed is left');
});

test('warning lists and galaxies are taken from a checkout, and lists know their date', async () => {
  const dataDir = join(FOLDER, 'misp');
  const list = { name: 'Resolvers', version: 20_260_820, type: 'cidr', list: ['192.0.2.53'] };
  const lists = folderOf({ 'lists/a/list.json': JSON.stringify(list), 'tools/x.py': '' });
  const installed = await installData(dataDir, 'warninglists', lists, {}, 1);
  assert.deepEqual(readdirSync(installed.path), ['a']);
  assert.equal(installed.builtAt, Date.UTC(2026, 7, 20));
  const galaxy = { type: 'rat', values: [{ value: 'Remcos' }] };
  const galaxies = folderOf({ 'clusters/rat.json': JSON.stringify(galaxy), 'README.md': '' });
  await installData(dataDir, 'galaxies', galaxies, {}, 1);
  assert.deepEqual(
    (await readInstalled(dataDir)).map(({ kind }) => kind),
    ['warninglists', 'galaxies'],
  );
});

test('data is old after 90 days', () => {
  assert.deepEqual([ageInDays({ builtAt: DAY }, 3 * DAY - 1), ageInDays({ builtAt: DAY }, 0)], [1, 0]);
  assert.deepEqual(
    [90, 91].map((days) => isOld({ builtAt: 0 }, days * DAY)),
    [false, true],
  );
});

test('only licences that allow every use are open', () => {
  assert.deepEqual(openLicenceOf('CC0-1.0'), { id: 'CC0-1.0', asks: 'nothing' });
  const dbIp = openLicenceOf('SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)');
  assert.deepEqual(dbIp, { id: 'CC-BY-4.0', asks: 'attribution' });
  for (const text of [
    'CC-BY-NC-4.0',
    'SEE LICENSE IN GEOLITE2_EULA',
    'SEE LICENSE IN X (CC-BY-NC-4.0)',
    'none',
    '',
  ])
    assert.equal(openLicenceOf(text), undefined, text);
});
