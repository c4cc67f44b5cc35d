// `tis usage` and `tis audit` as processes beside a running service.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tis } from '../support/command-line.ts';
import { RunningService } from '../support/running-service.ts';
import { until } from '../support/until.ts';

test('tis usage and tis audit print what happened, for people and for programs', async () => {
  const service = await RunningService.start();
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await tis([...words, '--data-dir', service.dataDir]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  try {
    const reader = service.as(await service.key({ name: 'siem' }));
    const plant = service.as(await service.key({ name: 'plc', account: 'plant-7' }));
    const started = Date.now();
    for (const client of [reader, reader, plant]) await client.search();

    const all = JSON.parse(await run('usage', '--json'));
    assert.equal(all.searchCount, 3);
    // One record per month, and the month may have changed during the test.
    const searches = new Map<string, number>();
    for (const { account, searchCount } of all.records) {
      searches.set(account, (searches.get(account) ?? 0) + searchCount);
    }
    assert.deepEqual([...searches].sort(), [
      ['default', 2],
      ['plant-7', 1],
    ]);
    const { keyId } = all.records.find(({ account }: { account: string }) => account === 'plant-7');
    const day = new Date(started).toISOString().slice(0, 10);
    const one = JSON.parse(await run('usage', '--bucket', 'day', '--from', day, '--key', keyId, '--json'));
    assert.equal(one.searchCount, 1);
    assert.equal(JSON.parse(await run('usage', '--account', 'plant-7', '--json')).searchCount, 1);
    assert.equal(JSON.parse(await run('usage', '--to', '2026-01-01', '--json')).searchCount, 0);
    assert.match(
      await run('usage'),
      /^from +to +account +key +searches +returned +lookups\n.*\n3 searches, 0 indicators returned, 0 lookups/s,
    );

    const [newest] = JSON.parse(await run('audit', '--limit', '1', '--json'));
    assert.deepEqual([newest.actor, newest.action, newest.detail.name], ['cli', 'key.create', 'plc']);
    assert.match(await run('audit'), /key\.create .* name=plc account=plant-7/);

    // The last use is stored some time after the search.
    const lastUses = await until('the last use of both keys', async () => {
      const keys: { lastUsedAt?: string }[] = JSON.parse(await run('keys', 'list', '--json'));
      const known = keys.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
      return known.length === 2 && known;
    });
    for (const lastUsedAt of lastUses) assert.ok(Date.parse(lastUsedAt) >= started, lastUsedAt);
  } finally {
    await service.dispose();
  }
});

test('a wrong flag of tis usage or tis audit ends with a line that says why', async () => {
  for (const words of [
    ['usage', '--from', 'yesterday'],
    ['usage', '--to', '2026-02-30'],
    ['usage', '--bucket', 'week'],
    ['audit', '--limit', '0'],
    ['audit', '--limit', 'all'],
  ]) {
    const { code, stdout, stderr } = await tis(words);
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.ok(stderr.includes(words.at(-1) ?? ''), stderr);
  }
});
