// Opening a file: by several processes, after a crash, and where it cannot be opened.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { aVersion, criteriaOf, idOf, NOW, save } from '../contract/fixtures.ts';
import { openTemporaryStore, type TemporaryStore } from '../contract/temporary-store.test-support.ts';
import { MIGRATIONS } from './migrations.ts';
import { openSqliteStores } from './open.ts';

/** Counts up a record and appends to the feed, for ever, and says after each change that it is durable. */
const WRITER = `
  const { openSqliteStores } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)});
  const { aVersion, aWrite, idOf } = await import(${JSON.stringify(new URL('../contract/fixtures.ts', import.meta.url).href)});
  const [path, name, changes] = process.argv.slice(1);
  const stores = await openSqliteStores(path, Date.now);
  for (let change = 0; change < Number(changes); change++) {
    await stores.write(async (tx) => {
      const shared = (await tx.load([idOf('shared')])).get(idOf('shared'));
      const tags = [...(shared?.record.indicator.tags ?? []), name + ' ' + change];
      await tx.save([aWrite({ value: 'shared', tags }), aWrite({ value: name + ' ' + change })]);
      await tx.append([aVersion(name + ' ' + change, 0)], ${NOW});
    });
    console.log(change);
  }
  await stores.close();
`;

const NOBODY = 65_534;

let opened: TemporaryStore;
let folder: string;

before(async () => {
  opened = await openTemporaryStore(() => NOW);
  folder = opened.address;
});
after(() => opened.dispose());

test('processes that write at once lose nothing, and the feed stays in order', async () => {
  const path = join(folder, 'shared', 'tis.db');
  const writers = ['a', 'b', 'c'].map((name) => startWriter(path, name, 40));
  const codes = await Promise.all(writers.map((writer) => once(writer, 'exit')));
  assert.deepEqual(
    codes.map(([code]) => code),
    [0, 0, 0],
  );
  const stores = await openSqliteStores(path, () => NOW);
  const expected = ['a', 'b', 'c'].flatMap((name) =>
    Array.from({ length: 40 }, (_, index) => `${name} ${index}`),
  );
  const { tags = [] } = (await stores.indicators.record(idOf('shared'), 'RED'))?.record.indicator ?? {};
  assert.deepEqual(tags.toSorted(), expected.toSorted());
  assert.equal(await stores.indicators.count(criteriaOf(), 1_000), 121);
  const { entries } = await stores.feed.objects({
    until: Number.MAX_SAFE_INTEGER,
    limit: 1_000,
    ceiling: 'RED',
  });
  // Every writer appended in the transaction that counted up, so both tell the same order.
  assert.deepEqual(
    entries.map(({ object }) => JSON.parse(object).name),
    tags,
  );
  await stores.close();
});

test('what was acknowledged is there after the process was killed', async () => {
  const path = join(folder, 'killed', 'tis.db');
  const writer = startWriter(path, 'a', 1_000_000);
  const ended = once(writer, 'exit');
  let acknowledged = -1;
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged = Number(line);
    if (acknowledged === 100) writer.kill('SIGKILL');
  }
  await ended;
  const stores = await openSqliteStores(path, () => NOW);
  const { tags = [] } = (await stores.indicators.record(idOf('shared'), 'RED'))?.record.indicator ?? {};
  assert.ok(acknowledged >= 100 && tags.length >= acknowledged + 1);
  assert.equal(await stores.indicators.count(criteriaOf(), 1_000_000), tags.length + 1);
  assert.equal(await stores.indicators.count(criteriaOf({ tags: ['a 0'] }), 10), 1);
  await save(stores, [{ value: 'afterwards' }]);
  await stores.close();
});

test('a file of an earlier schema is brought up to date, with what is in it', async () => {
  const pagesOf = async (path: string) => {
    const { feed, close } = await openSqliteStores(path, () => NOW);
    const query = { until: Number.MAX_SAFE_INTEGER, limit: 10, ceiling: 'RED' } as const;
    const pages = [];
    for (const versions of ['last', 'first', 'all'] as const)
      pages.push(await feed.objects({ ...query, versions }));
    await close();
    return pages;
  };
  const current = join(folder, 'current.db');
  const stores = await openSqliteStores(current, () => NOW);
  await stores.write((tx) => tx.append([aVersion('a', 0), aVersion('b', 0), aVersion('a', 1)], NOW));
  await stores.close();
  for (let version = 1; version < MIGRATIONS.length; version++) {
    const path = join(folder, `of schema ${version}.db`);
    const database = new DatabaseSync(path);
    for (const step of MIGRATIONS.slice(0, version)) database.exec(step);
    database.exec(`pragma user_version = ${version}`);
    database.prepare('attach ? as current').run(current);
    for (const table of ['feed', 'feed_object', 'feed_live'])
      database.exec(`insert into ${table} select * from current.${table}`);
    database.close();
    assert.deepEqual(await pagesOf(path), await pagesOf(current), `schema ${version}`);
    assert.deepEqual(schemaOf(path), schemaOf(current), `schema ${version}`);
  }
});

test('a file of a newer schema is refused and left as it is', async () => {
  const path = join(folder, 'newer.db');
  await (await openSqliteStores(path, () => NOW)).close();
  const database = new DatabaseSync(path);
  database.exec(`pragma user_version = ${MIGRATIONS.length + 1}`);
  database.close();
  await assert.rejects(
    openSqliteStores(path, () => NOW),
    {
      name: 'ServiceError',
      code: 'failed_precondition',
    },
  );
  const again = new DatabaseSync(path);
  assert.equal(again.prepare('pragma user_version').get()?.user_version, MIGRATIONS.length + 1);
  again.close();
  // Nothing holds the file open: SQLite removes the log with the last connection.
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('newer')),
    ['newer.db'],
  );
});

test('a place where no store can be is unavailable', async () => {
  mkdirSync(join(folder, 'a folder'));
  writeFileSync(join(folder, 'a file'), '');
  writeFileSync(join(folder, 'a text'), 'not a database, yet long enough for the header of one. '.repeat(40));
  for (const place of [
    'a folder',
    'a file/tis.db',
    'a file/below/tis.db',
    'a text',
    `${'x'.repeat(300)}/tis.db`,
  ]) {
    await assert.rejects(
      openSqliteStores(join(folder, place), () => NOW),
      {
        name: 'ServiceError',
        code: 'unavailable',
      },
    );
  }
});

test('what is made is for its owner alone', async () => {
  const path = join(folder, 'made', 'below', 'tis.db');
  const stores = await openSqliteStores(path, () => NOW);
  const modes = [dirname(path), path, `${path}-wal`, `${path}-shm`].map(
    (made) => statSync(made).mode & 0o777,
  );
  await stores.close();
  assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600]);
});

test('a file that may only be read is unavailable', async () => {
  const path = join(folder, 'protected', 'tis.db');
  await (await openSqliteStores(path, () => NOW)).close();
  chmodSync(path, 0o444);
  chmodSync(dirname(path), 0o555);
  chmodSync(folder, 0o755);
  // Root may write whatever the mode says, so it becomes nobody for a moment.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await assert.rejects(
      openSqliteStores(path, () => NOW),
      { name: 'ServiceError', code: 'unavailable' },
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(dirname(path), 0o755);
  }
});

function schemaOf(path: string) {
  const database = new DatabaseSync(path);
  const schema = database.prepare('select name, sql from sqlite_schema order by name').all();
  database.close();
  return schema;
}

function startWriter(path: string, name: string, changes: number) {
  const script = ['--input-type=module', '--eval', WRITER, path, name, `${changes}`];
  return spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] });
}
