// What a reporter can add to an indicator: sources of its own, never those of others, and only so many. However much it
// reports, the reports of others stay.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { recompute } from '../../src/domain/score/confidence.ts';
import type { ScoreReceipt } from '../../src/domain/score/score-receipt.ts';
import { ROOT } from '../support/command-line.ts';
import type { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo } from '../support/sensor-events.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import type { IngestReply, WireEvent, WireIndicator } from '../support/wire.ts';

/** The bounds of one event in the contract. */
const MOST_TAGS = 50;

let service: RunningService;
let partner: RestClient;
let sensor: RestClient;
let reader: RestClient;

before(async () => {
  service = await RunningService.start({ TIS_GALAXY: join(ROOT, 'examples/galaxies') });
  partner = service.as(await service.key({ name: 'partner', scopes: ['events:write'] }));
  sensor = service.as(await service.key({ name: 'pump house', sensor: true }));
  reader = service.as(await service.key());
});
after(() => service.dispose());

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);
}

function labelsOf(keys: readonly string[]): NonNullable<WireEvent['labels']> {
  return keys.map((key) => ({ key, value: 'x' }));
}

/** Reports more tags, labels and sources than the store keeps. */
function flood(value: string): readonly WireEvent[] {
  const tags = names('junk', 4 * MOST_TAGS);
  return names('source', 300).map((id, index) => {
    const some = tags.slice(index * MOST_TAGS, (index + 1) * MOST_TAGS);
    return anEvent({
      value,
      eventId: `flood-${value}-${id}`,
      source: { id, reliability: 0.1 },
      tags: some,
      labels: labelsOf(some),
    });
  });
}

function assertAccepted({ results }: IngestReply): void {
  for (const { status, reason } of results) assert.deepEqual([status, reason], ['ACCEPTED', '']);
}

/** The indicator without the fields that follow from its value. */
function comparable(indicator: WireIndicator): object {
  const { id: _, value: __, createdAt: ___, updatedAt: ____, enrichment: _____, ...rest } = indicator;
  return rest;
}

test('a sensor is heard after a partner has said all there is room for', async () => {
  const value = '203.0.113.77';
  assertAccepted(await partner.ingest(flood(value)));
  const seen = anEvent({
    value,
    observedAt: daysAgo(-0.25),
    count: 5,
    severity: 'SEVERITY_CRITICAL',
    tlp: 'TLP_MARKING_AMBER',
    tags: ['pump-stopped'],
    labels: labelsOf(['site']),
    evidence: { 's7.function_code': '0x29' },
  });
  const answer = await sensor.ingest([seen]);
  assertAccepted(answer);
  await service.settled();

  const id = answer.results[0]?.indicatorId ?? '';
  const indicator = await reader.get(id);
  assert.equal(indicator.severity, 'SEVERITY_CRITICAL');
  assert.equal(indicator.tlp, 'TLP_MARKING_AMBER');
  assert.equal(indicator.lastSeen, seen.observedAt);
  assert.ok(indicator.labels.some(({ key, value: intent }) => key === 'intent' && intent === 'control'));
  assert.deepEqual(
    indicator.tags,
    [...names('junk', 50), 'pump-stopped'],
    'the first half of the places, and one of the other half',
  );
  assert.ok(indicator.labels.some(({ key }) => key === 'site'));
  assert.equal(indicator.sources.length, 66, '64 of the partner, his others, and the sensor');
  assert.ok(indicator.sources.some(({ name }) => name === 'pump house'));
  assert.equal(
    indicator.sightings.reduce((sum, { count }) => sum + Number(count), 0),
    305,
  );

  const receipt = await reader.explain(id);
  assert.equal(receipt.groups.length, 2);
  assert.equal(receipt.score, indicator.confidenceScore);
  assert.equal(recompute(receipt as unknown as ScoreReceipt), receipt.score);
  const strongest = receipt.groups.map(({ reliability }) => reliability).sort();
  assert.deepEqual(strongest, [0.1, 0.9]);
});

test('junk tags and labels of several credentials do not keep the family of a malware out', async () => {
  const [value, labelled] = ['203.0.113.80', '203.0.113.81'] as const;
  for (const name of ['first', 'second', 'third']) {
    const client = service.as(await service.key({ name, scopes: ['events:write'] }));
    const junk = [names(`${name}-junk-a`, MOST_TAGS), names(`${name}-junk-b`, MOST_TAGS)];
    const sent = [value, labelled].flatMap((one) =>
      junk.map((words) => anEvent({ value: one, tags: words, labels: labelsOf(words) })),
    );
    assertAccepted(await client.ingest(sent));
  }
  const answer = await sensor.ingest([
    anEvent({ value, tags: ['Mirai'] }),
    anEvent({ value: labelled, labels: [{ key: 'malware', value: 'Mirai' }] }),
  ]);
  assertAccepted(answer);
  await service.settled();
  for (const { indicatorId } of answer.results) {
    const { enrichment, tags, labels } = await reader.get(indicatorId);
    assert.deepEqual(enrichment?.malwareFamilies, ['Mirai']);
    assert.ok(tags.length <= 100 && labels.length <= 102);
  }
});

test('batches and repeats change nothing about what is kept', async () => {
  const [once, apart] = ['203.0.113.78', '203.0.113.79'] as const;
  const whole = await partner.ingest(flood(once));
  const pieces = flood(apart);
  let id = '';
  for (let at = 0; at < pieces.length; at += 70) {
    const piece = pieces.slice(at, at + 70);
    assertAccepted(await partner.ingest(piece));
    const again = await partner.ingest(piece);
    assert.equal(again.duplicateCount, piece.length);
    id = again.results[0]?.indicatorId ?? '';
  }
  await service.settled();
  const [one, other] = await Promise.all([reader.get(whole.results[0]?.indicatorId ?? ''), reader.get(id)]);
  assert.deepEqual(comparable(other), comparable(one));
});

/** The sources of an indicator by id, as readers see them. */
async function sourcesOf(value: string): Promise<Readonly<Record<string, readonly [string, number]>>> {
  await service.settled();
  const { sources = [] } = (await reader.find(value)) ?? {};
  return Object.fromEntries(sources.map(({ id, name, reliability }) => [id, [name, reliability]]));
}

test('a key that names the source of another, or an agency, says so itself and counts once', async () => {
  const [value, alone] = ['203.0.113.90', '203.0.113.91'] as const;
  const [victim, impostor] = [
    await service.issue({ name: 'north', sensor: true, reliability: 0.4 }),
    await service.issue({ name: 'CISA (reported by key north)', sensor: true, reliability: 0.5 }),
  ];
  const claims = [victim.key.id, 'north', 'CISA', 'ESET', 'a', 'b', 'c', 'd'];
  await service.as(victim.plaintext).ingest([anEvent({ value })]);
  const client = service.as(impostor.plaintext);
  const later = daysAgo(-0.25);
  const events = claims.map((id) =>
    anEvent({ value, observedAt: later, source: { id, name: `${id} (reported by key x)`, reliability: 1 } }),
  );
  assertAccepted(await client.ingest(events));
  // As a measure: as many events of the victim and the impostor, without any names.
  await service.as(victim.plaintext).ingest([anEvent({ value: alone })]);
  await client.ingest(claims.map(() => anEvent({ value: alone, observedAt: later })));

  const by = impostor.key.id;
  const claimed = claims.map((id): readonly [string, readonly [string, number]] => [
    `${by}#${id}`,
    [`${id} [reported by key x] (claimed by key CISA [reported by key north])`, 0.5],
  ]);
  assert.deepEqual(await sourcesOf(value), {
    [victim.key.id]: ['north', 0.4],
    ...Object.fromEntries(claimed),
  });
  assert.deepEqual(await sourcesOf(alone), {
    [victim.key.id]: ['north', 0.4],
    [by]: ['CISA [reported by key north]', 0.5],
  });
  const [found, measure] = [await reader.find(value), await reader.find(alone)];
  assert.equal(found?.confidenceScore, measure?.confidenceScore);
  const { groups } = await reader.explain(found?.id ?? '');
  assert.deepEqual(groups.map(({ group }) => group).sort(), [victim.key.id, by].sort());
  const filter = { sourceIds: [victim.key.id] };
  const { indicators } = await reader.search({ filter });
  assert.deepEqual(indicators.map((one) => one.value).sort(), [value, alone]);
});

test('what two aggregators report of one agency is two sources and counts as one', async () => {
  const value = '203.0.113.92';
  const [one, two] = [
    await service.issue({ name: 'soc', sensor: true, reliability: 0.5, sources: ['CISA', 'ESET'] }),
    await service.issue({ name: 'ops', scopes: ['events:write'], reliability: 0.4, sources: ['CISA', '*'] }),
  ];
  const report = (key: typeof one, ...ids: string[]) =>
    service
      .as(key.plaintext)
      .ingest(ids.map((id) => anEvent({ value, source: { id, name: `${id} feed`, reliability: 1 } })));
  assertAccepted(await report(one, 'CISA', 'ESET', 'FBI'));
  assertAccepted(await report(two, 'CISA', 'FBI'));
  assert.deepEqual(await sourcesOf(value), {
    [`${one.key.id}#CISA`]: ['CISA (reported by key soc)', 0.5],
    [`${one.key.id}#ESET`]: ['ESET (reported by key soc)', 0.5],
    [`${one.key.id}#FBI`]: ['FBI feed (claimed by key soc)', 0.5],
    [`${two.key.id}#CISA`]: ['CISA (reported by key ops)', 0.4],
    [`${two.key.id}#FBI`]: ['FBI feed (reported by key ops)', 0.4],
  });
  const { groups } = await reader.explain((await reader.find(value))?.id ?? '');
  const named = groups.map(({ group, sourceName }) => [group, sourceName]);
  assert.deepEqual(Object.fromEntries(named), {
    [one.key.id]: 'FBI feed (claimed by key soc)',
    [two.key.id]: 'FBI feed (reported by key ops)',
    'source:CISA': 'CISA (reported by key soc)',
    'source:ESET': 'ESET (reported by key soc)',
  });
  const feed = new TaxiiClient(() => service.url, await service.key());
  const { items } = await feed.objects({ 'match[type]': 'identity' });
  const identities = items.filter(({ name }) => String(name).startsWith('CISA ('));
  assert.deepEqual(identities.map(({ name }) => name).sort(), [
    'CISA (reported by key ops)',
    'CISA (reported by key soc)',
  ]);
  assert.equal(new Set(identities.map(({ id }) => id)).size, 2);
});

test('one event that says too much is malformed as before', async () => {
  for (const tags of [names('tag', MOST_TAGS + 1), names('tag', 1_000)]) {
    const body = { events: [anEvent({ tags })] };
    const { status } = await sensor.send('/v1/sensorEvents:ingest', { method: 'POST', body });
    assert.equal(status, 400);
  }
});
