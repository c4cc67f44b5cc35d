// Group commit on a full disk, a locked file or a broken store: which calls fail, and what is stored.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Connection } from './connection.ts';
import { GroupCommit } from './group-commit.ts';
import { OpenFile } from './open-file.ts';

const UNAVAILABLE = { name: 'ServiceError', code: 'unavailable', details: { reason: 'STORE_UNAVAILABLE' } };

let folder: string;
let connection: Connection;
let groups: GroupCommit;

describe('group commit', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tis-group-'));
    connection = new Connection(new OpenFile(join(folder, 'tis.db')), { readOnly: false });
    connection.database.exec('create table note (name text primary key, body blob)');
    groups = new GroupCommit(connection);
  });
  afterEach(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });

  test('a change for which the disk has no room is unavailable, and those beside it are told the truth', async () => {
    const pages = Number(connection.row('pragma page_count')?.[0]);
    connection.database.exec(`pragma max_page_count = ${pages + 8}`);
    const settled = await Promise.allSettled([note('before'), note('huge', 100_000), note('after')]);
    // SQLite rolls back the whole transaction, so the change before it fails too.
    assert.deepEqual(await outcome(settled), ['after']);
    for (const result of settled)
      if (result.status === 'rejected') await isUnavailable(Promise.reject(result.reason));
    await isUnavailable(note('alone', 100_000));
    assert.deepEqual(notes(), ['after']);
    connection.database.exec(`pragma max_page_count = ${pages + 100_000}`);
    await note('room again', 100_000);
    assert.deepEqual(notes(), ['after', 'room again']);
  });

  test('while another process holds the store, changes are unavailable; then they go on', async () => {
    connection.database.exec('pragma busy_timeout = 0');
    const other = new DatabaseSync(join(folder, 'tis.db'));
    other.exec('begin immediate');
    await Promise.all([isUnavailable(note('a')), isUnavailable(note('b'))]);
    other.exec('commit');
    other.close();
    await note('c');
    assert.deepEqual(notes(), ['c']);
  });

  test('when the transaction itself is lost, every change in it is refused, and the next one is not', async () => {
    const settled = await Promise.allSettled([
      note('before'),
      groups.write(async () => {
        connection.database.exec('rollback');
        throw new Error('the transaction is gone');
      }),
      note('after'),
    ]);
    assert.deepEqual(await outcome(settled), ['after']);
    await note('next');
    assert.deepEqual(notes(), ['after', 'next']);
  });

  test('a store that became read-only is unavailable; it goes on when it can be written again', async () => {
    await note('a');
    connection.database.exec('pragma query_only = on');
    await isUnavailable(note('b'));
    connection.database.exec('pragma query_only = off');
    await note('c');
    assert.deepEqual(notes(), ['a', 'c']);
  });

  test('after an fsync that failed nothing is acknowledged any more', async (t) => {
    await note('before');
    const { database } = connection;
    const exec = database.exec.bind(database);
    const failure = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1_034 });
    t.mock.method(database, 'exec', (sql: string) => {
      if (sql === 'commit') throw failure;
      exec(sql);
    });
    await Promise.all([isUnavailable(note('a')), isUnavailable(note('b'))]);
    t.mock.restoreAll();
    await isUnavailable(note('c'));
    assert.deepEqual(notes(), ['before']);
  });

  test('a thread that always has something to write still hears of everything else', async () => {
    let heard = false;
    // From here on this test runs right after a commit.
    await note('first');
    setImmediate(() => {
      heard = true;
    });
    for (let turn = 0; !heard && turn < 100; turn++) await note(`${turn}`);
    assert.ok(heard);
  });

  test('a statement that fails inside a change fails that change alone', async () => {
    const settled = await Promise.allSettled([note('a'), note('a'), note('b')]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(notes(), ['a', 'b']);
  });

  test('more changes than one group takes are all carried out, in order', async () => {
    const names = Array.from({ length: 700 }, (_, index) => `${index}`);
    await Promise.all(names.map((name) => note(name)));
    assert.deepEqual(notes(), names);
  });

  test('changes at once run in order, each seeing those before it, none seeing one that failed', async () => {
    const seen = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name, index) =>
        groups.write(async () => {
          const before = notes();
          // The works behind it wait.
          for (let turn = 3 - index; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
          connection.run('insert into note (name) values (?)', name);
          if (name === 'b') throw new Error(name);
          return before;
        }),
      ),
    );
    assert.deepEqual(
      seen.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
      [[], 'failed', ['a'], ['a', 'c']],
    );
  });
});

function note(name: string, size = 1): Promise<string> {
  return groups.write(async () => {
    connection.run('insert into note (name, body) values (?, zeroblob(?))', name, size);
    return name;
  });
}

function notes(): unknown[] {
  return connection.rows('select name from note order by rowid').map(([name]) => name);
}

function isUnavailable(change: Promise<unknown>): Promise<void> {
  return assert.rejects(change, (error: { name: string; code: string; details: { reason: string } }) => {
    const { name, code, details } = error;
    assert.deepEqual({ name, code, details: { reason: details.reason } }, UNAVAILABLE);
    return true;
  });
}

/** The names of the fulfilled changes. They must be the content of the file. */
async function outcome(settled: readonly PromiseSettledResult<unknown>[]): Promise<unknown[]> {
  const done = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  assert.deepEqual(notes(), done);
  return done;
}
