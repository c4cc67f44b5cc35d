import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMicros, nextDateAdded, parseMicros } from './date-added.ts';
import { DAY } from './instant.ts';

const SEED = 20_260_314;
const NOW = Date.UTC(2026, 2, 14);
const instant = fc.integer({ min: NOW - DAY, max: NOW + DAY });
/** The clock between two versions stands still, goes on, jumps ahead or steps back. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 }) },
  fc.integer({ min: -60_000, max: 60_000 }),
);

test('the first version is added when it was modified, or now when that is later', () => {
  fc.assert(
    fc.property(instant, instant, (modified, now) => {
      assert.equal(nextDateAdded(undefined, modified, now), Math.max(modified, now) * 1_000);
    }),
    { seed: SEED },
  );
});

test('a version is added after the last one, not before it was modified, not before now', () => {
  const versions = fc.array(fc.record({ step, age: fc.integer({ min: -1_000, max: DAY }) }), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(versions, (sequence) => {
      let now = NOW;
      let last: number | undefined;
      for (const { step, age } of sequence) {
        now += step;
        const added = nextDateAdded(last, now - age, now);
        assert.ok(Number.isSafeInteger(added));
        assert.ok(last === undefined || added > last);
        assert.ok(added >= now * 1_000);
        assert.ok(added >= (now - age) * 1_000);
        last = added;
      }
    }),
    { seed: SEED },
  );
});

test('versions that come no faster than the clock are added by the clock', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 50 }), (steps) => {
      let now = NOW;
      let last: number | undefined;
      for (const step of steps) {
        now += step;
        last = nextDateAdded(last, now, now);
        assert.equal(last, now * 1_000);
      }
    }),
    { seed: SEED },
  );
});

test('the feed runs ahead of the clock by a second on whole milliseconds, and beyond only by ten microseconds', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 0, max: 3_000_000 }), instant, (now, ahead, modified) => {
      const last = Math.floor((now * 1_000 + ahead) / 10) * 10;
      const added = nextDateAdded(last, modified, now);
      const floor = Math.max(now, modified) * 1_000;
      if (added % 1_000 === 0 && added <= floor + 1_000_000)
        assert.ok(added - last <= 1_000 || added === floor);
      else assert.equal(added, last + 10);
    }),
    { seed: SEED },
  );
});

test('a millisecond holds a hundred versions at most, however fast and from whatever state they come', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 300 }),
      (steps, burst) => {
        let now = NOW;
        let last: number | undefined;
        const held = new Map<number, number>();
        for (const step of [0, 0, 0, ...steps]) {
          now += step;
          for (let version = 0; version < burst; version++) {
            last = nextDateAdded(last, now, now);
            const millisecond = Math.floor(last / 1_000);
            held.set(millisecond, (held.get(millisecond) ?? 0) + 1);
          }
        }
        assert.ok(Math.max(...held.values()) <= 100);
      },
    ),
    { seed: SEED },
  );
});

test('ten thousand versions in one instant take a second and ninety milliseconds of the feed', () => {
  let last: number | undefined;
  for (let version = 0; version < 10_000; version++) {
    const next = nextDateAdded(last, NOW, NOW);
    // The first 1,001 are a millisecond apart.
    if (last !== undefined) assert.equal(next - last, version <= 1_000 ? 1_000 : 10);
    last = next;
  }
  assert.equal(last, NOW * 1_000 + 1_000_000 + 8_999 * 10);
});

const NOON = Date.UTC(2026, 0, 31, 12) * 1_000;

const ACCEPTED: readonly (readonly [string, number])[] = [
  ['2026-01-31T12:00:00Z', NOON],
  ['2026-01-31T12:00:00.5Z', NOON + 500_000],
  ['2026-01-31T12:00:00.123Z', NOON + 123_000],
  ['2026-01-31T12:00:00.123456Z', NOON + 123_456],
  ['2026-01-31T12:00:00.123456999Z', NOON + 123_456],
  ['2026-01-31t12:00:00z', NOON],
  ['2026-01-31T12:00:00+00:00', NOON],
  ['2026-01-31T12:00:00 00:00', NOON],
  ['2026-01-31T12:00:00-00:00', NOON],
  ['2026-01-31T13:30:00.000001+01:30', NOON + 1],
  ['2026-01-31T13:30:00.000001 01:30', NOON + 1],
  ['2026-01-31T00:00:00-12:00', NOON],
  ['2026-01-31T11:59:60Z', NOON],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29) * 1_000],
  ['1969-12-31T23:59:59.999999Z', -1],
  ['0001-01-01T00:00:00Z', -62_135_596_800_000_000],
  ['9999-12-31T23:59:59Z', 253_402_300_799_000_000],
  ['9999-12-31T23:59:59.999999Z', 253_402_300_799_000_000],
  ['0000-01-01T00:00:00.000001Z', -62_167_219_200_000_000],
];

const REFUSED = [
  '',
  'xx',
  '2026-01-31',
  '2026-01-31T12:00:00',
  '2026-01-31T12:00Z',
  '2026-01-31T12:00:00.Z',
  '2026-01-31T12:00:00.1234567890Z',
  '2026-02-29T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-00-01T12:00:00Z',
  '2026-01-00T12:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:60:00Z',
  '2026-01-31T12:00:61Z',
  '2026-01-31T12:00:00+24:00',
  '2026-01-31T12:00:00+0100',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01T00:00:00+01:00',
  ' 2026-01-31T12:00:00Z',
  '2026-01-31T12:00:00Z\n',
  '1769860800',
];

for (const [text, micros] of ACCEPTED) {
  test(`${text} is a timestamp`, () => assert.equal(parseMicros(text), micros));
}

for (const text of REFUSED) {
  test(`${JSON.stringify(text)} is no timestamp`, () => assert.equal(parseMicros(text), undefined));
}

test('what is written has six fraction digits and reads back the same', () => {
  const micros = fc.integer({ min: Date.UTC(1700, 0, 1) * 1_000, max: Date.UTC(2250, 0, 1) * 1_000 });
  fc.assert(
    fc.property(micros, (value) => {
      const text = formatMicros(value);
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      assert.equal(parseMicros(text), value);
    }),
  );
});

test('digits beyond the microsecond are cut, so that "later than" means the same entries', () => {
  const entry = NOON + 123_456;
  const asked = parseMicros('2026-01-31T12:00:00.123455999Z') ?? Number.NaN;
  assert.ok(entry > asked);
  assert.ok(entry <= (parseMicros('2026-01-31T12:00:00.123456001Z') ?? Number.NaN));
});

test('a time that four digits of a year can say is always written', () => {
  for (const [text, micros] of ACCEPTED) assert.equal(formatMicros(micros).length, 27, text);
});
