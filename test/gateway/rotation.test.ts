// Reports of a key, of its successor and of all keys that it made count as one independent source.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { KeySpec } from '../../src/gateway/key-spec.ts';
import { tis } from '../support/command-line.ts';
import { type RestClient, send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';
import { TAXII_MEDIA_TYPE } from '../support/taxii-client.ts';

const REPORTS = '/taxii2/collections/d1f3a8c2-5b07-4e96-a4cd-2f8e60b917d3/objects/';

let service: RunningService;
let reader: RestClient;

before(async () => {
  service = await RunningService.start();
  reader = service.as(await service.key({ tlpCeiling: 'RED' }));
});
after(() => service.dispose());

/** A key and its successor after two rotations. */
async function rotated(spec: Partial<KeySpec>): Promise<{ readonly before: string; readonly after: string }> {
  const name = `line-${randomUUID()}`;
  const before = await service.key({ ...spec, name });
  let latest = { id: '', key: '' };
  for (let rotation = 0; rotation < 2; rotation++) {
    const { stdout } = await tis(['keys', 'list', '--json', '--data-dir', service.dataDir]);
    // Newest first.
    const keys: { readonly id: string; readonly name: string }[] = JSON.parse(stdout);
    const id = keys.find((key) => key.name === name)?.id ?? '';
    const rotate = await tis(['keys', 'rotate', id, '--json', '--data-dir', service.dataDir]);
    latest = JSON.parse(rotate.stdout);
  }
  return { before, after: latest.key };
}

async function scoreOf(value: string) {
  await service.settled();
  const found = await reader.find(value);
  return { confidence: found?.confidenceScore, sources: found?.sources.map(({ id }) => id) };
}

test('a sensor with a new key is the source that it was', async () => {
  const { before, after } = await rotated({ sensor: true });
  const value = '198.51.100.71';
  const event = anEvent({ value });
  await service.as(before).ingest([event]);
  const again = await service.as(after).ingest([event, anEvent({ value })]);
  assert.deepEqual([again.duplicateCount, again.acceptedCount], [1, 1]);
  const { confidence, sources } = await scoreOf(value);
  assert.equal(sources?.length, 1);
  // As a measure: two events of one key.
  const measure = '198.51.100.70';
  await service.as(after).ingest([anEvent({ value: measure }), anEvent({ value: measure })]);
  assert.equal(confidence, (await scoreOf(measure)).confidence);
});

test('what a partner reported before is known, whichever of its keys it comes with', async () => {
  const { before, after } = await rotated({ scopes: ['feed:write'] });
  const now = new Date().toISOString();
  const value = '198.51.100.72';
  const object = {
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--${randomUUID()}`,
    created: now,
    modified: now,
    valid_from: now,
    pattern: `[ipv4-addr:value = '${value}']`,
    pattern_type: 'stix',
  };
  const report = async (credential: string) => {
    const headers = { accept: TAXII_MEDIA_TYPE, 'content-type': TAXII_MEDIA_TYPE };
    const answer = await send(service.url + REPORTS, {
      method: 'POST',
      credential,
      headers,
      body: { objects: [object] },
    });
    return answer.expect<{ successes: { message?: string }[] }>(202).successes;
  };
  assert.equal((await report(before))[0]?.message, undefined);
  const first = await scoreOf(value);
  assert.match((await report(after))[0]?.message ?? '', /before/);
  assert.deepEqual(await scoreOf(value), first);
});

test('eight keys that one key made are no more credible than that key, and each keeps its own event ids', async () => {
  const manager = await service.key({ scopes: ['keys:manage', 'events:write'] });
  const made = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const body = { name: 'made', sensor: true };
      const answer = await service.as(manager).send('/v1/apiKeys', { method: 'POST', body });
      return answer.expect<{ plaintext: string }>(200).plaintext;
    }),
  );
  const operators = await Promise.all(made.map(() => service.key({ sensor: true })));
  const [byOne, byMade, byOperators] = ['198.51.100.81', '198.51.100.82', '198.51.100.83'];
  const event = (value: string) => anEvent({ value, sensorId: 'plant-7', eventId: 'shared' });
  for (const [index, key] of made.entries()) {
    await service.as(manager).ingest([anEvent({ value: byOne, sensorId: 'plant-7' })]);
    const { acceptedCount } = await service.as(key).ingest([event(byMade)]);
    assert.equal(acceptedCount, 1);
    await service.as(operators[index]).ingest([event(byOperators)]);
  }
  const [one, several, independent] = [
    await scoreOf(byOne),
    await scoreOf(byMade),
    await scoreOf(byOperators),
  ];
  assert.equal(several.sources?.length, 8);
  assert.equal(several.confidence, one.confidence);
  assert.ok((independent.confidence ?? 0) > (several.confidence ?? 100));
  const found = await reader.find(byMade);
  assert.equal((await reader.explain(found?.id ?? '')).groups.length, 1);
});
