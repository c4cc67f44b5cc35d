import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, dayOf, HOUR } from '../instant.ts';
import type { Sighting } from './indicator.ts';
import { anyInstant, NOON } from './observation.test-support.ts';
import { DAILY_LIMIT, withSighting } from './sightings.ts';

const HIGHEST = 2n ** 64n - 1n;

function sightingsOf(observations: readonly Sighting[]): readonly Sighting[] {
  return observations.reduce<readonly Sighting[]>(
    (list, { sourceId, observedAt, count }) => withSighting(list, sourceId, observedAt, count),
    [],
  );
}

function total(sightings: readonly Sighting[], sourceId?: string): bigint {
  return sightings
    .filter((sighting) => sourceId === undefined || sighting.sourceId === sourceId)
    .reduce((sum, { count }) => sum + count, 0n);
}

test('one sighting per source and UTC day, newest first', () => {
  const sightings = sightingsOf([
    { sourceId: 'a', observedAt: NOON, count: 2n },
    { sourceId: 'b', observedAt: NOON + HOUR, count: 1n },
    { sourceId: 'a', observedAt: NOON - 2 * HOUR, count: 3n },
    { sourceId: 'a', observedAt: NOON - DAY, count: 7n },
  ]);
  assert.deepEqual(sightings, [
    { sourceId: 'b', observedAt: NOON + HOUR, count: 1n },
    { sourceId: 'a', observedAt: NOON, count: 5n },
    { sourceId: 'a', observedAt: NOON - DAY, count: 7n },
  ]);
});

test('older than the newest hundred: one per source, with the latest time and the sum', () => {
  const days = Array.from({ length: 130 }, (_, day) => ({
    sourceId: 'a',
    observedAt: NOON - day * DAY,
    count: 2n,
  }));
  const sightings = sightingsOf(days);
  assert.equal(sightings.length, DAILY_LIMIT + 1);
  assert.deepEqual(sightings.at(-1), { sourceId: 'a', observedAt: NOON - 100 * DAY, count: 60n });
  assert.equal(sightings.at(-2)?.observedAt, NOON - 99 * DAY);
});

test('which of two sources is folded on the oldest day does not hang on the time of day', () => {
  const newer = Array.from({ length: 99 }, (_, day) => ({
    sourceId: 'a',
    observedAt: NOON - day * DAY,
    count: 1n,
  }));
  const oldest = NOON - 99 * DAY;
  const early = { sourceId: 'a', observedAt: oldest - 2 * HOUR, count: 1n };
  const late = { sourceId: 'a', observedAt: oldest + 2 * HOUR, count: 1n };
  const other = { sourceId: 'b', observedAt: oldest, count: 1n };
  const expected = [{ ...late, count: 2n }, other];
  for (const last of [
    [early, other, late],
    [early, late, other],
    [other, late, early],
  ]) {
    assert.deepEqual(sightingsOf([...newer, ...last]).slice(99), expected);
  }
});

test('counts stop at the highest uint64', () => {
  const [sighting] = sightingsOf([
    { sourceId: 'a', observedAt: NOON, count: HIGHEST },
    { sourceId: 'a', observedAt: NOON, count: 1n },
  ]);
  assert.equal(sighting?.count, HIGHEST);
  assert.equal(sightingsOf([{ sourceId: 'a', observedAt: NOON, count: HIGHEST + 5n }])[0]?.count, HIGHEST);
});

test('the same sightings, in whatever order they come, and none is lost', () => {
  const sighting = fc.record({
    sourceId: fc.constantFrom('a', 'b', 'c'),
    observedAt: anyInstant,
    count: fc.bigInt({ min: 1n, max: 99n }),
  });
  fc.assert(
    fc.property(
      fc
        .array(sighting, { minLength: 90, maxLength: 250, size: 'max' })
        .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => {
        const sightings = sightingsOf(list);
        assert.deepEqual(sightingsOf(shuffled), sightings);
        for (const source of ['a', 'b', 'c']) assert.equal(total(sightings, source), total(list, source));
        const daily = sightings.slice(0, DAILY_LIMIT);
        const keys = daily.map(({ sourceId, observedAt }) => `${sourceId} ${dayOf(observedAt)}`);
        assert.equal(new Set(keys).size, keys.length);
        assert.ok(
          daily.every(({ observedAt }, index) => observedAt <= (daily[index - 1]?.observedAt ?? Infinity)),
        );
      },
    ),
    { numRuns: 50 },
  );
});
