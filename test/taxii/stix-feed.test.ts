// The feed of a service with the example logs and a partner's reports, checked against the schemas and rules of STIX 2.1.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { addressData } from '../support/address-data.ts';
import { ROOT, tis } from '../support/command-line.ts';
import { send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';
import { judgeFeed, STIX_TYPES } from '../support/stix-feed.ts';
import { TAXII_MEDIA_TYPE, TaxiiClient } from '../support/taxii-client.ts';

const EXAMPLES = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
  .map(({ name }) => join(ROOT, 'examples', name));
const REPORTS = '/taxii2/collections/d1f3a8c2-5b07-4e96-a4cd-2f8e60b917d3/objects/';
const TLP_1_AMBER = 'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82';

let service: RunningService;

before(async () => {
  const settings = {
    ...addressData(),
    TIS_GALAXY: join(ROOT, 'examples/galaxies'),
    TIS_TAXII_TLP1: 'on',
  };
  service = await RunningService.start(settings);
  const taken = await tis(['ingest', '--data-dir', service.dataDir, ...EXAMPLES], { env: settings });
  assert.deepEqual([taken.code, taken.stderr], [0, '']);
  await report();
  await changeMinds();
});
after(() => service.dispose());

/** A partner's objects, and its sighting of an indicator of the service. */
async function report(): Promise<void> {
  const credential = await service.key({
    name: "Partner's desk",
    scopes: ['feed:write', 'indicators:read'],
    tlpCeiling: 'RED',
  });
  const now = new Date().toISOString();
  const object = (type: string, members: object) => ({
    type,
    spec_version: '2.1',
    id: `${type}--${randomUUID()}`,
    created: now,
    modified: now,
    ...members,
  });
  const pattern = (pattern: string, members: object = {}) =>
    object('indicator', { pattern, pattern_type: 'stix', valid_from: now, ...members });
  const ours = await service.as(credential).find('198.51.100.23');
  const sent = pattern("[domain-name:value = 'partner.example' OR ipv4-addr:value = '203.0.113.240']", {
    labels: ['a:b', 'x_y', ''],
    confidence: 1,
  });
  const objects = [
    sent,
    pattern("[url:value = 'http://partner.example/\\'\\\\']", { object_marking_refs: [TLP_1_AMBER] }),
    pattern(`[file:hashes.'SHA-256' = '${'0f'.repeat(32)}']`, { confidence: 100 }),
    object('sighting', { sighting_of_ref: sent.id, count: 999_999_999 }),
    object('sighting', { sighting_of_ref: `indicator--${ours?.id}`, last_seen: now }),
  ];
  const answer = await send(service.url + REPORTS, {
    method: 'POST',
    credential,
    body: { objects },
    headers: { accept: TAXII_MEDIA_TYPE, 'content-type': TAXII_MEDIA_TYPE },
  });
  const status = answer.expect<{ success_count: number }>(202);
  assert.equal(status.success_count, objects.length, answer.text);
  await service.settled();
}

/** Later versions: a raised marking, a verification, and more occurrences than STIX can count. */
async function changeMinds(): Promise<void> {
  const sensor = service.as(await service.key({ sensor: true, tlpCeiling: 'RED' }));
  const values = ['198.51.100.30', '198.51.100.31'];
  const { results } = await sensor.ingest(values.map((value) => anEvent({ value, count: '4000000000' })));
  await service.settled();
  const [raised = '', verified = ''] = results.map(({ indicatorId }) => indicatorId);
  await sensor.ingest([anEvent({ value: values[0] ?? '', tlp: 'TLP_MARKING_RED' })]);
  await service.as(service.token('indicators:read indicators:verify')).verify(verified, { note: 'seen' });
  await service.settled();
  const { tlp } = await service.as(await service.key({ tlpCeiling: 'RED' })).get(raised);
  assert.equal(tlp, 'TLP_MARKING_RED');
}

for (const tlpCeiling of ['RED', 'GREEN'] as const) {
  test(`every object that a reader cleared up to ${tlpCeiling} gets`, async (t) => {
    const reader = new TaxiiClient(() => service.url, await service.key({ tlpCeiling }));
    const { items } = await reader.objects({ 'match[version]': 'all', limit: 100 });
    const { faults, counts } = judgeFeed(items);
    t.diagnostic(`objects: ${JSON.stringify(counts)}`);
    assert.deepEqual(faults, []);
    assert.deepEqual(Object.keys(counts), STIX_TYPES);
  });
}
