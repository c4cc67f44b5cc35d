import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { combined, counted, EMPTY_TALLY, type Occurrence, type Tally, within } from './tally.ts';

const LIMIT = 2_000;

interface Report extends Occurrence {
  readonly key: string;
  readonly value: string;
}

function report(value: string, changes: Partial<Report> = {}): Report {
  return { key: 'command.input', value, owner: 'a', at: 1, count: 1n, ...changes };
}

function tallied(reports: readonly Report[], limit = LIMIT): Tally {
  return reports.reduce((tally, one) => counted(tally, [one], one, limit), EMPTY_TALLY);
}

/** The values with their counts, sorted. */
function shown({ items }: Tally): string[] {
  return [...items.values()].map(({ value, count }) => `${value} ${count}`).toSorted();
}

const anyReport = fc.record({
  key: fc.constantFrom('login.user', 'command.input', '__proto__'),
  value: fc.oneof(fc.constantFrom('a', 'b', 'c', ''), fc.string({ unit: 'binary', maxLength: 60 })),
  owner: fc.constantFrom('a', 'b', 'c'),
  at: fc.nat({ max: 2_000_000_000_000 }),
  count: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
});

test('without a need for room, count, first and last are exact, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(anyReport, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (reports, numbers) => {
      const shuffled = reports
        .map((one) => ({ one, at: numbers.next().value ?? 0 }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one);
      const expected = new Map<string, readonly [number, number, number]>();
      for (const { key, value, at, count } of reports) {
        const [sum, first, last] = expected.get(`${key}\0${value}`) ?? [0, at, at];
        const more = Number(count > 2n ** 53n - 1n ? 2n ** 53n - 1n : count);
        const total = Math.min(sum + more, Number.MAX_SAFE_INTEGER);
        expected.set(`${key}\0${value}`, [total, Math.min(first, at), Math.max(last, at)]);
      }
      const { items, dropped } = tallied(shuffled, 1_000_000);
      assert.equal(dropped, 0);
      assert.deepEqual(
        new Map([...items].map(([id, { count, first, last }]) => [id, [count, first, last]])),
        expected,
      );
    }),
  );
});

test('whatever is reported, it stays within its bytes and counts what it gave up', () => {
  fc.assert(
    fc.property(fc.array(anyReport, { maxLength: 120 }), (reports) => {
      const { bytes, items, dropped } = tallied(reports, 700);
      assert.ok(bytes <= 700);
      assert.equal(within({ bytes, items, dropped }, 700).bytes, bytes);
      const distinct = new Set(reports.map(({ key, value }) => `${key}\0${value}`)).size;
      assert.ok(items.size + dropped >= distinct);
    }),
  );
});

test('of many values the newest and the most frequent stay', () => {
  const reports = Array.from({ length: 500 }, (_, index) => [
    report(`flood ${index}`, { at: index }),
    ...(index < 300 ? [report('often', { at: index }), report('also often', { at: index })] : []),
  ]).flat();
  const values = shown(tallied(reports));
  assert.ok(values.includes('often 300') && values.includes('also often 300'), values.join());
  assert.ok(values.includes('flood 499 1') && values.includes('flood 490 1'), values.join());
  assert.ok(!values.includes('flood 0 1'));
});

test('a flood of one reporter, or under one key, pushes out only its own', () => {
  const quiet = [report('uname', { owner: 'b' }), report('22', { key: 'destination.port' })];
  // It reports what the quiet one reports, too.
  const before = report('uname', { owner: 'a', at: 0 });
  const flood = Array.from({ length: 2_000 }, (_, index) => report(`flood ${index}`, { at: 5 + index }));
  const values = shown(tallied([before, ...flood.slice(0, 40), ...quiet, ...flood.slice(40)]));
  assert.ok(values.includes('22 1'), values.join());
  assert.ok(
    values.some((value) => value.startsWith('uname')),
    values.join(),
  );
});

test('readers of several tallies see sums', () => {
  const one = tallied([report('ls', { at: 5 }), report('id')]);
  const other = tallied([report('ls', { at: 9, count: 4n, owner: 'b' })]);
  const both = combined([one, other]);
  assert.deepEqual(shown(both), ['id 1', 'ls 5']);
  assert.deepEqual(combined([]), EMPTY_TALLY);
  const item = both.items.get('command.input\0ls');
  assert.deepEqual([item?.first, item?.last], [5, 9]);
});
