// Submitted objects become sensor events, one object at a time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stixContext } from '../objects/stix-object.ts';
import { StixFault } from '../stix-fault.ts';
import type { StixObject } from './stix-members.ts';
import { type KnownIndicator, type ObjectOutcome, readSubmission } from './stix-submission.ts';

const INDICATOR_ID = 'indicator--0a6c7a4e-8d55-4f4b-9d3f-5a2b1c0d9e8f';
const KNOWN_ID = 'indicator--7b1f0c5a-2e8d-4a67-b3c9-1f2e3d4c5b6a';
const RESTRICTED_ID = 'indicator--0c9e6a53-71d2-4f8b-9a4e-5d3b2c1f0e87';
const SIGHTING_ID = 'sighting--3c9d8e7f-6a5b-4c4d-8e3f-2a1b0c9d8e7f';
const TIME = '2026-03-01T12:00:00.000Z';
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
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

function read(...objects: readonly StixObject[]): Promise<readonly ObjectOutcome[]> {
  return readSubmission(objects, {
    stix: stixContext(Buffer.alloc(32, 7)),
    source: { id: 'key', name: 'Partner', reliability: 0.8 },
    now: NOW,
    knownIndicator: async (id): Promise<KnownIndicator | undefined> =>
      [KNOWN_ID, RESTRICTED_ID].includes(id)
        ? { type: 'EMAIL', value: 'mallory@evil.example', tlp: id === KNOWN_ID ? 'CLEAR' : 'AMBER' }
        : undefined,
    defaultTlp: 'GREEN',
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
    events.map(({ indicatorType, value, count }) => [indicatorType, value, count]),
    [
      ['IPV4', '192.0.2.1', 1n],
      ['DOMAIN', 'evil.example', 1n],
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
    sighting.events.map(({ value, count, observedAt }) => [value, count, observedAt]),
    [
      ['192.0.2.1', 7n, Date.parse('2026-03-01T11:00:00Z')],
      ['evil.example', 7n, Date.parse('2026-03-01T11:00:00Z')],
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
    /not a TLP marking/,
  );
});

test('a sighting of a known indicator shows it to nobody who does not know it', async () => {
  const markingOf = async (members: object) => (await eventsOf({ ...SIGHTING, ...members }))[0]?.tlp;
  const green = { object_marking_refs: [GREEN] };
  const red = { object_marking_refs: [OLD_RED] };
  const known = { sighting_of_ref: KNOWN_ID };
  const restricted = { sighting_of_ref: RESTRICTED_ID };
  assert.equal(await markingOf(restricted), 'AMBER');
  assert.equal(await markingOf({ ...restricted, ...green }), 'AMBER');
  assert.equal(await markingOf({ ...restricted, ...red }), 'RED');
  assert.equal(await markingOf(known), 'GREEN');
  assert.equal(await markingOf({ ...known, ...red }), 'RED');
});

test('a sighting is of the newest version of its indicator, wherever in the envelope that stands', async () => {
  const version = (modified: string, value: string) => ({
    ...INDICATOR,
    modified,
    pattern: `[domain-name:value = '${value}']`,
  });
  const oldest = version(TIME, 'oldest.example');
  const older = version('2026-03-01T12:00:00.0001Z', 'older.example');
  const again = version('2026-03-01T12:00:00.00010000Z', 'again.example');
  const sightedIn = async (...indicators: readonly StixObject[]) => {
    const sighting = (await read(...indicators, SIGHTING)).at(-1);
    assert.ok(sighting !== undefined && 'events' in sighting);
    return sighting.events.map(({ value }) => value);
  };
  assert.deepEqual(await sightedIn(older, oldest), ['older.example']);
  assert.deepEqual(await sightedIn(oldest, older), ['older.example']);
  // Of several objects with the same version, the last one counts.
  assert.deepEqual(await sightedIn(older, again, oldest), ['again.example']);
  // An object without a valid version is older than all others.
  assert.deepEqual(await sightedIn(older, { ...again, modified: 'now' }), ['older.example']);
  assert.deepEqual(await sightedIn({ ...again, modified: undefined }, older), ['older.example']);
});

test('what the labels and types name as one of our categories becomes one, of sightings too', async () => {
  const categoriesOf = async (object: StixObject) =>
    (await eventsOf(object)).map(({ categories }) => categories);
  const named = { labels: ['C2', 'plc'], indicator_types: ['malicious-activity', 'anonymization'] };
  const categories = ['COMMAND_AND_CONTROL', 'PROXY'];
  assert.deepEqual(await categoriesOf({ ...INDICATOR, ...named }), [categories, categories]);
  const vague = { labels: [], indicator_types: ['malicious-activity', 'anomalous-activity', 'compromised'] };
  assert.deepEqual(await categoriesOf({ ...INDICATOR, ...vague }), [[], []]);
  assert.deepEqual(await categoriesOf({ ...INDICATOR, indicator_types: [] }), [[], []]);
  const sighting = { ...SIGHTING, sighting_of_ref: KNOWN_ID, labels: ['phishing'] };
  assert.deepEqual(await categoriesOf(sighting), [['PHISHING']]);
});

test('what ended before it was modified was seen when it ended', async () => {
  const seenAt = async (members: object) =>
    (await eventsOf({ ...INDICATOR, ...members })).map(({ observedAt }) =>
      new Date(observedAt).toISOString(),
    );
  const modified = '2026-03-01T12:00:00.000Z';
  assert.deepEqual(await seenAt({ modified, valid_until: '2026-03-05T12:00:00Z' }), [modified, modified]);
  const valid = { valid_from: '2019-03-01T12:00:00Z', valid_until: '2020-03-01T12:00:00Z' };
  const ended = '2020-03-01T12:00:00.000Z';
  assert.deepEqual(await seenAt({ modified, ...valid }), [ended, ended]);
});

test('a sighting that fails with its indicator says so', async () => {
  const [, sighting] = await read({ ...INDICATOR, valid_from: undefined }, SIGHTING);
  assert.ok(sighting !== undefined && 'failure' in sighting);
  assert.equal(sighting.failure, 'its indicator was refused: valid_from is missing');
});

test('to refuse an object costs no stack trace: an envelope may have 20,000 of them', () => {
  const refusal: object = new StixFault('not taken');
  assert.equal(refusal instanceof Error, false);
  assert.equal('stack' in refusal, false);
});

test('an event is the same again as long as object, version and all that is read are', async () => {
  const idOf = async (members: StixObject = {}): Promise<string> => {
    const [event] = await eventsOf({ ...INDICATOR, ...members });
    return event?.eventId ?? '';
  };
  for (const members of [
    { modified: '2026-03-01T12:00:00Z' },
    { modified: '2026-03-01T12:00:00.000000Z' },
    { name: 'another name' },
    { pattern: "[ipv4-addr:value = '192.0.2.1']" },
  ]) {
    assert.equal(await idOf(members), await idOf(), JSON.stringify(members));
  }
  const others = [
    { modified: '2026-03-01T12:00:00.000001Z' },
    { modified: '2026-03-01T12:00:00.000002Z' },
    { pattern: "[ipv4-addr:value = '192.0.2.2']" },
    { pattern: "[url:value = '192.0.2.1']" },
    { object_marking_refs: [OLD_RED] },
    { confidence: 50 },
    { labels: ['plc'] },
    { indicator_types: ['anonymization'] },
  ];
  const ids = await Promise.all(others.map(idOf));
  assert.equal(new Set([await idOf(), ...ids]).size, others.length + 1);
});

test('a value counts once in one indicator, and a sighting once whatever its later versions say', async () => {
  const pattern = "[url:value IN ('a', 'a') OR url:value = 'a']";
  assert.equal((await eventsOf({ ...INDICATOR, pattern })).length, 1);
  const known = { ...SIGHTING, sighting_of_ref: KNOWN_ID };
  const [first] = await eventsOf(known);
  const [later] = await eventsOf({ ...known, modified: '2026-03-02T12:00:00.000Z', count: 9 });
  assert.equal(later?.eventId, first?.eventId);
});

test('there is an end to what one envelope can say', async () => {
  const values = Array.from({ length: 900 }, (_, index) => `'h${index}.example'`).join();
  const large = { ...INDICATOR, pattern: `[domain-name:value IN (${values})]` };
  const submitted = await read(...Array.from({ length: 30 }, () => large), SIGHTING, INDICATOR);
  const counts = submitted.map((object) => ('events' in object ? object.events.length : object.failure));
  assert.deepEqual(
    counts.slice(0, 11),
    Array.from({ length: 11 }, () => 900),
  );
  for (const failure of counts.slice(22, 30)) assert.match(String(failure), /more than 20000 values/);
  assert.deepEqual(counts.slice(30), [2, 2]);
});

test('a pattern is read once, however many sightings refer to it', async () => {
  let lookups = 0;
  const indicator = {
    ...INDICATOR,
    get pattern() {
      lookups++;
      return "[url:value = 'http://evil.example']";
    },
  };
  const sightings = Array.from({ length: 100 }, () => SIGHTING);
  await read(...sightings, indicator);
  assert.ok(lookups < 10, `${lookups} reads of the pattern`);
});

test('what an object is called is told again, within bounds', async () => {
  const named = async (object: StixObject) => {
    const [submitted] = await read(object);
    return [submitted?.id, submitted?.version];
  };
  assert.deepEqual(await named(INDICATOR), [INDICATOR_ID, TIME]);
  assert.deepEqual(await named({ id: 'malware--1', created: TIME }), ['malware--1', TIME]);
  assert.deepEqual(await named({}), [undefined, undefined]);
  assert.deepEqual(await named({ id: '', modified: '' }), [undefined, undefined]);
  assert.deepEqual(await named({ id: 5, modified: 5, created: TIME.toLowerCase() }), [undefined, undefined]);
  const [id] = await named({ id: `${'x'.repeat(287)}\u{1F600}${'x'.repeat(1_000)}` });
  assert.equal(id?.length, 288);
  assert.ok(id?.isWellFormed());
});

test('what cannot be taken fails alone, and says why', async () => {
  const ofKnown = { ...SIGHTING, sighting_of_ref: KNOWN_ID };
  const cases: readonly (readonly [RegExp, StixObject])[] = [
    [
      /only indicators and sightings/,
      { ...INDICATOR, type: 'malware', id: INDICATOR_ID.replace('indicator', 'malware') },
    ],
    [/only indicators and sightings/, {}],
    [/not a STIX id/, { ...INDICATOR, id: 'indicator--1' }],
    [/not a STIX id/, { ...INDICATOR, id: SIGHTING_ID }],
    [/not a STIX id/, { ...INDICATOR, id: undefined }],
    [/^spec_version must be 2\.1$/, { ...INDICATOR, spec_version: '2.0' }],
    [/^spec_version must be 2\.1$/, { ...INDICATOR, spec_version: undefined }],
    [/revok/, { ...INDICATOR, revoked: true }],
    [/^pattern_type must be stix$/, { ...INDICATOR, pattern_type: 'yara' }],
    [/joined by OR/, { ...INDICATOR, pattern: undefined }],
    [/joined by OR/, { ...INDICATOR, pattern: "[ipv4-addr:value = 'a' AND url:value = 'b']" }],
    [/benign/, { ...INDICATOR, indicator_types: ['benign'] }],
    [/^confidence 0 means no confidence/, { ...INDICATOR, confidence: 0 }],
    [/^confidence is not a whole number from 0 to 100/, { ...INDICATOR, confidence: -1 }],
    [/^confidence is not a whole number from 0 to 100/, { ...INDICATOR, confidence: 50.5 }],
    [/^confidence is not a whole number from 0 to 100/, { ...INDICATOR, confidence: 101 }],
    [/not a TLP marking/, { ...INDICATOR, object_marking_refs: [INDICATOR_ID] }],
    [/granular/, { ...INDICATOR, granular_markings: [] }],
    [/sighting_of_ref/, { ...SIGHTING, sighting_of_ref: undefined }],
    [/sighting_of_ref/, { ...SIGHTING, sighting_of_ref: SIGHTING_ID }],
    [/count/, { ...ofKnown, count: 1_000_000_000 }],
    [/count/, { ...ofKnown, count: 1.5 }],
    [/count/, { ...ofKnown, count: Number.POSITIVE_INFINITY }],
  ];
  for (const [reason, object] of cases) assert.match(await failureOf(INDICATOR, object), reason);
});

test('a time that is missing, in another form, out of bounds or out of order fails, and is named', async () => {
  const later = '2026-03-01T12:00:00.001Z';
  const ofKnown = { ...SIGHTING, sighting_of_ref: KNOWN_ID };
  const cases: readonly (readonly [RegExp, StixObject])[] = [
    [/^created is missing/, { ...INDICATOR, created: undefined }],
    [/^modified is missing/, { ...INDICATOR, modified: undefined }],
    [/^valid_from is missing/, { ...INDICATOR, valid_from: undefined }],
    [/^created is not a timestamp/, { ...INDICATOR, created: 'yesterday' }],
    [/^modified is not a timestamp/, { ...INDICATOR, modified: TIME.toLowerCase() }],
    [/^modified is not a timestamp/, { ...INDICATOR, modified: TIME.replace('T', ' ') }],
    [/^modified is not a timestamp/, { ...INDICATOR, modified: TIME.replace('Z', '+00:00') }],
    [/^valid_from is not a timestamp/, { ...INDICATOR, valid_from: '2026-02-30T00:00:00Z' }],
    [/^valid_until is not a timestamp/, { ...INDICATOR, valid_until: '' }],
    [/^last_seen is not a timestamp/, { ...ofKnown, last_seen: 'now' }],
    [/^first_seen is not a timestamp/, { ...ofKnown, first_seen: 'now' }],
    [/^created lies before 1970/, { ...INDICATOR, created: '0000-01-01T00:00:00Z' }],
    [/^modified lies before 1970/, { ...INDICATOR, created: TIME, modified: '1969-12-31T23:59:59.999Z' }],
    [/^valid_from lies before 1970/, { ...INDICATOR, valid_from: '0001-01-01T00:00:00Z' }],
    [/^first_seen lies before 1970/, { ...ofKnown, first_seen: '0000-01-01T00:00:00Z' }],
    [/^modified lies before created/, { ...INDICATOR, created: '2026-03-01T12:00:00.000001Z' }],
    [/^valid_until is not later than valid_from/, { ...INDICATOR, valid_until: TIME }],
    [/^valid_until is not later than valid_from/, { ...INDICATOR, valid_until: TIME, valid_from: later }],
    [/^last_seen lies before first_seen/, { ...ofKnown, first_seen: TIME }],
    [
      /^valid_from lies more than 24 hours in the future$/,
      { ...INDICATOR, valid_from: '2026-03-02T12:00:00.001Z' },
    ],
    [
      /^valid_from lies more than 24 hours in the future$/,
      { ...INDICATOR, valid_from: '2040-03-01T12:00:00Z' },
    ],
  ];
  for (const [reason, object] of cases) assert.match(await failureOf(object), reason);
  assert.equal((await eventsOf({ ...INDICATOR, valid_until: later })).length, 2);
  assert.equal((await eventsOf({ ...INDICATOR, valid_from: '2026-03-02T12:00:00.000Z' })).length, 2);
  assert.equal((await eventsOf({ ...ofKnown, first_seen: '2026-03-01T11:00:00.000Z' })).length, 1);
});

test('a member of another JSON type fails, and is named: a marking that is not read would be lost', async () => {
  const ofKnown = { ...SIGHTING, sighting_of_ref: KNOWN_ID };
  const wrong: readonly (readonly [StixObject, Readonly<Record<string, readonly unknown[]>>])[] = [
    [
      INDICATOR,
      {
        object_marking_refs: [OLD_RED, [[OLD_RED]], [{ id: OLD_RED }], { 0: OLD_RED }, 5, true, null, [null]],
        granular_markings: ['x', {}, null, ['x']],
        indicator_types: ['benign', ['benign', 5], [['benign']], {}, null],
        labels: ['plc', ['plc', 5], { plc: true }, null],
        revoked: ['true', 'false', 1, null, [true]],
        confidence: ['50', [50], null, {}],
        extensions: ['x', [], null],
        external_references: [{}, ['x'], null],
        kill_chain_phases: [{}, ['x']],
        lang: [5, ['en']],
        name: [5],
        description: [{}],
        created_by_ref: [[]],
        created: [0, null],
        modified: [0, [TIME]],
        spec_version: [2.1],
        pattern: [["[ipv4-addr:value = '192.0.2.1']"]],
        pattern_type: [['stix']],
        pattern_version: [2.1],
        valid_from: [0],
        valid_until: [0, null],
      },
    ],
    [
      ofKnown,
      {
        object_marking_refs: [OLD_RED, [[OLD_RED]]],
        count: ['7', null, [7]],
        first_seen: [0],
        last_seen: [0],
        sighting_of_ref: [[KNOWN_ID]],
        summary: ['true'],
        observed_data_refs: ['x'],
        where_sighted_refs: [{}],
      },
    ],
  ];
  for (const [object, members] of wrong) {
    for (const [name, values] of Object.entries(members)) {
      for (const value of values) {
        assert.match(await failureOf({ ...object, [name]: value }), new RegExp(`^${name} is not a`));
      }
    }
  }
  const whole = {
    ...INDICATOR,
    lang: 'en',
    revoked: false,
    confidence: 100,
    extensions: {},
    external_references: [{ source_name: 'x' }],
    object_marking_refs: [],
    x_custom: null,
  };
  assert.equal((await eventsOf(whole)).length, 2);
});
