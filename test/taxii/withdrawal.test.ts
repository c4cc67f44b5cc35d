// Commands that change the feed, run beside a service: `tis indicators revoke` and `tis compact`.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY } from '../../src/domain/instant.ts';
import { type Finished, tis } from '../support/command-line.ts';
import type { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';
import { judgeFeed } from '../support/stix-feed.ts';
import { TaxiiClient } from '../support/taxii-client.ts';

let service: RunningService;
let client: TaxiiClient;
let sensor: RestClient;

before(async () => {
  service = await RunningService.start();
  client = new TaxiiClient(() => service.url, await service.key());
  sensor = service.as(await service.key({ sensor: true }));
});
after(() => service.dispose());

test('tis indicators revoke: one last version that says so, and nothing after it', async () => {
  const value = '198.51.100.7';
  const { results } = await sensor.ingest([anEvent({ value })]);
  const id = results[0]?.indicatorId ?? '';
  await service.settled();
  const { last } = await client.objects();

  const words = [
    'indicators',
    'revoke',
    id,
    '--note',
    'our own scanner',
    '--data-dir',
    service.dataDir,
    '--json',
  ];
  const first = await tis(words);
  assert.deepEqual([first.code, first.stderr], [0, '']);
  const { revokedAt } = JSON.parse(first.stdout);
  const news = await client.objects({ added_after: last });
  const revoked = news.items.filter((one) => one.revoked === true).map(({ type }) => type);
  assert.deepEqual(new Set(revoked), new Set(['indicator', 'relationship']));
  assert.equal(news.items.find(({ type }) => type === 'indicator')?.id, `indicator--${id}`);
  assert.deepEqual(judgeFeed((await client.objects({ 'match[version]': 'all' })).items).faults, []);

  await sensor.ingest([anEvent({ value, tags: ['again'] })]);
  await service.settled();
  assert.deepEqual((await client.objects({ added_after: news.last })).items, []);
  const found = await service.as(await service.key()).find(value);
  assert.equal(found?.labels.find(({ key }) => key === 'withdrawn')?.value, revokedAt);

  // Once more, with the id of the feed object.
  const again = await tis(words.map((word) => (word === id ? `indicator--${id}` : word)));
  assert.deepEqual(JSON.parse(again.stdout), { id, revokedAt });
  const explained = await tis(['explain', value, '--data-dir', service.dataDir, '--json']);
  assert.equal(JSON.parse(explained.stdout).withdrawnAt, revokedAt);
  const unknown = await tis(['indicators', 'revoke', 'x', '--data-dir', service.dataDir]);
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'tis: no such indicator\n']);
});

test('tis compact: needs to be told how long versions are kept, and keeps what is young', async () => {
  const { items } = await client.objects({ 'match[version]': 'all' });
  const data = ['--data-dir', service.dataDir, '--json'];
  const untold = await tis(['compact', ...data]);
  assert.equal(untold.code, 2);
  assert.match(untold.stderr, /TIS_FEED_KEEP_DAYS/);
  const done = await tis(['compact', '--keep-days', '1', ...data]);
  assert.deepEqual(JSON.parse(done.stdout), { deleted: 0, keepDays: 1 });
  assert.deepEqual((await client.objects({ 'match[version]': 'all' })).items, items);
  const wrong = await tis(['compact', '--keep-days', '0', ...data]);
  assert.deepEqual(
    [wrong.code, wrong.stderr],
    [2, 'tis: --keep-days: "0" is not a whole number from 1 to 36500\n'],
  );
  const unset = await tis(['compact', ...data], { env: { TIS_FEED_KEEP_DAYS: '0' } });
  assert.match(unset.stderr, /^tis: TIS_FEED_KEEP_DAYS: /);
});

/** `tis compact` in a process whose clock stands still at an instant. */
function compactAt(instant: number, keepDays: number): Promise<Finished> {
  const clock = `Date.now=()=>${instant}`;
  return tis(['compact', '--keep-days', `${keepDays}`, '--data-dir', service.dataDir, '--json'], {
    nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(clock)}`],
  });
}

test('tis compact: versions that were superseded long ago are gone, the newest never is', async () => {
  const value = '198.51.100.8';
  let id = '';
  const report = async (tag: string) => {
    const { results } = await sensor.ingest([anEvent({ value, tags: [tag] })]);
    id = `indicator--${results[0]?.indicatorId}`;
    await service.settled();
  };
  const versions = async (match: string) => {
    const { items } = await client.manifest({ 'match[id]': id, 'match[version]': match });
    return items.map(({ version }) => version);
  };
  await report('first');
  await report('second');
  const { length: early } = await versions('all');
  await report('third');
  const { items } = await client.manifest({ 'match[id]': id, 'match[version]': 'all' });
  const all = items.map(({ version }) => version);
  const newest = all.at(-1) ?? '';
  assert.ok(early >= 2 && all.length > early);
  assert.deepEqual([await versions('first'), await versions('last')], [all.slice(0, 1), [newest]]);
  const { items: live } = await client.objects();

  // One day after the third report, the version that it superseded is kept, and older ones are deleted.
  const thirdAt = Date.parse(items[early]?.date_added ?? '');
  assert.ok(Date.parse(items[early - 1]?.date_added ?? '') < thirdAt);
  const some = JSON.parse((await compactAt(thirdAt + DAY, 1)).stdout);
  assert.ok(some.deleted > 0);
  const left = all.slice(early - 1);
  assert.deepEqual(await versions('all'), left);
  assert.deepEqual([await versions('first'), await versions('last')], [left.slice(0, 1), [newest]]);
  assert.deepEqual(await versions(all.slice(0, early).join()), left.slice(0, 1));
  assert.deepEqual((await client.objects()).items, live);

  const rest = JSON.parse((await compactAt(thirdAt + 2 * DAY, 1)).stdout);
  assert.ok(rest.deleted > 0);
  for (const match of ['all', 'first', 'last', newest]) assert.deepEqual(await versions(match), [newest]);
  assert.deepEqual((await client.objects()).items, live);
  assert.deepEqual((await client.objects({ 'match[version]': 'all' })).items, live);
  assert.equal(JSON.parse((await compactAt(thirdAt + 2 * DAY, 1)).stdout).deleted, 0);
});
