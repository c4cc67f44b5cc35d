// The SQLite driver keeps the contract of metered use, and a change that fails leaves nothing.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { NOW } from '../../contract/fixtures.ts';
import { aUse, type OpenedUsage } from '../../contract/usage-rule.ts';
import { describeUsageContract } from '../../contract/usage-suite.ts';
import type { UsageStore } from '../../usage.ts';
import { dataFiles, listDataFiles } from '../files.ts';
import { openSqliteUsage, openSqliteUsageReader } from './open-usage.ts';

describeUsageContract('SQLite', open);

async function open(): Promise<OpenedUsage & { readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tis-usage-'));
  const path = dataFiles(folder).usage;
  const openers: UsageStore[] = [];
  const another = async () => {
    const usage = await openSqliteUsage(path);
    openers.push(usage);
    return usage;
  };
  return {
    path,
    usage: await another(),
    another,
    dispose: async () => {
      await Promise.allSettled(openers.map((usage) => usage.close()));
      rmSync(folder, { recursive: true });
    },
  };
}

const UNAVAILABLE = { name: 'ServiceError', code: 'unavailable' };

test('use of which a part can not be written is not counted at all; the next is', async () => {
  const { usage, path, dispose } = await open();
  const other = new DatabaseSync(path);
  // The event is written last, after the sums.
  other.exec(`create trigger refuse before insert on usage_event begin select raise(abort, 'refused'); end`);
  await assert.rejects(usage.record([aUse()], true), { name: 'ServiceError' });
  other.exec('drop trigger refuse');
  other.close();
  await usage.record([aUse()], true);
  const totals = await usage.report({ account: 'default', bucket: 'HOUR', window: {} }, 10);
  assert.equal(totals[0]?.searches, 1);
  assert.deepEqual(await usage.outbox(), { events: 1, searches: 1, oldestAt: NOW });
  await dispose();
});

test('a reader sees what is recorded after it opened, and needs a file', async () => {
  const { usage, path, dispose } = await open();
  const reader = await openSqliteUsageReader(path);
  await usage.record([aUse()], false);
  assert.equal((await reader.report({ account: 'default', bucket: 'DAY', window: {} }, 10)).length, 1);
  await reader.close();
  await assert.rejects(openSqliteUsageReader(`${path}.missing`), UNAVAILABLE);
  await dispose();
});

test('the files of a data folder are those that the openers make', async () => {
  const { path, dispose } = await open();
  const folder = join(path, '..');
  assert.deepEqual(
    listDataFiles(folder).map((file) => file.slice(folder.length + 1)),
    ['tis.db', 'usage.db'],
  );
  assert.ok(readdirSync(folder).includes('usage.db'));
  await dispose();
});
