// Files that are missing, empty, foreign, of another installation or damaged: each is refused by its name, nothing is
// made or changed in its place, and there is a way out.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { ServiceError } from '../../domain/errors.ts';
import { NOW, save } from '../contract/fixtures.ts';
import { aUse } from '../contract/rule.ts';
import { createSqliteDriver } from './driver.ts';

const clock = () => NOW;

let folder: string;
/** Two installations at rest, each with both files in use. */
let sound: string;
let other: string;
/** A copy of the first one as a crash leaves it, with its logs. */
let crashed: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tis-damaged-'));
  [sound, other, crashed] = [join(folder, 'sound'), join(folder, 'other'), join(folder, 'crashed')];
  for (const dataDir of [sound, other]) {
    const driver = createSqliteDriver(dataDir);
    const stores = await driver.openStores(clock);
    await save(stores, [{ value: 'a.example' }]);
    const usage = await driver.openUsage();
    await usage.record([aUse()], false);
    if (dataDir === sound) cpSync(sound, crashed, { recursive: true });
    await usage.close();
    await stores.close();
  }
});
after(() => rmSync(folder, { recursive: true }));

function open(dataDir: string): Promise<void> {
  return createSqliteDriver(dataDir).maintenance.migrate(clock);
}

const TEXT = 'not a database, yet long enough for the header of one. '.repeat(40);

/** What happens to a data folder, the file that is named for it, and what it is said to be. */
const CASES: readonly (readonly [what: string, file: string, problem: RegExp, harm: (at: string) => void])[] =
  [
    ['tis.db is missing', 'tis.db', /is missing/, (at) => rmSync(join(at, 'tis.db'))],
    ['tis.db is empty', 'tis.db', /is missing/, (at) => truncateSync(join(at, 'tis.db'))],
    ['usage.db is missing', 'usage.db', /is missing/, (at) => rmSync(join(at, 'usage.db'))],
    ['usage.db is empty', 'usage.db', /is missing/, (at) => truncateSync(join(at, 'usage.db'))],
    ...['tis.db', 'usage.db'].flatMap((file) => {
      const cases: [string, string, RegExp, (at: string) => void][] = [
        [`${file} is a text`, file, /is not a database/, (at) => writeFileSync(join(at, file), TEXT)],
        [
          `${file} is a database of another program`,
          file,
          /is not the file that belongs here/,
          (at) => {
            rmSync(join(at, file));
            const foreign = new DatabaseSync(join(at, file));
            foreign.exec('create table note (x)');
            foreign.close();
          },
        ],
        [`${file} is cut off`, file, /is damaged/, (at) => truncateSync(join(at, file), 20_000)],
        [
          `${file} has junk in place of its schema`,
          file,
          /is damaged/,
          (at) => {
            const bytes = readFileSync(join(at, file)).fill(0xa5, 100, 8_192);
            writeFileSync(join(at, file), bytes);
          },
        ],
      ];
      return cases;
    }),
    [
      'usage.db is of another installation',
      'usage.db',
      /belongs to another installation/,
      (at) => cpSync(join(other, 'usage.db'), join(at, 'usage.db')),
    ],
    [
      'tis.db is of another installation',
      'usage.db',
      /belongs to another installation/,
      (at) => cpSync(join(other, 'tis.db'), join(at, 'tis.db')),
    ],
    [
      'the two files have changed places',
      'tis.db',
      /is not the file that belongs here/,
      (at) => {
        cpSync(join(sound, 'usage.db'), join(at, 'tis.db'));
        cpSync(join(sound, 'tis.db'), join(at, 'usage.db'));
      },
    ],
  ];

for (const [what, file, problem, harm] of CASES) {
  test(`${what}: refused by name, and left as it is`, async () => {
    const dataDir = mkdtempSync(join(folder, 'case-'));
    cpSync(sound, dataDir, { recursive: true });
    harm(dataDir);
    const before = contentOf(dataDir);
    await assert.rejects(open(dataDir), ({ code, message, details }: ServiceError) => {
      assert.deepEqual([code, details.reason], ['unavailable', 'STORE_DAMAGED']);
      const { diagnosis = '' } = details;
      assert.ok(diagnosis.startsWith(`${join(dataDir, file)} `), diagnosis);
      assert.match(diagnosis, problem);
      assert.match(diagnosis, /tis check/);
      assert.doesNotMatch(message, /tis\.db|usage\.db|\//);
      return true;
    });
    assert.deepEqual(contentOf(dataDir), before);
    const report = await createSqliteDriver(dataDir).maintenance.check();
    assert.equal(report.ok, false);
    assert.ok(
      report.problems.some(({ subject }) => subject.includes(file) && problem.test(subject)),
      JSON.stringify(report.problems),
    );
  });
}

test('a log without its file is refused: SQLite would delete it', async () => {
  for (const file of ['tis.db', 'usage.db']) {
    const dataDir = mkdtempSync(join(folder, 'log-'));
    cpSync(crashed, dataDir, { recursive: true });
    rmSync(join(dataDir, file));
    const before = contentOf(dataDir);
    await assert.rejects(open(dataDir), ({ details }: ServiceError) =>
      details.diagnosis?.includes(`${file} is missing`),
    );
    const log = `${file}-wal`;
    assert.equal(contentOf(dataDir)[log], before[log]);
    assert.ok(before[log] !== undefined);
  }
});

test('the usage file of a backup takes the place of a lost one', async () => {
  const [dataDir, backup] = [mkdtempSync(join(folder, 'lost-')), join(folder, 'backup')];
  cpSync(sound, dataDir, { recursive: true });
  await createSqliteDriver(dataDir).maintenance.backUp(backup, clock);
  rmSync(join(dataDir, 'usage.db'));
  cpSync(join(backup, 'usage.db'), join(dataDir, 'usage.db'));
  await open(dataDir);
  assert.deepEqual(await brokenRules(dataDir), []);
  assert.equal(await searchesOf(dataDir), 1);
});

test('metered use starts anew only where it is lost, and a damaged file is kept', async () => {
  const dataDir = mkdtempSync(join(folder, 'renew-'));
  cpSync(sound, dataDir, { recursive: true });
  const { maintenance } = createSqliteDriver(dataDir);
  await assert.rejects(maintenance.renewUsage(clock), { code: 'failed_precondition' });
  assert.equal(await searchesOf(dataDir), 1);

  rmSync(join(dataDir, 'usage.db'));
  assert.equal(await maintenance.renewUsage(clock), undefined);
  assert.equal(await searchesOf(dataDir), undefined);
  await open(dataDir);

  writeFileSync(join(dataDir, 'usage.db'), TEXT);
  const kept = (await maintenance.renewUsage(clock)) ?? '';
  assert.equal(readFileSync(kept, 'utf8'), TEXT);
  await open(dataDir);
  assert.deepEqual(await brokenRules(dataDir), []);

  await assert.rejects(createSqliteDriver(join(folder, 'nowhere')).maintenance.renewUsage(clock), {
    code: 'failed_precondition',
  });
});

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Of an empty file. */
const NOTHING = createHash('sha256').digest('hex');

function contentOf(dataDir: string): Record<string, string> {
  const names = readdirSync(dataDir).filter((name) => !name.endsWith('-shm'));
  const contents = names.map((name) => [name, digestOf(join(dataDir, name))]);
  return Object.fromEntries(contents.filter(([, content]) => content !== NOTHING));
}

async function searchesOf(dataDir: string): Promise<number | undefined> {
  const usage = await createSqliteDriver(dataDir).openUsage();
  const totals = await usage.report({ account: 'default', bucket: 'HOUR', window: {} }, 10);
  await usage.close();
  return totals[0]?.searches;
}

/** The ids of the fixtures are derived from another secret. */
async function brokenRules(dataDir: string): Promise<string[]> {
  const { problems } = await createSqliteDriver(dataDir).maintenance.check();
  return problems.map(({ rule }) => rule).filter((rule) => rule !== 'id-of-its-value');
}
