// What partners send becomes sensor events, object by object.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PatternTerm } from './pattern-reader.ts';
import { stixContext } from './stix-ids.ts';
import { readSubmission, type StixObject, type SubmittedObject } from './stix-submission.ts';

const INDICATOR_ID = 'indicator--0a6c7a4e-8d55-4f4b-9d3f-5a2b1c0d9e8f';
const KNOWN_ID = 'indicator--7b1f0c5a-2e8d-4a67-b3c9-1f2e3d4c5b6a';
const SIGHTING_ID = 'sighting--3c9d8e7f-6a5b-4c4d-8e3f-2a1b0c9d8e7f';
const TIME = '2026-03-01T12:00:00.000Z';
const GREEN = 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb';
const OLD_RED = 'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed';

const INDICATOR: StixObject = {
  type: 'indicator',
  spec_version: '2.1',
  id: INDICATOR_ID,
  created: TIME,
  modified: TIME,
  pattern: "[ipv4-addr:value = '192.0.2.1' OR domain-name:value = 'evil.example']",
  pattern_type: 'stix',
  valid_from: TIME,
};
const SIGHTING: StixObject = {
  type: 'sighting',
  spec_version: '2.1',
  id: SIGHTING_ID,
  created: TIME,
  modified: TIME,
  last_seen: '2026-03-01T11:00:00Z',
  count: 7,
  sighting_of_ref: INDICATOR_ID,
};

function read(...objects: readonly StixObject[]): Promise<readonly SubmittedObject[]> {
  return readSubmission(objects, {
    stix: stixContext(Buffer.alloc(32, 7)),
    source: { id: 'key', name: 'Partner', reliability: 0.8 },
    knownIndicator: async (id): Promise<PatternTerm | undefined> =>
      id === KNOWN_ID ? { type: 'EMAIL', value: 'mallory@evil.example' } : undefined,
  });
}

async function eventsOf(object: StixObject) {
  const [read_] = await read(object);
  assert.ok(read_ !== undefined && 'events' in read_);
  return read_.events;
}

async function failureOf(...objects: readonly StixObject[]): Promise<string> {
  const last = (await read(...objects)).at(-1);
  assert.ok(last !== undefined && 'failure' in last);
  return last.failure;
}

test('an indicator is an event for each value of its pattern', async () => {
  const events = await eventsOf({
    ...INDICATOR,
    labels: ['plc', 'plc', '', 'x'.repeat(101)],
    confidence: 50,
    object_marking_refs: [GREEN],
  });
  assert.deepEqual(
    events.map(({ eventId, indicatorType, value, count }) => [eventId, indicatorType, value, count]),
    [
      [`${INDICATOR_ID}/${Date.parse(TIME)}/0`, 'IPV4', '192.0.2.1', 1n],
      [`${INDICATOR_ID}/${Date.parse(TIME)}/1`, 'DOMAIN', 'evil.example', 1n],
    ],
  );
  for (const { observedAt, tags, tlp, source, sensorId } of events) {
    assert.equal(observedAt, Date.parse(TIME));
    assert.deepEqual([tags, tlp, sensorId], [['plc'], 'GREEN', '']);
    assert.deepEqual(source, { id: 'key', name: 'Partner', reliability: 0.4 });
  }
});

test('a sighting is of an indicator of the envelope, before or behind it, or of one known here', async () => {
  const [sighting] = await read(SIGHTING, INDICATOR);
  assert.ok(sighting !== undefined && 'events' in sighting);
  assert.deepEqual(
    sighting.events.map(({ eventId, value, count, observedAt }) => [eventId, value, count, observedAt]),
    [
      [`${SIGHTING_ID}/0`, '192.0.2.1', 7n, Date.parse('2026-03-01T11:00:00Z')],
      [`${SIGHTING_ID}/1`, 'evil.example', 7n, Date.parse('2026-03-01T11:00:00Z')],
    ],
  );
  const [event, ...others] = await eventsOf({ ...SIGHTING, sighting_of_ref: KNOWN_ID });
  assert.deepEqual([event?.indicatorType, event?.value, others], ['EMAIL', 'mallory@evil.example', []]);
});

test('the most restrictive marking holds, in TLP 2 and TLP 1', async () => {
  const [event] = await eventsOf({ ...INDICATOR, object_marking_refs: [GREEN, OLD_RED] });
  assert.equal(event?.tlp, 'RED');
  const [unmarked] = await eventsOf(INDICATOR);
  assert.equal(unmarked?.tlp, 'UNSPECIFIED');
});

test('a sighting keeps the marking of its indicator, and fails with it', async () => {
  const red = { ...INDICATOR, object_marking_refs: [OLD_RED] };
  const [sighting] = await read({ ...SIGHTING, object_marking_refs: [GREEN] }, red);
  assert.ok(sighting !== undefined && 'events' in sighting);
  assert.deepEqual(
    sighting.events.map(({ tlp }) => tlp),
    ['RED', 'RED'],
  );
  assert.match(
    await failureOf({ ...INDICATOR, object_marking_refs: [KNOWN_ID] }, SIGHTING),
    /not one of TLP/,
  );
});

test('there is an end to what one envelope can say', async () => {
  const values = Array.from({ length: 1_000 }, (_, index) => `'h${index}.example'`).join();
  const indicator = { ...INDICATOR, pattern: `[domain-name:value IN (${values})]` };
  const submitted = await read(...Array.from({ length: 60 }, () => indicator));
  const events = submitted.map((object) => ('events' in object ? object.events.length : 0));
  assert.equal(
    events.reduce((sum, count) => sum + count, 0),
    50_000,
  );
  assert.match(await failureOf(...Array.from({ length: 60 }, () => indicator)), /more than 50000 values/);
});

test('what cannot be taken fails alone, and says why', async () => {
  const cases: readonly (readonly [RegExp, StixObject])[] = [
    [
      /only indicators and sightings/,
      { ...INDICATOR, type: 'malware', id: INDICATOR_ID.replace('indicator', 'malware') },
    ],
    [/not a STIX id/, { ...INDICATOR, id: 'indicator--1' }],
    [/not a STIX id/, { ...INDICATOR, id: SIGHTING_ID }],
    [/not a STIX id/, {}],
    [/STIX 2\.1/, { ...INDICATOR, spec_version: '2.0' }],
    [/modified/, { ...INDICATOR, modified: undefined }],
    [/created/, { ...INDICATOR, created: 'yesterday' }],
    [/revok/, { ...INDICATOR, revoked: true }],
    [/type stix/, { ...INDICATOR, pattern_type: 'yara' }],
    [/joined by OR/, { ...INDICATOR, pattern: "[ipv4-addr:value = 'a' AND url:value = 'b']" }],
    [/benign/, { ...INDICATOR, indicator_types: ['benign'] }],
    [/confidence/, { ...INDICATOR, confidence: 0 }],
    [/confidence/, { ...INDICATOR, confidence: 101 }],
    [/not one of TLP/, { ...INDICATOR, object_marking_refs: [INDICATOR_ID] }],
    [/granular/, { ...INDICATOR, granular_markings: [] }],
    [/sighting_of_ref/, { ...SIGHTING, sighting_of_ref: undefined }],
    [/sighting_of_ref/, { ...SIGHTING, sighting_of_ref: SIGHTING_ID }],
    [/count/, { ...SIGHTING, sighting_of_ref: KNOWN_ID, count: 1_000_000_000 }],
    [/count/, { ...SIGHTING, sighting_of_ref: KNOWN_ID, count: 1.5 }],
    [/last_seen/, { ...SIGHTING, sighting_of_ref: KNOWN_ID, last_seen: 'now' }],
  ];
  for (const [reason, object] of cases) assert.match(await failureOf(INDICATOR, object), reason);
});
