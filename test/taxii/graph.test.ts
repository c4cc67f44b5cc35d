// Objects about an indicator in the feed: complete, with references to earlier objects only, under its marking.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { tis } from '../support/command-line.ts';
import type { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo } from '../support/sensor-events.ts';
import { stixFaults } from '../support/stix-rules.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import type { StixObject, WireEvent } from '../support/wire.ts';

let service: RunningService;
let all: TaxiiClient;
let low: TaxiiClient;
let sensor: RestClient;

before(async () => {
  service = await RunningService.start();
  all = new TaxiiClient(() => service.url, await service.key({ tlpCeiling: 'RED' }));
  low = new TaxiiClient(() => service.url, await service.key({ tlpCeiling: 'GREEN' }));
  sensor = service.as(await service.key({ sensor: true, tlpCeiling: 'RED' }));
});
after(() => service.dispose());

async function take(...batch: readonly WireEvent[]): Promise<string> {
  const { results } = await sensor.ingest(batch);
  await service.settled();
  return `indicator--${results[0]?.indicatorId}`;
}

/** The newest objects about an indicator, itself included. */
async function about(client: TaxiiClient, stixId: string): Promise<readonly StixObject[]> {
  const { items } = await client.objects();
  return items.filter((one) => [one.id, one.source_ref, one.sighting_of_ref].includes(stixId));
}

test('a write to a controller: indicator, its sighting, its techniques, and what they refer to', async () => {
  const source = { id: 'plant-7', name: 'Plant 7' };
  const stixId = await take(anEvent({ source }), anEvent({ source, value: '198.51.100.77' }));
  const objects = await about(all, stixId);
  const byId = new Map((await all.objects()).items.map((object) => [object.id, object]));
  const [sighting] = objects.filter(({ type }) => type === 'sighting');
  const sources = (sighting?.where_sighted_refs ?? []) as readonly string[];
  assert.deepEqual(
    [sources.map((id) => byId.get(id)?.name), sighting?.count],
    [['Plant 7 (claimed by key test)'], 1],
  );
  const relations = objects.filter(({ type }) => type === 'relationship');
  assert.ok(relations.length > 0);
  for (const { relationship_type, target_ref } of relations) {
    const target = byId.get(String(target_ref));
    assert.deepEqual([relationship_type, target?.type], ['indicates', 'attack-pattern']);
    const references = (target?.external_references ?? []) as readonly Record<string, string>[];
    assert.deepEqual(
      references.map(({ source_name }) => source_name),
      ['mitre-attack'],
    );
    assert.match(references[0]?.external_id ?? '', /^T\d{4}/);
  }
});

test('repeats make no new sighting until the count has doubled', async () => {
  const value = '198.51.100.78';
  const stixId = await take(anEvent({ value }));
  const counts = async () => {
    const { items } = await all.objects({ 'match[version]': 'all', 'match[type]': 'sighting' });
    return items.filter((one) => one.sighting_of_ref === stixId).map(({ count }) => count);
  };
  for (let event = 1; event < 9; event++) await take(anEvent({ value }));
  assert.deepEqual(await counts(), [1, 2, 4, 8]);
  await take(anEvent({ value, observedAt: daysAgo(3) }));
  assert.deepEqual(await counts(), [1, 2, 4, 8, 1]);
});

test('a report with a stricter marking changes nothing for those below it', async () => {
  const value = '198.51.100.80';
  const stixId = await take(anEvent({ value, source: { id: 'calm', name: 'Calm' } }));
  const before_ = await about(low, stixId);
  await take(anEvent({ value, tlp: 'TLP_MARKING_RED', source: { id: 'hush', name: 'Hush' } }));
  assert.deepEqual(await about(low, stixId), before_);
  const seen = (await about(all, stixId)).filter(({ type }) => type === 'sighting');
  assert.equal(new Set(seen.map(({ where_sighted_refs: refs }) => JSON.stringify(refs))).size, 2);
});

test('a marking that the operator raises hides everything about an indicator but its revoked version', async () => {
  const value = '198.51.100.79';
  const source = { id: 'hush', name: 'Hush' };
  const stixId = await take(anEvent({ value, source }));
  const before_ = await about(low, stixId);
  assert.deepEqual(
    new Set(before_.map(({ type }) => type)),
    new Set(['indicator', 'relationship', 'sighting']),
  );
  const { code } = await tis(['indicators', 'mark', value, '--tlp', 'RED', '--data-dir', service.dataDir]);
  assert.equal(code, 0);
  const { items } = await low.objects({ 'match[version]': 'all' });
  const left = items.filter((object) => JSON.stringify(object).includes(stixId));
  assert.deepEqual(
    left.map(({ id, revoked }) => [id, revoked]),
    [[stixId, true]],
  );
  const newest = await about(all, stixId);
  assert.ok(newest.some(({ type, revoked }) => type === 'indicator' && revoked !== true));
  for (const object of newest.filter(({ revoked }) => revoked !== true)) {
    assert.deepEqual(object.object_marking_refs, [
      'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1',
    ]);
  }
});

test('a source that only RED indicators name is known to nobody below', async () => {
  await take(anEvent({ tlp: 'TLP_MARKING_RED', source: { id: 'secret', name: 'Secret source' } }));
  const names = async (client: TaxiiClient) => {
    const { items } = await client.objects({ 'match[version]': 'all', 'match[type]': 'identity' });
    return items.filter(({ name }) => name === 'Secret source (claimed by key test)').length;
  };
  assert.deepEqual([await names(low), await names(all)], [0, 1]);
  await take(anEvent({ source: { id: 'secret', name: 'Secret source' } }));
  assert.deepEqual([await names(low), await names(all)], [1, 2]);
});

test('in the order of publication every reference points backwards, for every reader', async () => {
  for (const client of [all, low]) {
    const { items } = await client.objects({ 'match[version]': 'all', limit: 50 });
    const earlier = new Set<string>();
    for (const object of items) {
      assert.deepEqual(stixFaults(object, earlier), []);
      earlier.add(object.id);
    }
    assert.ok(items.length > 20);
  }
});
