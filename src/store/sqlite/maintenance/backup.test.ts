// Backups of a store in use, and what a restore accepts and refuses.

import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { EVERYBODY } from '../../../domain/audience.ts';
import type { ServiceError } from '../../../domain/errors.ts';
import { HOUR } from '../../../domain/instant.ts';
import { idOf, keyOf, NOW } from '../../contract/fixtures.ts';
import { aUse } from '../../contract/rule.ts';
import type { Stores } from '../../stores.ts';
import { dataFiles } from '../files.ts';
import { openSqliteStores } from '../open.ts';
import { openSqliteUsage } from '../usage/open-usage.ts';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';

const clock = () => NOW;
const NOT_A_BACKUP = (error: ServiceError) => error.details.reason === 'NOT_A_BACKUP';

let folder: string;
let dataDir: string;
let stores: Stores;

function queue(...names: string[]): Promise<void> {
  return stores.write((tx) =>
    tx.enqueue(
      names.map((name) => keyOf(idOf(name))),
      NOW,
    ),
  );
}

/** The number of pending jobs in a restored store. */
async function restored(dir: string): Promise<number> {
  const copy = await openSqliteStores(dataFiles(dir), clock);
  const { pending } = await copy.jobs.counts();
  await copy.close();
  return pending;
}

describe('backups and restores', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tis-backup-'));
    dataDir = join(folder, 'data');
    stores = await openSqliteStores(dataFiles(dataDir), clock);
  });
  afterEach(async () => {
    await stores.close();
    rmSync(folder, { recursive: true });
  });

  test('what was acknowledged before is in it, with the installation and the metered use', async () => {
    const usage = await openSqliteUsage(dataFiles(dataDir));
    await usage.record([aUse({ account: 'a', credential: 'k', searches: 3, returned: 30 })], false);
    await queue('a', 'b');
    const to = join(folder, 'backup');
    const manifest = await backUp(dataDir, to, clock);
    await queue('c');
    assert.deepEqual(
      manifest.files.map(({ name }) => name),
      ['tis.db', 'usage.db'],
    );
    assert.equal(manifest.createdAt, new Date(NOW).toISOString());
    assert.deepEqual(
      readdirSync(to).sort(),
      ['backup.json', 'tis.db', 'usage.db'],
      'and nothing beside them',
    );

    const there = join(folder, 'elsewhere', 'data');
    await restore(to, there);
    const copy = await openSqliteStores(dataFiles(there), clock);
    const copiedUsage = await openSqliteUsage(dataFiles(there));
    try {
      assert.deepEqual(copy.installation, stores.installation);
      assert.equal((await copy.jobs.counts()).pending, 2);
      const window = { start: NOW - HOUR, end: NOW + HOUR };
      const [total] = await copiedUsage.report({ account: 'a', bucket: 'DAY', window }, 10);
      assert.equal(total?.searches, 3);
    } finally {
      await copy.close();
      await copiedUsage.close();
      await usage.close();
    }
  });

  test('a store that is written all the time is backed up as of one instant', {
    timeout: 60_000,
  }, async () => {
    // The store is so large that the copy takes several steps, with changes between them.
    await stores.write((tx) =>
      tx.append(
        Array.from({ length: 20_000 }, (_, index) => ({
          id: `note--${idOf(String(index))}`,
          type: 'note',
          version: '2026-01-01T00:00:00.000Z',
          modified: NOW,
          audience: EVERYBODY,
          object: `"${'x'.repeat(2_000)}"`,
        })),
        NOW,
      ),
    );
    let writing = true;
    let written = 0;
    const writer = (async () => {
      while (writing) await queue(`w${written++}`, `v${written}`);
    })();
    const steps: number[] = [];
    const before = written;
    try {
      await backUp(dataDir, join(folder, 'backup'), clock, (share) => void steps.push(share));
    } finally {
      writing = false;
      await writer;
    }
    assert.ok(steps.length > 2 && steps.at(-1) === 1);
    assert.deepEqual(steps.toSorted(), steps, 'it never began again');
    assert.ok(written > before);
    await restore(join(folder, 'backup'), join(folder, 'there'));
    const pending = await restored(join(folder, 'there'));
    assert.equal(pending % 2, 0, 'changes are in it whole');
    assert.ok(pending / 2 <= written);
  });

  test('what a worker held when the backup was made waits for nobody after a restore', async () => {
    await queue('a', 'b');
    await stores.write((tx) => tx.claim(1, HOUR, NOW));
    await queue('a', 'b');
    await backUp(dataDir, join(folder, 'backup'), clock);
    await restore(join(folder, 'backup'), join(folder, 'there'));
    const copy = await openSqliteStores(dataFiles(join(folder, 'there')), clock);
    try {
      const jobs = await copy.write((tx) => tx.claim(10, HOUR, NOW));
      assert.equal(jobs.length, 2);
      await copy.write((tx) => tx.complete(jobs));
      assert.equal((await copy.jobs.counts()).pending, 0);
    } finally {
      await copy.close();
    }
  });

  test('a backup belongs to its owner alone', async () => {
    const to = join(folder, 'backup');
    await backUp(dataDir, to, clock);
    assert.equal(statSync(to).mode & 0o777, 0o700);
    for (const name of readdirSync(to)) assert.equal(statSync(join(to, name)).mode & 0o777, 0o600, name);
  });

  test('no backup of what is not there, or into what is there already', async () => {
    await assert.rejects(backUp(join(folder, 'nowhere'), join(folder, 'b'), clock), {
      details: { reason: 'NO_STORE' },
    });
    const full = join(folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'letter'), 'dear');
    await assert.rejects(backUp(dataDir, full, clock), {
      code: 'failed_precondition',
      message: `${full} is not empty`,
    });
    assert.equal(readFileSync(join(full, 'letter'), 'utf8'), 'dear');
    await assert.rejects(backUp(dataDir, join(full, 'letter'), clock), {
      details: { reason: 'NOT_A_FOLDER' },
    });
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    chmodSync(empty, 0o755);
    await backUp(dataDir, empty, clock);
  });

  test('no backup without a file that the store had', async () => {
    await (await openSqliteUsage(dataFiles(dataDir))).close();
    const to = join(folder, 'backup');
    await backUp(dataDir, to, clock);
    const lost = (error: ServiceError) => error.details.reason === 'STORE_DAMAGED';
    for (const name of ['usage.db', 'tis.db']) {
      const copy = join(folder, `without ${name}`);
      cpSync(to, copy, { recursive: true });
      writeFileSync(join(copy, name), '');
      await assert.rejects(backUp(copy, join(folder, 'next'), clock), lost, name);
      assert.equal(existsSync(join(folder, 'next')), false);
    }
  });

  test('a restore refuses a folder with anything in it', async () => {
    const to = join(folder, 'backup');
    await backUp(dataDir, to, clock);
    await assert.rejects(restore(to, dataDir), {
      code: 'failed_precondition',
      message: `${dataDir} is not empty`,
    });
  });

  test('a restore refuses a damaged backup, and leaves nothing behind', async () => {
    await queue('a');
    const to = join(folder, 'backup');
    const there = join(folder, 'there');
    await backUp(dataDir, to, clock);
    const path = join(to, 'tis.db');
    const whole = readFileSync(path);
    const flipped = Buffer.from(whole);
    flipped[5_000] = (flipped[5_000] ?? 0) ^ 1;
    for (const bytes of [flipped, whole.subarray(0, 8_192), Buffer.alloc(0)]) {
      writeFileSync(path, bytes);
      await assert.rejects(restore(to, there), NOT_A_BACKUP);
      assert.deepEqual(readdirSync(folder).sort(), ['backup', 'data']);
    }
    rmSync(path);
    mkdirSync(there);
    await assert.rejects(restore(to, there), { code: 'unavailable' });
    assert.deepEqual(readdirSync(there), []);
    writeFileSync(path, whole);
    await restore(to, there);
    assert.equal(await restored(there), 1);
  });

  test('a restore refuses a backup of a schema that this program does not know', async () => {
    await queue('a');
    for (const [version, reason] of [
      [9, 'STORE_TOO_OLD'],
      [99, 'STORE_TOO_NEW'],
    ] as const) {
      const database = new DatabaseSync(dataFiles(dataDir).store);
      database.exec(`pragma user_version = ${version}`);
      database.close();
      const to = join(folder, `backup-${version}`);
      await backUp(dataDir, to, clock);
      await assert.rejects(restore(to, join(folder, 'there')), {
        code: 'failed_precondition',
        details: { reason },
      });
      assert.equal(existsSync(join(folder, 'there')), false);
    }
  });

  test('a restore takes nothing that is not a backup, and no file that does not belong to a store', async () => {
    const to = join(folder, 'backup');
    mkdirSync(to);
    const attempt = () => restore(to, join(folder, 'there'));
    await assert.rejects(attempt(), NOT_A_BACKUP);
    for (const text of [
      '',
      '{}',
      '[]',
      '{"format":2,"files":[{"name":"tis.db"}]}',
      '{"format":1,"files":[]}',
    ]) {
      writeFileSync(join(to, 'backup.json'), text);
      await assert.rejects(attempt(), NOT_A_BACKUP, text);
    }
    writeFileSync(join(folder, 'secret'), 'secret');
    writeFileSync(
      join(to, 'backup.json'),
      '{"format":1,"files":[{"name":"../secret","bytes":6,"sha256":""}]}',
    );
    await assert.rejects(attempt(), /names a file that does not belong to a store/);
  });
});
