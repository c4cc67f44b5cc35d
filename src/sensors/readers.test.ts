// What holds for the reader of every format, whatever the input.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseObservable } from '../domain/observable.ts';
import type { SensorEvent } from '../domain/sensor-event.ts';
import { FORMATS, formatNamed } from './detect.ts';
import { readRecords } from './read-records.ts';
import type { RecordResult, SensorFormat } from './reader.ts';
import { RecordTally } from './record-tally.ts';

const EXAMPLES = ['conpot.log', 'conpot.jsonl', 'sensor-events.jsonl'].map((name) => ({
  name,
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

/** Parts of example lines in any order, cut and mixed with what does not belong there. */
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

        const lines = results.map((result) => result.line);
        assert.deepEqual(
          lines,
          [...new Set(lines)].sort((a, b) => a - b),
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

test('the examples show what their README says', async () => {
  const shown = await Promise.all(
    EXAMPLES.map(async ({ bytes }, index) => {
      const format = formatNamed(['conpot-text', 'conpot-json', 'sensor-events'][index] ?? '');
      assert.ok(format !== undefined);
      return read(format, bytes);
    }),
  );
  const reasons = shown.map((results) => [
    ...new Set(results.flatMap((result) => (result.kind === 'refused' ? result.reason : []))),
  ]);
  assert.deepEqual(reasons, [['SENSOR_ADDRESS', 'UNKNOWN_SESSION'], ['SENSOR_ADDRESS', 'INVALID_JSON'], []]);

  const events = shown.flatMap(eventsIn);
  const observables = events.map((event) =>
    parseObservable(event.indicatorType, event.value, { acceptPrivateAddresses: false }),
  );
  const refusals = observables.flatMap((observable) => (observable.ok ? [] : observable.reason));
  assert.deepEqual(refusals, ['PRIVATE_ADDRESS']);
  const types = new Set(observables.flatMap((observable) => (observable.ok ? observable.type : [])));
  assert.equal(types.size, 11);
  assert.equal(new Set(events.map((event) => event.tlp)).size, 6);
  assert.equal(new Set(events.map((event) => `${event.sensorId} ${event.eventId}`)).size, events.length);
});
