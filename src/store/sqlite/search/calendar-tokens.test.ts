import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HOUR } from '../../../domain/instant.ts';
import { calendarTokens, coverWindow, hoursInside } from './calendar-tokens.ts';

const SEED = 20_260_314;
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

const instant = fc.oneof(
  fc.integer({ min: FIRST, max: LAST }),
  fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2051, 0, 1) }),
  fc
    .tuple(fc.integer({ min: 1998, max: 2051 }), fc.nat({ max: 11 }), fc.integer({ min: -1, max: 1 }))
    .map(([year, month, edge]) => Date.UTC(year, month, 1) + edge),
);
const side = fc.option(instant, { nil: undefined });

test('an instant inside a window has a token of the cover', () => {
  const property = fc.property(instant, side, side, (at, start, end) => {
    fc.pre((start === undefined || start <= at) && (end === undefined || at < end));
    const cover = coverWindow({
      ...(start === undefined ? {} : { start }),
      ...(end === undefined ? {} : { end }),
    });
    assert.ok(calendarTokens(at).some((token) => cover.includes(token)));
  });
  fc.assert(property, { seed: SEED, numRuns: 2_000 });
});

test('a cover holds no instant that is an hour or more outside, within the years of the calendar', () => {
  const within = fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2049, 11, 30) });
  const property = fc.property(within, within, within, (at, start, end) => {
    fc.pre(start < end && (at < start - HOUR || at > end + HOUR));
    const cover = coverWindow({ start, end });
    assert.ok(!calendarTokens(at).some((token) => cover.includes(token)));
  });
  fc.assert(property, { seed: SEED, numRuns: 2_000 });
});

test('an instant with a token of the hours inside is in the window', () => {
  const property = fc.property(instant, side, side, (at, start, end) => {
    const window = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
    const inside = hoursInside(window);
    if (calendarTokens(at).some((token) => inside.includes(token)))
      assert.ok((start === undefined || start <= at) && (end === undefined || at < end));
  });
  fc.assert(property, { seed: SEED, numRuns: 2_000 });
  assert.deepEqual(hoursInside({ start: Date.UTC(2026, 0, 1), end: Date.UTC(2027, 0, 1) }), ['y2026']);
  assert.deepEqual(hoursInside({ start: Date.UTC(2026, 0, 1) + 1, end: Date.UTC(2026, 0, 1) + HOUR }), []);
});

test('a cover is short and names nothing twice, however long the window', () => {
  const property = fc.property(side, side, (start, end) => {
    const cover = coverWindow({
      ...(start === undefined ? {} : { start }),
      ...(end === undefined ? {} : { end }),
    });
    assert.ok(cover.length >= 1 && cover.length <= 46 + 60 + 22 + 18 + 5);
    assert.equal(new Set(cover).size, cover.length);
    for (const token of cover) assert.match(token, /^[a-z][0-9]+$/);
  });
  fc.assert(property, { seed: SEED });
  assert.equal(coverWindow({}).length, 5);
});
