// Commands that change the feed, run beside a service: `tis indicators revoke`, `tis compact` and `tis prune`.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY } from '../../src/domain/instant.ts';
import { type Finished, tis } from '../support/command-line.ts';
import type { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo } from '../support/sensor-events.ts';
import { judgeFeed } from '../support/stix-feed.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import type { StixObject } from '../support/wire.ts';

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
  const reader = service.as(await service.key());
  assert.equal(await reader.find(value), undefined, 'searches leave it out');
  assert.equal((await reader.get(id)).labels.find(({ key }) => key === 'withdrawn')?.value, revokedAt);

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

test('tis prune: the feed says once that an indicator went stale; a new report brings all of it back', async () => {
  const seen: StixObject[] = [];
  let last = '';
  const poll = async () => {
    const since = last === '' ? {} : { added_after: last };
    const walk = await client.objects({ 'match[version]': 'all', ...since });
    seen.push(...walk.items);
    if (walk.last !== '') last = walk.last;
    return walk.items;
  };
  const data = ['--data-dir', service.dataDir];
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await tis([...words, ...data, '--json']);
    assert.deepEqual([code, stderr], [0, ''], words.join(' '));
    return stdout === '' ? undefined : JSON.parse(stdout);
  };
  const [value, confirmed] = ['198.51.100.20', '198.51.100.21'];
  const old = daysAgo(300);
  const { results } = await sensor.ingest([
    anEvent({ value, observedAt: old, tags: ['of old'] }),
    anEvent({ value: confirmed, observedAt: old }),
    anEvent({ value: '198.51.100.22' }),
  ]);
  const [id = '', confirmedId = ''] = results.map(({ indicatorId }) => indicatorId);
  await service.settled();
  const person = service.as(service.token('indicators:read indicators:verify'));
  await person.send(`/v1/indicators/${confirmedId}:verify`, { method: 'POST', body: {} });
  await poll();
  const reader = service.as(await service.key());
  const before = await reader.get(id);

  const planned = await run('prune', '--stale-days', '90', '--dry-run');
  assert.deepEqual(planned, {
    toArchive: 1,
    staleDays: 90,
    indicators: [{ id, type: 'IPV4', value, validUntil: new Date(before.validUntil ?? '').toISOString() }],
  });
  assert.equal((await reader.get(id)).value, value);
  const pruned = await run('prune', '--stale-days', '90');
  assert.deepEqual(pruned, { archived: 1, leftFeed: 0, staleDays: 90 });
  const [ended, ...others] = await poll();
  assert.deepEqual([ended?.id, ended?.revoked, others.length], [`indicator--${id}`, undefined, 0]);
  assert.equal(Object.values(ended?.extensions as Record<string, { archived?: boolean }>)[0]?.archived, true);
  assert.ok(String(ended?.valid_until) < new Date().toISOString());
  assert.equal(await reader.find(value), undefined);
  assert.equal((await reader.get(confirmedId)).state, 'INDICATOR_STATE_VERIFIED');
  const left = (await client.objects()).items.filter(({ sighting_of_ref }) => sighting_of_ref === ended?.id);
  assert.deepEqual(left, []);
  assert.equal((await run('archive', value)).indicator.id, id);
  const { ok, archived } = await run('check');
  assert.deepEqual([ok, archived], [true, 1]);

  await sensor.ingest([anEvent({ value, tags: ['again'] })]);
  await service.settled();
  const back = await poll();
  const ofType = (type: string) => back.filter((object) => object.type === type);
  assert.deepEqual(
    ofType('indicator').map((object) => [object.id, object.created]),
    [[ended?.id, ended?.created]],
  );
  assert.equal(ofType('sighting').length, 2);
  assert.ok(ofType('relationship').length > 0);
  const after = await reader.get(id);
  assert.deepEqual(
    [after.createdAt, after.tags, after.sightings.length],
    [before.createdAt, ['again', 'of old'], 2],
  );
  assert.equal(await run('archive'), undefined);
  // Compaction has deleted versions to which objects of other indicators refer.
  const { faults } = judgeFeed(seen);
  assert.deepEqual(
    faults.filter((fault) => fault.includes(id)),
    [],
  );
  const versions = seen.map((object) => `${object.id} ${object.modified ?? object.created}`);
  assert.equal(new Set(versions).size, versions.length, 'no version twice');

  const wrong = await tis(['prune', '--stale-days', '0', ...data]);
  assert.equal(wrong.stderr, 'tis: --stale-days: "0" is not a whole number from 1 to 36500\n');
});
