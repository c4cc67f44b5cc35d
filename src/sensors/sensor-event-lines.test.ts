import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../domain/errors.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { SensorEventService } from '../protojson/contract.ts';
import { FIELD_RULES } from '../protojson/field-rules.ts';
import { createDecoder } from '../protojson/json-decoder.ts';
import { toSensorEvent } from '../protojson/sensor-event.ts';
import { type ReaderOptions, type RecordResult, readRecords } from './reader.ts';
import { sensorEventLines } from './sensor-event-lines.ts';

const MINIMAL = { eventId: 'e-1', sensorId: 's-1', value: '192.0.2.1', observedAt: '2026-03-02T05:11:09Z' };

function readText(text: string, options: ReaderOptions = {}): RecordResult | undefined {
  return sensorEventLines.createReader(options).read({ text, number: 7 });
}

function read(
  changes: Readonly<Record<string, unknown>>,
  options: ReaderOptions = {},
): SensorEvent | string | undefined {
  const result = readText(JSON.stringify({ ...MINIMAL, ...changes }), options);
  if (result?.kind === 'refused') return result.reason;
  return result?.kind === 'events' ? result.events[0] : undefined;
}

function event(changes: Readonly<Record<string, unknown>>, options: ReaderOptions = {}): SensorEvent {
  const found = read(changes, options);
  assert.ok(typeof found === 'object', String(found));
  return found;
}

test('what is left out has the values of the contract', () => {
  assert.deepEqual(event({}), {
    eventId: 'e-1',
    sensorId: 's-1',
    sensorType: 'UNSPECIFIED',
    protocol: 'UNSPECIFIED',
    indicatorType: 'UNSPECIFIED',
    value: '192.0.2.1',
    observedAt: Date.UTC(2026, 2, 2, 5, 11, 9),
    count: 0n,
    categories: [],
    severity: 'UNSPECIFIED',
    tags: [],
    labels: [],
    tlp: 'UNSPECIFIED',
    evidence: {},
  });
});

test('everything that can be said', () => {
  const full = {
    sensorType: 'SENSOR_TYPE_ICS',
    protocol: 'PROTOCOL_OPC_UA',
    indicatorType: 'INDICATOR_TYPE_IPV4',
    count: '18446744073709551615',
    source: { id: 'partner', name: 'Partner', reliability: 0.9 },
    categories: ['THREAT_CATEGORY_SCANNER', 'THREAT_CATEGORY_EXPLOIT'],
    severity: 'SEVERITY_HIGH',
    tags: ['a', 'b'],
    labels: [{ key: 'site', value: 'east' }],
    tlp: 'TLP_MARKING_AMBER_STRICT',
    evidence: { 'opcua.service': 'Browse' },
  };
  const { eventId, sensorId, value, observedAt, ...rest } = event(full);
  assert.deepEqual(rest, {
    ...full,
    sensorType: 'ICS',
    protocol: 'OPC_UA',
    indicatorType: 'IPV4',
    count: 2n ** 64n - 1n,
    categories: ['SCANNER', 'EXPLOIT'],
    severity: 'HIGH',
    tlp: 'AMBER_STRICT',
  });
  assert.deepEqual(
    [eventId, sensorId, value, observedAt],
    ['e-1', 's-1', '192.0.2.1', Date.UTC(2026, 2, 2, 5, 11, 9)],
  );
});

test('both spellings of a name, but not at once', () => {
  const snake = {
    event_id: 'e-2',
    sensor_id: 's-2',
    sensor_type: 'SENSOR_TYPE_ICS',
    observed_at: '2026-03-02T05:11:09Z',
    value: 'x',
  };
  const result = readText(JSON.stringify(snake));
  assert.equal(result?.kind === 'events' && result.events[0]?.sensorId, 's-2');
  assert.equal(read({ sensor_id: 's-2' }), 'DUPLICATE_FIELD');
  assert.equal(read({ sensor_id: null }), 'DUPLICATE_FIELD');
});

test('null is the same as left out', () => {
  assert.deepEqual(event({ tags: null, source: null, tlp: null }), event({}));
});

test('an unknown member refuses the line, also inside another', () => {
  for (const changes of [{ comment: 'x' }, { ['__proto__']: 1 }, { source: { id: 'x', url: 'y' } }])
    assert.equal(read(changes), 'UNKNOWN_FIELD');
});

test('enumerations by number', () => {
  assert.equal(event({ severity: 4 }).severity, 'HIGH');
  assert.equal(event({ severity: 0 }).severity, 'UNSPECIFIED');
});

test('counts as number or as decimal string', () => {
  assert.equal(event({ count: 12 }).count, 12n);
  assert.equal(event({ count: '12' }).count, 12n);
});

test('a source without a name has its id for one, and one without reliability leaves it open', () => {
  assert.deepEqual(event({ source: { id: 'x' } }).source, { id: 'x', name: 'x', reliability: 0 });
});

test('a line without an event id gets one from its content', () => {
  const first = event({ eventId: undefined });
  assert.match(first.eventId, /^[0-9a-f]{32}$/);
  assert.equal(event({ eventId: '', value: '192.0.2.2' }).eventId.length, 32);
  assert.equal(event({ eventId: undefined }).eventId, first.eventId);
  assert.notEqual(event({ eventId: undefined, value: '192.0.2.2' }).eventId, first.eventId);
});

test('a line without a sensor needs one that is named', () => {
  assert.equal(read({ sensorId: undefined }), 'MISSING_SENSOR_ID');
  assert.equal(event({ sensorId: undefined }, { sensor: 'east' }).sensorId, 'east');
  assert.equal(event({}, { sensor: 'east' }).sensorId, 's-1');
});

test('each fault has a reason of its own', () => {
  const faults: [Readonly<Record<string, unknown>>, string][] = [
    [{ value: undefined }, 'MISSING_VALUE'],
    [{ value: '' }, 'MISSING_VALUE'],
    [{ value: 7 }, 'INVALID_VALUE'],
    [{ value: 'x'.repeat(4097) }, 'INVALID_VALUE'],
    [{ value: '\ud800' }, 'INVALID_JSON'],
    [{ observedAt: undefined }, 'MISSING_OBSERVED_AT'],
    [{ observedAt: '2026-03-02T05:11:09' }, 'INVALID_OBSERVED_AT'],
    [{ observedAt: 1_772_000_000 }, 'INVALID_OBSERVED_AT'],
    [{ eventId: 'x'.repeat(129) }, 'INVALID_EVENT_ID'],
    [{ eventId: 5 }, 'INVALID_EVENT_ID'],
    [{ sensorId: {} }, 'INVALID_SENSOR_ID'],
    [{ sensorType: 'ics' }, 'INVALID_SENSOR_TYPE'],
    [{ protocol: 'PROTOCOL_MODBUSS' }, 'INVALID_PROTOCOL'],
    [{ protocol: 99 }, 'INVALID_PROTOCOL'],
    [{ indicatorType: 'constructor' }, 'INVALID_INDICATOR_TYPE'],
    [{ severity: 1.5 }, 'INVALID_SEVERITY'],
    [{ tlp: 'TLP:RED' }, 'INVALID_TLP'],
    [{ count: -1 }, 'INVALID_COUNT'],
    [{ count: 1.5 }, 'INVALID_COUNT'],
    [{ count: '18446744073709551616' }, 'INVALID_COUNT'],
    [{ count: '0x10' }, 'INVALID_COUNT'],
    [{ source: 'x' }, 'INVALID_SOURCE'],
    [{ source: { name: 'x' } }, 'INVALID_SOURCE'],
    [{ source: { id: 'x', reliability: 1.1 } }, 'INVALID_SOURCE'],
    [{ categories: 'SCANNER' }, 'INVALID_CATEGORIES'],
    [{ categories: ['SCANNERS'] }, 'INVALID_CATEGORIES'],
    [{ categories: [null] }, 'INVALID_CATEGORIES'],
    [{ tags: [''] }, 'INVALID_TAGS'],
    [{ tags: ['x'.repeat(101)] }, 'INVALID_TAGS'],
    [{ tags: Array(51).fill('x') }, 'INVALID_TAGS'],
    [{ labels: [{ key: '', value: 'x' }] }, 'INVALID_LABELS'],
    [{ labels: [['site', 'east']] }, 'INVALID_LABELS'],
    [{ evidence: ['x'] }, 'INVALID_EVIDENCE'],
    [{ evidence: { key: 43 } }, 'INVALID_EVIDENCE'],
    [{ evidence: { key: 'x'.repeat(1025) } }, 'INVALID_EVIDENCE'],
    [{ evidence: { ['k'.repeat(65)]: 'x' } }, 'INVALID_EVIDENCE'],
  ];
  for (const [changes, reason] of faults) {
    assert.equal(read(changes), reason, JSON.stringify(changes).slice(0, 80));
  }
});

test('a refusal says in words what is wrong, without the text of evidence keys', () => {
  const detailOf = (changes: Readonly<Record<string, unknown>>): string | undefined => {
    const result = readText(JSON.stringify({ ...MINIMAL, ...changes }));
    return result?.kind === 'refused' ? result.detail : undefined;
  };
  assert.equal(detailOf({ tags: ['a', ''] }), 'tags[1]: must not be empty');
  assert.equal(detailOf({ value: undefined }), 'value: is required');
  assert.equal(detailOf({ evidence: { '\u009b31m': 1 } }), 'evidence: must not contain control characters');
  assert.equal(detailOf({ sevrity: 4 }), 'sevrity: is not a known member; the nearest is severity');
  assert.equal(detailOf({ '\u009b31m': 1 }), 'is not a known member; the nearest is tags');
  const malformed = readText('{"value": ');
  assert.match((malformed?.kind === 'refused' && malformed.detail) || '', /^malformed JSON at character 11/);
});

test('what is no object is refused with its line, and a blank line is no record', () => {
  for (const text of ['{"value": ', 'null', '[]', '7', '\u00a0', '[['.repeat(100_000)]) {
    const result = readText(text);
    assert.ok(result?.kind === 'refused' && result.reason === 'INVALID_JSON' && result.line === 7);
  }
  assert.equal(readText('  '), undefined);
  const faulty = sensorEventLines.createReader({}).read({ text: '', number: 2, fault: 'LINE_TOO_LONG' });
  assert.deepEqual(faulty, { kind: 'refused', line: 2, reason: 'LINE_TOO_LONG' });
});

const decodeRequest = createDecoder(SensorEventService.method.ingestSensorEvents.input, FIELD_RULES);

/** The event that `POST /v1/sensorEvents:ingest` takes in; undefined when it answers 400. */
function overHttp(event: Uint8Array | string): SensorEvent | undefined {
  const body = Buffer.concat([Buffer.from('{"events":['), Buffer.from(event), Buffer.from(']}')]);
  try {
    return decodeRequest(body).events.map((one) => toSensorEvent(one))[0];
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return undefined;
  }
}

/** The event that the reader of a file takes in; undefined when it refuses the line. */
function fromFile(line: string): SensorEvent | undefined {
  const result = readText(line);
  return result?.kind === 'events' ? result.events[0] : undefined;
}

/** An event with one member replaced. The member is JSON text, because JSON.stringify cannot write all of them. */
function withMember(name: string, json: string): string {
  const { [name as keyof typeof MINIMAL]: _, ...others } = MINIMAL;
  return `${JSON.stringify(others).slice(0, -1)},"${name}":${json}}`;
}

const ODD_EVENTS: readonly (readonly [what: string, event: string, accepted: boolean])[] = [
  ['a control character in a tag', withMember('tags', '["a\\u0007b"]'), false],
  ['a line break in the value of a label', withMember('labels', '[{"key":"k","value":"a\\nb"}]'), false],
  ['an offset without a colon', withMember('observedAt', '"2026-03-02T07:11:09+0200"'), false],
  ['a blank instead of T', withMember('observedAt', '"2026-03-02 05:11:09Z"'), false],
  ['a name without its prefix', withMember('protocol', '"MODBUS"'), false],
  ['a count with an exponent', withMember('count', '"1e3"'), true],
  ['a count that a double cannot hold', withMember('count', '9007199254740993'), true],
  ['a reliability in quotes', withMember('source', '{"id":"x","reliability":"0.5"}'), true],
  ['NUL in the value', withMember('value', '"a\\u0000b"'), true],
  ['a tag of 100 characters beyond the BMP', withMember('tags', JSON.stringify(['😀'.repeat(100)])), true],
  ['a member twice', withMember('severity', '1,"severity":1'), false],
  ['an unknown member', withMember('comment', '"x"'), false],
];

for (const [what, event, accepted] of ODD_EVENTS) {
  test(`a file and a request judge alike: ${what}`, () => {
    const posted = overHttp(event);
    assert.equal(posted !== undefined, accepted);
    assert.deepEqual(fromFile(event), posted);
  });
}

test('a file and a request judge alike: bytes that are not UTF-8', async () => {
  const line = withMember('value', '"café"');
  assert.equal(overHttp(Buffer.from(line, 'latin1')), undefined);
  async function* file(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${line}\n`, 'latin1');
    yield Buffer.from(withMember('value', '"café \u{fffd}"'));
  }
  const [first, second] = (await Array.fromAsync(readRecords(file(), sensorEventLines, {}))).flat();
  assert.deepEqual(first, { kind: 'refused', line: 1, reason: 'INVALID_UTF8' });
  assert.equal(second?.kind === 'events' && second.events[0]?.value, 'café \u{fffd}');
});

/** JSON texts, valid for some fields and not for others. */
const oddJson = fc.oneof(
  fc.constantFrom(
    ...['null', 'true', '""', '"x"', '0', '-0', '-1', '1.0', '1.5', '7e1', '1e400', '"70"', '" 7"', '"NaN"'],
    ...['18446744073709551616', '9007199254740993', '"1e3"', '0.5', '"0.5"', '01', '"a\\u0007"', '"\\u0000"'],
    ...[
      '"\\ud800"',
      '"\\ud83d\\ude00"',
      '[null]',
      '[""]',
      '["a","a"]',
      '[1,2]',
      '{}',
      '{"k":"v"}',
      '{"k":null}',
    ],
    ...[
      '{"k":1,"k":2}',
      '{"__proto__":"x"}',
      '{"id":"i"}',
      '{"id":"i","name":"","reliability":2}',
      '[{"key":"k"}]',
    ],
    ...['"2026-03-02T05:11:09.1234567Z"', '"2026-03-02t05:11:09z"', '"2026-02-30T00:00:00Z"', '"2026-03-02"'],
    ...[
      '"PROTOCOL_S7"',
      '"S7"',
      '4',
      '99',
      '["THREAT_CATEGORY_SCANNER"]',
      '[0,1,1]',
      '"TLP_MARKING_RED"',
      '\u00a0',
    ],
  ),
  fc.json({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)),
  fc.string({ unit: 'grapheme', minLength: 60, maxLength: 140 }).map((text) => JSON.stringify([text])),
);
const FIELDS = SensorEventService.method.ingestSensorEvents.input.fields[0]?.message?.fields ?? [];
const oddMember = fc.tuple(
  fc.constantFrom(
    'unknown',
    ...FIELDS.flatMap(({ name, jsonName }) => [name, jsonName, jsonName]),
    ...['value', 'tags', 'labels', 'evidence'],
  ),
  oddJson,
);
/**
 * A valid event with odd members before, instead of or behind its own. The ids are never missing: that is where files
 * differ.
 */
const oddEvent = fc
  .tuple(fc.array(oddMember, { maxLength: 3 }), fc.array(oddMember, { maxLength: 3 }), fc.boolean())
  .map(([front, back, replace]) => {
    const named = new Set(
      [...front, ...back].map(([name]) => name.replaceAll(/_(.)/g, (_, c) => c.toUpperCase())),
    );
    const own = Object.entries(MINIMAL)
      .filter(([name]) => !replace || name.endsWith('Id') || !named.has(name))
      .map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
    const others = (members: typeof front) =>
      members.filter(([name]) => !/^(?:event|sensor)_?id$/i.test(name));
    return `{${[...others(front), ...own, ...others(back)].map(([name, json]) => `"${name}":${json}`).join()}}`;
  });

test('a file and a request judge every event alike', () => {
  const verdicts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(oddEvent, (event) => {
      const posted = overHttp(event);
      assert.deepEqual(fromFile(event), posted);
      verdicts[posted === undefined ? 'refused' : 'accepted'] += 1;
    }),
    { numRuns: 2_000 },
  );
  // The comparison covers both verdicts.
  assert.ok(verdicts.accepted > 100 && verdicts.refused > 100, JSON.stringify(verdicts));
});

test('a file and a request judge ids alike, unless they are missing', () => {
  const id = fc.constantFrom(
    '"x"',
    '5',
    '"a\\u0001"',
    `"${'x'.repeat(129)}"`,
    `"${'😀'.repeat(128)}"`,
    '[]',
    '"\\ud800"',
  );
  fc.assert(
    fc.property(fc.constantFrom('eventId', 'sensorId'), id, (name, json) => {
      const event = withMember(name, json);
      assert.deepEqual(fromFile(event), overHttp(event));
    }),
  );
});
