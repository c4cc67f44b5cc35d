// An intact store has no problems. Each planted fault is found by the rule that forbids it.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { aVersion, aWrite, idOf, keyOf, NOW, someEvidence } from '../../contract/fixtures.ts';
import { aUse } from '../../contract/rule.ts';
import { checksumOf } from '../checksums.ts';
import { dataFiles } from '../files.ts';
import { openSqliteStores } from '../open.ts';
import { mirrored } from '../search/indexed-rows.ts';
import { openSqliteUsage } from '../usage/open-usage.ts';
import { backUp } from './backup.ts';
import { checkDataFolder } from './check.ts';

/** The secret from which the fixtures derive their ids. */
const SECRET = Buffer.alloc(32, 'fixture');

let folder: string;
let dataDir: string;
let sound: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tis-check-'));
  dataDir = join(folder, 'data');
  const files = dataFiles(dataDir);
  const stores = await openSqliteStores(files, () => NOW);
  const metered = await openSqliteUsage(files);
  await stores.write(async (tx) => {
    const values = ['a.example', 'b.example', 'c.example'];
    await tx.save(values.map((value, index) => aWrite({ value, createdAt: NOW + index, tags: ['plant'] })));
    await tx.save([aWrite({ value: 'a.example', createdAt: NOW, tags: ['plant', 'pump'] })]);
    await tx.saveEvidence([{ ...keyOf(idOf('a.example')), evidence: someEvidence('uname -a') }]);
    await tx.append([aVersion('a.example', 0), aVersion('b.example', 0), aVersion('a.example', 1)], NOW);
    const id = `sighting--${idOf('sighting of b.example')}`;
    const object = JSON.stringify({ id, type: 'sighting', modified: new Date(NOW).toISOString() });
    const owner = `indicator--${idOf('b.example')}`;
    await tx.append([aVersion('x', 0, { id, type: 'sighting', owner, object })], NOW);
    await tx.enqueue([keyOf(idOf('c.example'))], NOW);
    const { record, audience } = aWrite({ value: 'c.example', createdAt: NOW + 2, tags: ['ahead'] });
    await tx.save([{ record, audience }]);
    const write = aWrite({ value: 'd.example', createdAt: NOW + 4 });
    await tx.save([write]);
    await tx.append([aVersion('d.example', 0)], NOW);
    await tx.save([aWrite({ type: 'CIDR', value: '203.0.113.0/24', createdAt: NOW + 5 })]);
    await tx.archive([{ record: write.record, objectId: `indicator--${idOf('d.example')}` }], NOW);
  });
  await metered.record([aUse({ account: 'a', credential: 'k', searches: 3, returned: 30 })], false);
  await stores.close();
  await metered.close();
  const database = new DatabaseSync(files.store);
  database.prepare('update installation set secret = ?').run(SECRET);
  // The objects of the fixtures have no type.
  database.exec(
    `update feed_object set object = json_set(object, '$.type', 'indicator') where object not like '%sighting%'`,
  );
  for (const { date_added, object } of database.prepare('select * from feed_object').all()) {
    const crc = checksumOf(String(object));
    database.prepare('update feed_object set crc = ? where date_added = ?').run(crc, Number(date_added));
  }
  database.close();
  sound = join(folder, 'sound');
  await backUp(dataDir, sound, () => NOW);
});
after(() => rmSync(folder, { recursive: true }));

/** The problems that the check finds after these statements. */
function problemsAfter(sql: string, file: 'store' | 'usage' = 'store'): string[] {
  const broken = mkdtempSync(join(folder, 'broken-'));
  const paths = dataFiles(broken);
  for (const name of ['store', 'usage'] as const)
    writeFileSync(paths[name], readFileSync(dataFiles(sound)[name]));
  const database = new DatabaseSync(paths[file]);
  database.exec(sql);
  database.close();
  const report = checkDataFolder(broken);
  assert.equal(report.ok, report.problemCount === 0);
  return [...new Set(report.problems.map(({ rule }) => rule))];
}

test('a sound store, in use and as a backup', () => {
  for (const path of [dataDir, sound]) {
    const { files, ...report } = checkDataFolder(path);
    assert.deepEqual(report, {
      ok: true,
      indicators: 4,
      archived: 1,
      feedVersions: 5,
      jobs: { pending: 1, dead: 0 },
      problemCount: 0,
      problems: [],
    });
    assert.deepEqual(
      files.map(({ name }) => name),
      ['tis.db', 'usage.db'],
    );
  }
});

const A = `(select seq from indicator where haystack like 'a.example%')`;
const FIRST = '(select min(date_added) from feed)';
const FIRST_ID = `(select object_id from feed where date_added = ${FIRST})`;

/** Readers with the ceiling GREEN have dates of their own. */
const DATED = 'insert into feed_dated values (2)';

/** Faults, each with the rules it breaks. */
const FAULTS: readonly (readonly [sql: string, ...rules: string[]])[] = [
  ['delete from address_range', 'range-of-its-value'],
  ['update feed set joined = 0', 'first-version'],
  ['update feed set joined = 1', 'first-version'],
  [`update feed set joined = 0 where date_added = ${FIRST}`, 'first-version'],
  [
    `update feed set collections = 3, joined = iif(date_added = ${FIRST}, 1, 2) where object_id = ${FIRST_ID}`,
    'first-version',
  ],
  [`update feed set collections = 3, joined = 3 where date_added = ${FIRST}`, 'stays-in-its-collections'],
  [
    `delete from indicator_record where seq = ${A}`,
    'indicator-without-record',
    'search-index-holds-the-tokens',
  ],
  [
    `delete from indicator_document where seq = ${A}`,
    'indicator-without-document',
    'search-index-holds-the-tokens',
  ],
  [`insert into indicator_record values (99, 1, '', 0, 0, x'00')`, 'record-without-indicator'],
  [`update indicator_record set ahead = 1 where seq = ${A}`, 'record-ahead-without-job'],
  [`update indicator_record set record = x'7b' where seq = ${A}`, 'record-readable'],
  [`update indicator set id = randomblob(16) where seq = ${A}`, 'id-of-its-value', 'document-of-its-record'],
  [`update installation set secret = zeroblob(32)`, 'id-of-its-value'],
  [`update indicator set confidence = 99 where seq = ${A}`, 'columns-of-its-record'],
  [
    `update indicator set audience = 1 where seq = ${A}`,
    'audience-up-to-the-next-view',
    'tokens-of-its-record',
  ],
  [
    `update indicator set haystack = 'a.example' where seq = ${A}`,
    'columns-of-its-record',
    'search-index-holds-the-tokens',
  ],
  [
    `update indicator set created_at = created_at + 9 where seq = ${A}`,
    'created-order',
    'columns-of-its-record',
  ],
  [`update indicator_document set document = '{}' where seq = ${A}`, 'document-of-its-record', 'checksum'],
  [`update indicator_record set record = cast(record || ' ' as blob) where seq = ${A}`, 'checksum'],
  [`update indicator_evidence set evidence = evidence || ' '`, 'checksum'],
  [`update indicator_evidence set evidence = '[1'`, 'checksum', 'evidence-readable'],
  [
    `update indicator_evidence set evidence = evidence || printf('%20000s', ' ')`,
    'checksum',
    'evidence-within-its-bytes',
  ],
  [`update indicator_evidence set seq = 800`, 'evidence-without-indicator'],
  [`update feed_object set object = object || ' ' where date_added = ${FIRST}`, 'checksum'],
  [
    `update indicator_record set facets = facets || ' g00' where seq = ${A}`,
    'tokens-of-its-record',
    'search-index-holds-the-tokens',
  ],
  [
    `insert into search_index (rowid, tokens) values (${mirrored(`${A}`)}, 'g00')`,
    'search-index-holds-the-tokens',
  ],
  [
    `insert into search_index (search_index, rowid, tokens) values ('delete', ${mirrored(`${A}`)}, 'a1')`,
    'search-index-holds-the-tokens',
  ],
  [`update archive set record = zeroblob(9)`, 'archived-record-readable', 'checksum'],
  [`update archive set crc = crc + 1`, 'checksum'],
  [`delete from archive_dictionary`, 'archived-record-readable', 'checksum'],
  [`update archive set id = randomblob(16)`, 'id-of-its-value', 'last-version-of-archived'],
  [`update archive set created_at = 1`, 'columns-of-its-record'],
  [`update archive set seq = ${A}`, 'archived-and-live'],
  [`delete from feed where object_id = (select object_id from archive)`, 'last-version-of-archived'],
  [
    `insert into job (indicator_id, marking, queued_at, due_at) values (zeroblob(16), 1, 1, 1)`,
    'job-without-indicator',
  ],
  [`delete from feed_object where date_added = ${FIRST}`, 'version-without-object'],
  [`insert into feed_object values (5, 0, '{}')`, 'object-without-version'],
  [`delete from feed_superseded`, 'superseded-by', 'only-older-versions-superseded'],
  [`update feed_superseded set superseded_at = 1 + superseded_at`, 'superseded-by'],
  [`update feed_superseded set audience = 2`, 'superseded-by'],
  [`update feed_superseded set collections = 3`, 'superseded-by'],
  [
    `update feed set audience = 31 where date_added = ${FIRST}`,
    'listed-for-pages',
    'only-newest-versions-listed',
  ],
  [
    `update feed_live set audience = 31 where date_added = (select max(date_added) from feed)`,
    'listed-for-pages',
  ],
  [`update feed set version = (select max(version) from feed)`, 'version-twice'],
  [`delete from feed_audience`, 'known-audience'],
  [
    `${DATED}; insert into feed_date select 2, date_added, date_added - 5000 from feed`,
    'added-before-modified',
  ],
  [
    `${DATED}; insert into feed_date select 2, date_added, ${FIRST} from feed where date_added > ${FIRST} limit 1`,
    'dates-in-order',
  ],
  [
    `${DATED}; insert into feed_date select 2, max(date_added), max(date_added) + 10 from feed`,
    'dates-in-order',
    'end-of-the-feed',
  ],
  [
    `insert into feed_date select 1, date_added, date_added - 10 from feed`,
    'date-without-version',
    'known-audience',
  ],
  [`update feed set owner = uuid, second_owner = zeroblob(16)`, 'link-without-its-ends'],
  [`delete from feed_end`, 'end-of-the-feed'],
  [`update feed_end set date_added = date_added - 1`, 'end-of-the-feed'],
  [`update feed_object set object = '[]' where date_added = ${FIRST}`, 'object-of-its-version'],
  [
    `update feed_object set object = json_set(object, '$.modified', 'now') where date_added = ${FIRST}`,
    'version-of-its-object',
  ],
  [
    `delete from feed_live where date_added = (select max(date_added) from feed)`,
    'listed-for-pages',
    'only-newest-versions-listed',
  ],
  [`insert into feed_live values (1, 1, ${FIRST})`, 'only-newest-versions-listed'],
  [
    `update feed_object set date_added = 7 where date_added = ${FIRST}; update feed set date_added = 7 where date_added = ${FIRST}`,
    'added-before-modified',
  ],
  ['pragma user_version = 99', 'schema'],
  ['drop table feed_live', 'readable'],
];

for (const [sql, ...rules] of FAULTS) {
  test(`${rules[0]}: ${sql}`, () => {
    const found = problemsAfter(sql);
    for (const rule of rules) assert.ok(found.includes(rule), `${rule} is not among ${found.join(', ')}`);
  });
}

test('account-is-sum-of-its-credentials', () => {
  assert.deepEqual(problemsAfter(`update usage set searches = 4 where credential = 'k'`, 'usage'), [
    'account-is-sum-of-its-credentials',
  ]);
  assert.deepEqual(problemsAfter(`update usage set lookups = 4 where credential = ''`, 'usage'), [
    'account-is-sum-of-its-credentials',
  ]);
});

test('damaged files are findings, however they are damaged', () => {
  const broken = mkdtempSync(join(folder, 'damaged-'));
  const { store } = dataFiles(broken);
  const whole = readFileSync(dataFiles(sound).store);
  for (const [from, to] of [
    [0, 100],
    [8_192, 24_000],
    [40_000, 60_000],
  ] as const) {
    const bytes = Buffer.from(whole);
    bytes.fill(0xab, from, to);
    writeFileSync(store, bytes);
    assert.equal(checkDataFolder(broken).ok, false, `${from} to ${to}`);
  }
  writeFileSync(store, whole.subarray(0, whole.length / 2));
  assert.equal(checkDataFolder(broken).ok, false);
});

test('a store broken everywhere gives a count and a list that ends', async () => {
  const many = join(folder, 'many');
  const stores = await openSqliteStores(dataFiles(many), () => NOW);
  await stores.write((tx) =>
    tx.enqueue(
      Array.from({ length: 250 }, (_, index) => keyOf(idOf(`${index}`))),
      NOW,
    ),
  );
  await stores.close();
  const { problemCount, problems } = checkDataFolder(many);
  assert.equal(problemCount, 250);
  assert.equal(problems.length, 100);
});

test('where there is no store there is nothing to check, and none is made', () => {
  assert.throws(() => checkDataFolder(join(folder, 'nowhere')), { code: 'failed_precondition' });
  assert.throws(() => checkDataFolder(join(folder, 'nowhere')), /there is no store in/);
});
