import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareText } from '../sorted-list.ts';
import { type Reported, withinShare } from './shares.ts';

const LIMIT = 100;
const NOTHING: Reported<string> = { items: [], groups: [] };

function words(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);
}

type Report = readonly [group: string, items: readonly string[]];

function allOf(reports: readonly Report[], limit = LIMIT): Reported<string> {
  return reports.reduce(
    (known, [group, items]) => withinShare(known, items, group, compareText, limit),
    NOTHING,
  );
}

test('each credential takes half of what the others leave', () => {
  const groups = words('g', 8);
  const { groups: kept } = allOf(groups.map((group) => [group, words(`${group}-`, 500)]));
  const counts = groups.map((group) => kept.filter((one) => one === group).length);
  assert.deepEqual(counts, [50, 25, 13, 6, 3, 2, 1, 0]);
});

test('of new items those that sort first are kept', () => {
  const { items } = allOf([['a', ['3', '1', '2', '0']]], 4);
  assert.deepEqual(items, ['0', '1']);
});

test('items that others reported too leave room for more', () => {
  const shared = words('s', 50);
  const { items } = allOf([
    ['b', shared],
    ['a', shared],
    ['b', ['new']],
  ]);
  assert.equal(items.length, 51);
});

test('items of records without groups stay and belong to nobody', () => {
  const known = { items: words('old', 90), groups: words('old', 90).map(() => '') };
  const { items } = withinShare(known, words('new', 20), 'a', compareText, LIMIT);
  assert.deepEqual([items.length, items.filter((one) => one.startsWith('old')).length], [95, 90]);
});

const anyReport = fc.tuple(
  fc.constantFrom('g1', 'g2', 'g3', 'g4'),
  fc.array(
    fc.nat({ max: 60 }).map((number) => `t${number}`),
    { maxLength: 20 },
  ),
);

test('within the limits the order of reports is irrelevant', () => {
  fc.assert(
    fc.property(fc.array(anyReport), fc.gen(), (reports, random) => {
      const shuffled = reports
        .map((report) => ({ report, key: random(fc.nat) }))
        .sort((a, b) => a.key - b.key)
        .map(({ report }) => report);
      assert.deepEqual(allOf(shuffled, 1_000), allOf(reports, 1_000));
    }),
  );
});

test('a group cannot make room for another by taking over its items', () => {
  const reports: [string, string[]][] = [];
  for (let round = 0; round < 20; round++) {
    const items = words(`round ${String.fromCharCode(97 + round)}`, 4);
    reports.push(['g2', items], ['g1', items]);
  }
  const after = withinShare(allOf(reports, 20), ['malware'], 'late', compareText, 20);
  assert.ok(after.items.includes('malware'));
});

test('nothing is pushed out, nothing exceeds the limit, and a newcomer finds room beside four others', () => {
  fc.assert(
    fc.property(fc.array(anyReport, { maxLength: 30 }), (reports) => {
      const before = allOf(reports, 20);
      const after = withinShare(before, ['malware'], 'late', compareText, 20);
      assert.ok(before.items.every((item) => after.items.includes(item)));
      assert.ok(after.items.length <= 20);
      assert.equal(after.items.length, after.groups.length);
      assert.deepEqual(after.items, [...new Set(after.items)].sort(compareText));
      assert.ok(after.items.includes('malware'));
    }),
  );
});
