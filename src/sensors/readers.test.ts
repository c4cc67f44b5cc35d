// Rules for the reader of every format.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { parseObservable } from '../domain/observable/observable.ts';
import { detectFormat, FORMATS, formatNamed } from './detect.ts';
import type { RecordResult, SensorFormat } from './reader.ts';
import { readRecords } from './reader.ts';
import { RecordTally } from './record-tally.ts';

/** Each example with its format, the reasons of its refused records, and the reasons of its refused events. */
const EXAMPLES = (
  [
    ['conpot.log', 'conpot-text', ['SENSOR_ADDRESS', 'UNKNOWN_SESSION'], []],
    ['conpot.jsonl', 'conpot-json', ['SENSOR_ADDRESS', 'INVALID_JSON'], []],
    ['sensor-events.jsonl', 'sensor-events', [], ['PRIVATE_ADDRESS']],
    ['cowrie.jsonl', 'cowrie', ['SENSOR_ADDRESS', 'INVALID_JSON'], []],
    ['suricata.json', 'suricata', ['UNKNOWN_DIRECTION'], ['PRIVATE_ADDRESS']],
    ['zeek.log', 'zeek-tsv', ['INVALID_TIMESTAMP'], ['PRIVATE_ADDRESS']],
    ['zeek-control.json', 'zeek-json', [], []],
  ] as const
).map(([name, format, refusedRecords, refusedEvents]) => ({
  name,
  format,
  refusedRecords,
  refusedEvents,
  bytes: readFileSync(new URL(`../../examples/${name}`, import.meta.url)),
}));

function formats(): SensorFormat[] {
  return FORMATS.map((name) => formatNamed(name)).filter((format) => format !== undefined);
}

async function* chunksOf(bytes: Uint8Array, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const end of [...ends.map((at) => at % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function read(
  format: SensorFormat,
  bytes: Uint8Array,
  ends: readonly number[] = [],
): Promise<RecordResult[]> {
  return (await Array.fromAsync(readRecords(chunksOf(bytes, ends), format, { sensor: 's' }))).flat();
}

function eventsIn(results: readonly RecordResult[]): SensorEvent[] {
  return results.flatMap((result) => (result.kind === 'events' ? result.events : []));
}

/** Parts of example lines in any order, cut and mixed with other text. */
const nearlyLogs = fc
  .array(
    fc
      .oneof(
        fc.constantFrom(...EXAMPLES.flatMap(({ bytes }) => bytes.toString().split('\n'))),
        fc.constantFrom(
          '\0',
          '\r',
          '\u{feff}',
          '{',
          '[',
          "'",
          '2026-03-02 06:14:21,037 ',
          '\u{2028}',
          '\ud800',
        ),
        fc.string({ unit: 'binary', maxLength: 20 }),
      )
      .chain((text) => fc.nat({ max: text.length }).map((from) => text.slice(from % 3 === 0 ? 0 : from))),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.from(parts.join('\n')));

test('any bytes: no reader throws, and every record is accounted for once', async () => {
  const input = fc.oneof(fc.uint8Array({ maxLength: 300 }), nearlyLogs);
  for (const format of formats()) {
    await fc.assert(
      fc.asyncProperty(input, async (bytes) => {
        const results = await read(format, bytes);
        const tally = new RecordTally();
        for (const result of results) tally.add(result);
        assert.equal(tally.records, results.length);
        assert.equal(tally.records, tally.withEvents + tally.withoutObservable + tally.refused);

        // One line may have several elements of an array.
        const lines = results.map((result) => result.line);
        assert.deepEqual(
          lines,
          lines.toSorted((a, b) => a - b),
        );
        for (const result of results) {
          if (result.kind === 'refused') assert.match(result.reason, /^[A-Z][A-Z0-9_]+$/);
          if (result.kind === 'events') assert.ok(result.events.length > 0);
        }
        for (const event of eventsIn(results)) assertKeepable(event);
      }),
    );
  }
});

/** Within the limits of the contract, and text that any store can hold. */
function assertKeepable(event: SensorEvent): void {
  assert.ok(event.eventId.length > 0 && event.eventId.length <= 128);
  assert.ok(event.sensorId.length > 0 && event.sensorId.length <= 128);
  assert.ok(Number.isSafeInteger(event.observedAt));
  const texts = [event.value, ...event.tags, ...Object.values(event.evidence)];
  for (const text of texts) assert.ok(text.isWellFormed() && !text.includes('\0') && text.length <= 4_096);
  for (const text of Object.values(event.evidence)) assert.ok(text.length <= 1_024);
}

test('chunk boundaries make no difference', async () => {
  for (const format of formats()) {
    await fc.assert(
      fc.asyncProperty(nearlyLogs, fc.array(fc.nat(), { maxLength: 8 }), async (bytes, ends) => {
        assert.deepEqual(await read(format, bytes, ends), await read(format, bytes));
      }),
    );
  }
});

for (const { name, format, refusedRecords, refusedEvents, bytes } of EXAMPLES) {
  test(`${name} is recognised and shows what the README of the examples says`, async () => {
    const detected = await detectFormat(chunksOf(bytes, []));
    assert.equal(detected.format?.name, format);
    const results = await read(detected.format, bytes);
    const reasons = results.flatMap((result) => (result.kind === 'refused' ? result.reason : []));
    assert.deepEqual([...new Set(reasons)], refusedRecords);

    const events = eventsIn(results);
    const observables = events.map((event) =>
      parseObservable(event.indicatorType, event.value, { acceptPrivateAddresses: false }),
    );
    assert.deepEqual(
      observables.flatMap((observable) => (observable.ok ? [] : observable.reason)),
      refusedEvents,
    );
    assert.equal(new Set(events.map((event) => `${event.sensorId} ${event.eventId}`)).size, events.length);
  });
}

test('the sensor events of the examples show every type and every marking', async () => {
  const bytes = EXAMPLES.find(({ format }) => format === 'sensor-events')?.bytes ?? Buffer.alloc(0);
  const format = formatNamed('sensor-events');
  assert.ok(format !== undefined);
  const events = eventsIn(await read(format, bytes));
  const types = events.flatMap((event) => {
    const observable = parseObservable(event.indicatorType, event.value, { acceptPrivateAddresses: false });
    return observable.ok ? observable.type : [];
  });
  assert.equal(new Set(types).size, 11);
  assert.equal(new Set(events.map((event) => event.tlp)).size, 6);
});
