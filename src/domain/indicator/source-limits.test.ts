import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY } from '../instant.ts';
import { recompute, scoreIndicator } from '../score/confidence.ts';
import { higherOf, SEVERITIES, THREAT_CATEGORIES, TLP_MARKINGS } from '../vocabulary.ts';
import type { IndicatorRecord } from './indicator.ts';
import { LABEL_LIMIT, TAG_LIMIT } from './merge.ts';
import { anyObservation, NOON, observation, recordOf } from './observation.test-support.ts';
import type { Observation } from './sensor-event.ts';
import { DAILY_LIMIT } from './sightings.ts';
import {
  CREDENTIAL_SOURCE_LIMIT,
  OTHER_GROUPS,
  OTHER_SOURCES,
  OTHERS_LIMIT,
  SOURCE_LIMIT,
} from './source-limits.ts';

/** Observations of one credential under many source names. */
function under(
  group: string,
  names: number,
  changes: Partial<Observation> = {},
  reliability = 0.5,
): Observation[] {
  return Array.from({ length: names }, (_, index) => {
    const id = `${group}-${index}`;
    return observation({ group, source: { id, name: id, reliability }, sensorId: '', ...changes });
  });
}

/** Four credentials have used up all names. */
const CROWD = ['g1', 'g2', 'g3', 'g4'].flatMap((group) => under(group, CREDENTIAL_SOURCE_LIMIT + 1));

function groupsOf(record: IndicatorRecord): readonly string[] {
  return scoreIndicator(record).groups.map(({ group }) => group);
}

test('one credential takes a quarter of the names, whatever it invents', () => {
  const { indicator, evidence } = recordOf(under('g1', 300, { count: 2n }));
  assert.equal(evidence.sources.length, CREDENTIAL_SOURCE_LIMIT + 1);
  assert.equal(indicator.sources.length, CREDENTIAL_SOURCE_LIMIT + 1);
  const { id, name, reliability } = indicator.sources.find((one) => one.id === OTHER_SOURCES.id) ?? {};
  assert.deepEqual({ id, name, reliability }, { ...OTHER_SOURCES, reliability: 0.5 });
  assert.equal(
    indicator.sightings.reduce((sum, { count }) => sum + count, 0n),
    600n,
  );
  const another = recordOf([...under('g1', 300), ...under('g2', 1)]);
  assert.ok(another.indicator.sources.some((one) => one.id === 'g2-0'));
});

test('beyond all names a credential still counts as one more independent group', () => {
  const crowded = recordOf(CROWD);
  const record = recordOf([...CROWD, ...under('late', 1, { quality: 1 }, 0.9)]);
  assert.equal(record.evidence.sources.length, SOURCE_LIMIT + 5);
  assert.ok(!record.indicator.sources.some((one) => one.id === 'late-0'), 'its name is left out');
  assert.deepEqual(groupsOf(record), ['g1', 'g2', 'g3', 'g4', 'late']);
  const late = scoreIndicator(record).groups.find(({ group }) => group === 'late');
  assert.deepEqual([late?.sourceId, late?.probability], [OTHER_SOURCES.id, 0.9]);
  assert.ok(scoreIndicator(record).score > scoreIndicator(crowded).score);
});

test('groups beyond all bounds are one: no more is claimed than can be shown', () => {
  const many = Array.from({ length: OTHERS_LIMIT + 20 }, (_, index) => under(`many-${index}`, 1)).flat();
  const record = recordOf([...CROWD, ...many]);
  assert.equal(record.evidence.sources.length, SOURCE_LIMIT + OTHERS_LIMIT + 1);
  assert.ok(groupsOf(record).includes(OTHER_GROUPS));
  const better = recordOf([
    ...CROWD,
    ...many,
    ...under('many-0', 1, {}, 0.9),
    ...under('many-270', 1, {}, 0.8),
  ]);
  assert.equal(better.evidence.sources.length, record.evidence.sources.length);
  const reliabilityOf = (group: string) =>
    better.evidence.sources.find((one) => one.group === group)?.reliability;
  assert.deepEqual([reliabilityOf('many-0'), reliabilityOf(OTHER_GROUPS)], [0.9, 0.8]);
});

test('sources with groups of their own share the places of their credential', () => {
  const named = under('aggregator', 300).map((one, index) => ({
    ...one,
    group: `source:${index}`,
    credential: 'aggregator',
    tags: [`${index}-a`, `${index}-b`],
  }));
  const { indicator, evidence } = recordOf(named);
  assert.equal(evidence.sources.length, CREDENTIAL_SOURCE_LIMIT + 1);
  assert.equal(indicator.tags.length, TAG_LIMIT / 2);
  const [others] = evidence.sources.filter(({ sourceId }) => sourceId === OTHER_SOURCES.id);
  assert.equal(others?.group, 'aggregator', 'beyond the names it counts once');
});

test('who names the other sources is one of them', () => {
  const { indicator } = recordOf([
    observation({ source: { id: OTHER_SOURCES.id, name: 'Trust me', reliability: 0.9 } }),
  ]);
  assert.equal(indicator.sources[0]?.name, OTHER_SOURCES.name);
});

test('a source that is told apart stays so, and one that is not stays among the others', () => {
  const later = { observedAt: NOON + DAY };
  const { evidence } = recordOf([...CROWD, ...under('g1', CREDENTIAL_SOURCE_LIMIT + 2, later)]);
  assert.equal(evidence.sources.length, SOURCE_LIMIT + 4);
  const kept = evidence.sources.find((one) => one.sourceId === 'g1-0');
  assert.equal(kept?.lastObservedAt, NOON + DAY);
});

const text = (prefix: string) => fc.nat({ max: 999 }).map((number) => `${prefix}${number}`);
const anyOfMany = fc
  .tuple(
    anyObservation,
    fc.record({
      source: fc.record({
        id: text('s'),
        name: text('n'),
        reliability: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      group: fc.oneof(fc.constantFrom('g1', 'g2', 'late'), text('g')),
      tags: fc.array(text('t'), { maxLength: 50 }),
      labels: fc.array(fc.record({ key: text('k'), value: text('v') }), { maxLength: 50 }),
    }),
  )
  .map(([one, changes]): Observation => ({ ...one, ...changes, count: 3n }));

/** Shrinking hundreds of observations would take too long. */
const LONG_RUNS = { numRuns: 30, endOnFailure: true };

test('whatever others reported before, an observation counts, and the record stays small', () => {
  const before = fc.oneof(
    fc.constant([]),
    fc.constant(CROWD),
    fc.array(anyOfMany, { minLength: 200, maxLength: 400, size: 'max' }),
  );
  fc.assert(
    fc.property(before, fc.array(anyOfMany, { minLength: 1, maxLength: 20 }), (others, list) => {
      const all = [...others, ...list];
      const record = recordOf(all);
      const { indicator, evidence } = record;
      assert.equal(
        indicator.sightings.reduce((sum, { count }) => sum + count, 0n),
        all.reduce((sum, { count }) => sum + count, 0n),
      );
      assert.equal(indicator.lastSeen, Math.max(...all.map(({ observedAt }) => observedAt)));
      assert.equal(indicator.firstSeen, Math.min(...all.map(({ observedAt }) => observedAt)));
      for (const one of all) {
        assert.equal(higherOf(SEVERITIES, one.severity, indicator.severity), indicator.severity);
        assert.equal(higherOf(TLP_MARKINGS, one.tlp, indicator.tlp), indicator.tlp);
      }
      const categories = new Set(all.flatMap((one) => one.categories));
      assert.deepEqual(
        indicator.categories,
        THREAT_CATEGORIES.filter((one) => categories.has(one)),
      );

      assert.ok(indicator.tags.length <= TAG_LIMIT && indicator.labels.length <= LABEL_LIMIT + 1);
      assert.ok(evidence.sources.length <= SOURCE_LIMIT + OTHERS_LIMIT + 1);
      assert.ok(indicator.sources.length <= SOURCE_LIMIT + 1);
      assert.ok(indicator.sightings.length <= DAILY_LIMIT + SOURCE_LIMIT + 1);
      const named = new Set(indicator.sources.map(({ id }) => id));
      assert.ok(indicator.sightings.every(({ sourceId }) => named.has(sourceId)));

      // Each group counts once, with its best evidence.
      const receipt = scoreIndicator(record);
      assert.equal(recompute(receipt), receipt.score);
      const groups = new Map(receipt.groups.map((group) => [group.group, group]));
      assert.ok(groups.size <= new Set(all.map(({ group }) => group)).size);
      for (const { group, source, quality, observedAt } of all) {
        const merged = groups.get(group) ?? groups.get(OTHER_GROUPS);
        assert.ok(merged !== undefined);
        if (observedAt === indicator.lastSeen) assert.ok(merged.probability >= source.reliability * quality);
      }
    }),
    LONG_RUNS,
  );
});

test('what is known is never pushed out by what comes', () => {
  fc.assert(
    fc.property(fc.array(anyOfMany, { minLength: 2, maxLength: 120, size: 'max' }), (list) => {
      const before = recordOf([...CROWD, ...list.slice(1)]);
      const after = recordOf([...CROWD, ...list.slice(1), ...list.slice(0, 1)]);
      const known = new Set(after.evidence.sources.map(({ sourceId, group }) => `${sourceId} ${group}`));
      assert.ok(before.evidence.sources.every(({ sourceId, group }) => known.has(`${sourceId} ${group}`)));
      assert.ok(before.indicator.tags.every((tag) => after.indicator.tags.includes(tag)));
    }),
    LONG_RUNS,
  );
});
