// Opening a file: by several processes, after a crash, and where it cannot be opened.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { ServiceError } from '../../domain/errors.ts';
import { criteriaOf, idOf, NOW, save } from '../contract/fixtures.ts';
import { openTemporaryStore, type TemporaryStore } from '../contract/temporary-store.test-support.ts';
import { createSqliteDriver } from './driver.ts';
import { dataFiles } from './files.ts';
import { schemaVersion } from './maintenance/migrate.ts';
import { openSqliteStores } from './open.ts';
import { STORE_SCHEMA } from './schema.ts';

/** Changes a record and appends to the feed, again and again, and prints a number after each durable change. */
const WRITER = `
  const { openSqliteStores } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)});
  const { aVersion, aWrite, idOf } = await import(${JSON.stringify(new URL('../contract/fixtures.ts', import.meta.url).href)});
  const [path, name, changes] = process.argv.slice(1);
  const stores = await openSqliteStores({ store: path, usage: path + '.usage' }, Date.now);
  for (let change = 0; change < Number(changes); change++) {
    await stores.write(async (tx) => {
      const shared = (await tx.load([idOf('shared')])).get(idOf('shared'));
      const tags = [...(shared?.[0].indicator.tags ?? []), name + ' ' + change];
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
  const stores = await openSqliteStores(dataFiles(dirname(path)), () => NOW);
  const expected = ['a', 'b', 'c'].flatMap((name) =>
    Array.from({ length: 40 }, (_, index) => `${name} ${index}`),
  );
  const { tags = [] } = (await stores.indicators.record(idOf('shared'), 'RED'))?.indicator ?? {};
  assert.deepEqual(tags.toSorted(), expected.toSorted());
  assert.equal(await stores.indicators.count(criteriaOf(), 1_000), 121);
  const { entries } = await stores.feed.objects({
    until: Number.MAX_SAFE_INTEGER,
    limit: 1_000,
    ceiling: 'RED',
  });
  // Each transaction changed the record and appended a version, so both show the same order.
  assert.deepEqual(
    entries.map(({ object }) => JSON.parse(object).name),
    tags,
  );
  await stores.close();
});

/** Opens new files, each at the same moment as the other threads. */
const OPENER = `
  import { parentPort, workerData } from 'node:worker_threads';
  const { openSqliteStores } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)});
  const arrived = new Int32Array(workerData.arrived);
  for (const [round, path] of workerData.paths.entries()) {
    Atomics.add(arrived, 0, 1);
    while (Atomics.load(arrived, 0) < (round + 1) * workerData.threads);
    await (await openSqliteStores({ store: path, usage: path + '.usage' }, Date.now)).close();
  }
  parentPort.postMessage('opened');
`;

test('those who open a new file at the same moment wait for each other', async () => {
  const threads = 3;
  const paths = Array.from({ length: 20 }, (_, round) => join(folder, `new-${round}`, 'tis.db'));
  const workerData = { paths, threads, arrived: new SharedArrayBuffer(4) };
  const entry = new URL(`data:text/javascript,${encodeURIComponent(OPENER)}`);
  const workers = Array.from({ length: threads }, () => new Worker(entry, { workerData }));
  try {
    const opened = await Promise.all(workers.map((worker) => once(worker, 'message')));
    assert.deepEqual(opened.flat(), ['opened', 'opened', 'opened']);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
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
  const stores = await openSqliteStores(dataFiles(dirname(path)), () => NOW);
  const { tags = [] } = (await stores.indicators.record(idOf('shared'), 'RED'))?.indicator ?? {};
  assert.ok(acknowledged >= 100 && tags.length >= acknowledged + 1);
  assert.equal(await stores.indicators.count(criteriaOf(), 1_000_000), tags.length + 1);
  assert.equal(await stores.indicators.count(criteriaOf({ tags: ['a 0'] }), 10), 1);
  await save(stores, [{ value: 'afterwards' }]);
  await stores.close();
});

test('a file of another schema is refused with what to do, and left as it is', async () => {
  for (const [version, reason] of [
    [schemaVersion(STORE_SCHEMA) + 1, 'STORE_TOO_NEW'],
    [STORE_SCHEMA.firstVersion - 1, 'STORE_TOO_OLD'],
    [1, 'STORE_TOO_OLD'],
  ] as const) {
    const place = join(folder, `of schema ${version}`);
    const { openStores, maintenance } = createSqliteDriver(place);
    await maintenance.migrate(() => NOW);
    const { store } = dataFiles(place);
    const database = new DatabaseSync(store);
    database.exec(`pragma user_version = ${version}`);
    database.close();
    const isRefused = (error: ServiceError) =>
      error.code === 'failed_precondition' &&
      error.details.reason === reason &&
      error.message.includes(`schema ${version}`);
    await assert.rejects(
      openStores(() => NOW),
      isRefused,
    );
    await assert.rejects(
      maintenance.migrate(() => NOW),
      isRefused,
    );
    const again = new DatabaseSync(store);
    assert.equal(again.prepare('pragma user_version').get()?.user_version, version);
    again.close();
    // Nothing holds the file open: SQLite removes the log with the last connection.
    assert.deepEqual(readdirSync(place).toSorted(), ['tis.db', 'usage.db']);
  }
});

test('a place where no store can be is unavailable, and the operator is told why', async () => {
  mkdirSync(join(folder, 'a folder', 'tis.db'), { recursive: true });
  writeFileSync(join(folder, 'a file'), '');
  for (const [place, why] of [
    ['a folder', /tis\.db: it .*; \w/],
    ['a file', /a part of its path is a file; choose another data folder/],
    ['a file/below', /a part of its path is a file; choose another data folder/],
    ['x'.repeat(300), /its path is too long; choose another data folder/],
    ...(process.platform === 'linux'
      ? ([['/proc/tis/data', /it does not exist and cannot be created; choose another data folder/]] as const)
      : []),
  ] as const) {
    await assert.rejects(
      openSqliteStores(dataFiles(resolve(folder, place)), () => NOW),
      ({ code, message, details: { reason, diagnosis = '' } }: ServiceError) => {
        assert.deepEqual([code, reason], ['unavailable', 'STORE_UNAVAILABLE']);
        assert.match(diagnosis, why);
        assert.ok(diagnosis.includes(resolve(folder, place)) && !message.includes(folder));
        return true;
      },
    );
  }
});

test('what is made is for its owner alone', async () => {
  const path = join(folder, 'made', 'below', 'tis.db');
  const stores = await openSqliteStores(dataFiles(dirname(path)), () => NOW);
  const modes = [dirname(path), path, `${path}-wal`, `${path}-shm`].map(
    (made) => statSync(made).mode & 0o777,
  );
  await stores.close();
  assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600]);
});

test('a file that may only be read is unavailable', async () => {
  const path = join(folder, 'protected', 'tis.db');
  await (await openSqliteStores(dataFiles(dirname(path)), () => NOW)).close();
  chmodSync(path, 0o444);
  chmodSync(dirname(path), 0o555);
  chmodSync(folder, 0o755);
  // The mode does not stop root, so the process becomes nobody for a moment.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    await assert.rejects(
      openSqliteStores(dataFiles(dirname(path)), () => NOW),
      ({ code, details }: ServiceError) =>
        code === 'unavailable' && /may not be written by this user/.test(details.diagnosis ?? ''),
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(dirname(path), 0o755);
  }
});

function startWriter(path: string, name: string, changes: number) {
  const script = ['--input-type=module', '--eval', WRITER, path, name, `${changes}`];
  return spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] });
}
