// The SQLite driver keeps the contract of metered use, and a change that fails leaves nothing.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { NOW } from '../../contract/fixtures.ts';
import { aUse } from '../../contract/rule.ts';
import { describeUsageContract } from '../../contract/suite.ts';
import { openTemporaryUsage } from '../../contract/temporary-store.test-support.ts';
import { dataFiles, listDataFiles } from '../files.ts';
import { openSqliteUsageReader } from './open-usage.ts';

describeUsageContract('SQLite', openTemporaryUsage);

const UNAVAILABLE = { name: 'ServiceError', code: 'unavailable' };

test('use of which a part can not be written is not counted at all; the next is', async () => {
  const { usage, address, dispose } = await openTemporaryUsage();
  const path = dataFiles(address).usage;
  const other = new DatabaseSync(path);
  // The event is written after the sums.
  other.exec(`create trigger refuse before insert on usage_event begin select raise(abort, 'refused'); end`);
  await assert.rejects(usage.record([aUse()], true), { name: 'ServiceError' });
  other.exec('drop trigger refuse');
  other.close();
  await usage.record([aUse()], true);
  const totals = await usage.report({ account: 'default', bucket: 'HOUR', window: {} }, 10);
  assert.equal(totals[0]?.searches, 1);
  assert.deepEqual(await usage.outbox(), { events: 1, searches: 1, lookups: 0, oldestAt: NOW });
  await dispose();
});

test('a reader sees what is recorded after it opened, and needs a file', async () => {
  const { usage, address, dispose } = await openTemporaryUsage();
  const files = dataFiles(address);
  const reader = await openSqliteUsageReader(files);
  await usage.record([aUse()], false);
  assert.equal((await reader.report({ account: 'default', bucket: 'DAY', window: {} }, 10)).length, 1);
  await reader.close();
  await assert.rejects(openSqliteUsageReader({ ...files, usage: `${files.usage}.missing` }), UNAVAILABLE);
  await dispose();
});

test('the files of a data folder are those that the openers make', async () => {
  const { address, dispose } = await openTemporaryUsage();
  assert.deepEqual(
    listDataFiles(address).map((file) => basename(file)),
    ['tis.db', 'usage.db'],
  );
  assert.ok(readdirSync(address).includes('usage.db'));
  await dispose();
});
