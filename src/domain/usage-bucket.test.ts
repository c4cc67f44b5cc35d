import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bucketEnd, bucketStart, type UsageBucket, wholeBuckets } from './usage-bucket.ts';

const at = (text: string) => Date.parse(text);
const text = (instant: number) => new Date(instant).toISOString();

/** Bucket, instant, start, end. */
const EXAMPLES: readonly (readonly [UsageBucket, string, string, string])[] = [
  ['HOUR', '2026-11-20T10:59:59.999Z', '2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'],
  ['HOUR', '2026-11-20T11:00:00.000Z', '2026-11-20T11:00:00.000Z', '2026-11-20T12:00:00.000Z'],
  ['DAY', '2026-11-20T23:59:59.999Z', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
  ['DAY', '1969-12-31T23:00:00.000Z', '1969-12-31T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
  ['MONTH', '2026-01-31T12:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  ['MONTH', '2024-02-29T23:59:59.999Z', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['MONTH', '2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['MONTH', '0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z', '0001-02-01T00:00:00.000Z'],
];

for (const [bucket, instant, start, end] of EXAMPLES) {
  test(`${instant} lies in the ${bucket} from ${start} to ${end}`, () => {
    assert.equal(text(bucketStart(bucket, at(instant))), start);
    assert.equal(text(bucketEnd(bucket, at(instant))), end);
  });
}

test('buckets hold their instant and follow each other without a gap', () => {
  const instants = fc.integer({ min: at('0001-01-01T00:00:00Z'), max: at('9999-12-31T23:59:59.999Z') });
  const buckets = fc.constantFrom<UsageBucket>('HOUR', 'DAY', 'MONTH');
  fc.assert(
    fc.property(buckets, instants, (bucket, instant) => {
      const start = bucketStart(bucket, instant);
      const end = bucketEnd(bucket, instant);
      assert.ok(start <= instant && instant < end);
      assert.equal(bucketStart(bucket, end), end);
      assert.equal(bucketEnd(bucket, start - 1), start);
    }),
  );
});

test('a window grows to the borders of the buckets it touches', () => {
  const grown = (start?: string, end?: string) => {
    const window = wholeBuckets('DAY', {
      ...(start === undefined ? {} : { start: at(start) }),
      ...(end === undefined ? {} : { end: at(end) }),
    });
    return [window.start, window.end].map((side) => (side === undefined ? undefined : text(side)));
  };
  const day = (date: number) => `2026-11-${date}T00:00:00.000Z`;
  assert.deepEqual(grown('2026-11-20T10:30:00Z', '2026-11-21T00:00:00.001Z'), [day(20), day(22)]);
  assert.deepEqual(grown(day(20), day(21)), [day(20), day(21)]);
  assert.deepEqual(grown(undefined, day(21)), [undefined, day(21)]);
  assert.deepEqual(grown('2026-11-20T10:30:00Z'), [day(20), undefined]);
  assert.deepEqual(
    grown('2026-11-20T10:30:00Z', '2026-11-20T10:30:00Z')[0],
    grown('2026-11-20T10:30:00Z', '2026-11-20T10:30:00Z')[1],
  );
});
