import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UNPROVEN } from '../evidence/quality.ts';
import type { IndicatorRecord, SourceEvidence } from '../indicator/indicator.ts';
import {
  anyObservation,
  NOON,
  OBSERVATION,
  observation,
  recordOf,
} from '../indicator/observation.test-support.ts';
import { DAY } from '../instant.ts';
import { INDICATOR_TYPES, type IndicatorType } from '../vocabulary.ts';
import { imposedCaps, recompute, scoreIndicator } from './confidence.ts';
import type { ReceiptAdjustment, ReceiptCap } from './score-receipt.ts';

const anyRecord = fc.array(anyObservation, { minLength: 1, maxLength: 30 }).map((list) => recordOf(list));
const anyAdjustments: fc.Arbitrary<ReceiptAdjustment[]> = fc.array(
  fc.record({
    enricher: fc.constantFrom('a', 'b'),
    points: fc.double({ min: -30, max: 30, noNaN: true }),
    because: fc.constant('because'),
  }),
  { maxLength: 3 },
);

function ofType(record: IndicatorRecord, type: IndicatorType): IndicatorRecord {
  return { ...record, indicator: { ...record.indicator, type } };
}

function scoreOf(record: IndicatorRecord): number {
  return scoreIndicator(record).score;
}

function source(group: string, reliability: number, quality = 1): Partial<typeof OBSERVATION> {
  return { group, source: { id: `s-${group}`, name: group, reliability }, quality, sensorId: '' };
}

test('worked examples', () => {
  const score = (...list: Partial<typeof OBSERVATION>[]) => scoreOf(recordOf(list.map(observation)));
  assert.equal(score(source('a', 0.7, 0.6)), 42);
  assert.equal(score(source('a', 0.7, 0.6), source('b', 0.5, 0.5)), 59, 'two events: a little less doubt');
  assert.equal(
    score(source('a', 0.7, 0.6), { ...source('a', 0.5, 0.5), source: OBSERVATION.source }),
    44,
    'one group',
  );
  assert.equal(score({ ...source('a', 0.9, 0.8), sensorId: 'x' }), 72, 'one dialogue with a sensor');
  assert.equal(score(source('a', 0)), 0, 'repetition makes nothing out of nothing');
});

test('the receipt shows every term', () => {
  const receipt = scoreIndicator(
    recordOf([
      observation({ ...source('b', 0.5), source: { id: 's-0', name: '', reliability: 0.5 } }),
      observation({ ...source('a', 1, 0.8), observedAt: NOON - 7.5 * DAY }),
    ]),
    [{ enricher: 'lists', points: 25, because: 'test' }],
    [{ rule: 'warning-list', limit: 60, because: 'test' }],
  );
  const { corroboration, groups } = receipt;
  assert.deepEqual(
    { ...corroboration, doubt: corroboration.doubt.toFixed(4) },
    { sensorDays: 0, doublings: 1, acts: 1, spanDoublings: 13, doubt: '0.7315' },
  );
  const certainty = 1 - (1 - 0.8) * corroboration.doubt;
  assert.deepEqual(groups, [
    {
      group: 'a',
      sourceId: 's-a',
      sourceName: 'a',
      reliability: 1,
      quality: 0.8,
      certainty,
      lastObservedAt: NOON - 7.5 * DAY,
      recency: 0.5,
      probability: certainty / 2,
    },
    {
      group: 'b',
      sourceId: 's-0',
      sourceName: '',
      reliability: 0.5,
      quality: 1,
      certainty: 1,
      lastObservedAt: NOON,
      recency: 1,
      probability: 0.5,
    },
  ]);
  assert.equal(receipt.combined, 1 - (1 - certainty / 2) * 0.5);
  assert.equal(receipt.adjustment, 10, 'bounded');
  assert.equal(receipt.score, 60, 'the cap comes last');
  assert.deepEqual(receipt.lifetime, {
    days: 4,
    because: 'an address that scanned',
    persistence: 1,
    trust: 1.1,
    share: 1,
  });
  assert.equal(receipt.validUntil, NOON + 4.4 * DAY);
  assert.deepEqual(
    imposedCaps(receipt).map(({ rule }) => rule),
    ['warning-list'],
  );
});

test('what proves nothing stays at 40, however often and by however many it is reported', () => {
  fc.assert(
    fc.property(
      fc.array(anyObservation, { minLength: 1, maxLength: 40 }),
      fc.double({ min: 0, max: UNPROVEN, noNaN: true }),
      (list, quality) => {
        const record = recordOf(list.map((one) => ({ ...one, quality })));
        assert.ok(scoreIndicator(record).score <= 40);
      },
    ),
  );
  const proven = recordOf([observation(source('a', 1, UNPROVEN)), observation(source('b', 0.9, 0.8))]);
  assert.ok(scoreOf(proven) > 72, 'beside a dialogue it counts');
});

test('a source never counts for more than its reliability', () => {
  fc.assert(
    fc.property(
      fc.array(anyObservation, { minLength: 1, maxLength: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (list, reliability) => {
        const record = recordOf(
          list.map((one) => ({ ...one, group: 'g', source: { ...one.source, reliability } })),
        );
        assert.ok(scoreIndicator(record).score <= 100 * reliability + 0.5);
      },
    ),
  );
});

test('of several factors the smallest counts, once, and before the adjustment', () => {
  // Quality 1 leaves no doubt that repetition could remove.
  const record = recordOf([observation(source('a', 0.8)), observation(source('b', 0.5))]);
  const shared = (factor: number, limit = 100) => ({ rule: 'warning-list', limit, factor, because: 'test' });
  const scoreWith = (caps: ReceiptCap[], points = 0) =>
    scoreIndicator(record, [{ enricher: 'a', points, because: 'test' }], caps).score;
  assert.equal(scoreWith([]), 90);
  assert.equal(scoreWith([shared(0.5)]), 45);
  assert.equal(scoreWith([shared(0.5), shared(0.5), shared(0.75)]), 45);
  assert.equal(scoreWith([shared(0.5)], 7), 52);
  assert.equal(scoreWith([shared(0.5, 40)], 7), 40);
});

test('a receipt alone gives the score again', () => {
  const cap = fc.record({
    rule: fc.constant('list'),
    limit: fc.integer({ min: 0, max: 100 }),
    because: fc.string(),
    factor: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      anyRecord,
      fc.constantFrom(...INDICATOR_TYPES),
      anyAdjustments,
      fc.array(cap, { maxLength: 2 }),
      (record, type, adjustments, caps) => {
        const receipt = scoreIndicator(ofType(record, type), adjustments, caps);
        assert.equal(recompute(receipt), receipt.score);
        assert.equal(recompute(JSON.parse(JSON.stringify(receipt))), receipt.score);
        assert.ok(Number.isInteger(receipt.score) && receipt.score >= 0 && receipt.score <= 100);
      },
    ),
  );
});

test('one group alone stays below 90, whatever it says and however often', () => {
  fc.assert(
    fc.property(
      fc.array(anyObservation, { minLength: 1, maxLength: 40 }),
      anyAdjustments,
      (list, adjustments) => {
        const record = recordOf(
          list.map((one) => ({ ...one, group: 'g', quality: 1, source: { ...one.source, reliability: 1 } })),
        );
        assert.ok(scoreIndicator(record, adjustments).score <= 89);
        assert.ok(scoreIndicator(ofType(record, 'JA3'), adjustments).score <= 50);
      },
    ),
  );
  const two = recordOf([observation(source('a', 1)), observation(source('b', 1))]);
  assert.equal(scoreOf(two), 100);
  assert.equal(scoreOf(ofType(two, 'JA3')), 100);
});

test('one more observation no later than lastSeen never lowers the score', () => {
  fc.assert(
    fc.property(fc.array(anyObservation, { minLength: 1, maxLength: 20 }), anyObservation, (list, more) => {
      const record = recordOf(list);
      const observedAt = Math.min(more.observedAt, record.indicator.lastSeen);
      assert.ok(scoreOf(recordOf([...list, { ...more, observedAt }])) >= scoreOf(record));
    }),
  );
});

test('the receipt does not depend on the order of the observations', () => {
  const lists = fc.array(anyObservation, { minLength: 1, maxLength: 20 });
  const shuffled = lists.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      assert.deepEqual(scoreIndicator(recordOf(other)), scoreIndicator(recordOf(list)));
    }),
  );
});

test('another day of a sensor never lowers the score, and twenty days raise it', () => {
  const days = (n: number) =>
    scoreOf(
      recordOf(
        Array.from({ length: n }, (_, day) =>
          observation({ ...source('a', 0.9, 0.8), sensorId: 'x', observedAt: NOON - day * DAY }),
        ),
      ),
    );
  for (let n = 1; n < 40; n++) assert.ok(days(n + 1) >= days(n));
  assert.ok(days(20) >= days(1) + 10);
});

test('more reliable, better proven or more recent evidence never lowers the score', () => {
  fc.assert(
    fc.property(anyRecord, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (record, choice, share) => {
      const { sources } = record.evidence;
      const place = choice % sources.length;
      const weaker = sources[place];
      assert.ok(weaker);
      const { lastSeen } = record.indicator;
      const stronger: SourceEvidence = {
        ...weaker,
        reliability: weaker.reliability + share * (1 - weaker.reliability),
        quality: weaker.quality + share * (1 - weaker.quality),
        lastObservedAt: weaker.lastObservedAt + Math.floor(share * (lastSeen - weaker.lastObservedAt)),
      };
      const better = { ...record, evidence: { ...record.evidence, sources: sources.with(place, stronger) } };
      assert.ok(scoreOf(better) >= scoreOf(record));
    }),
  );
});

test('the score is the same on any day: only the spans between observations count', () => {
  fc.assert(
    fc.property(
      fc.array(anyObservation, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: -999, max: 999 }),
      (list, days) => {
        const later = list.map((one) => ({ ...one, observedAt: one.observedAt + days * DAY }));
        assert.equal(scoreOf(recordOf(later)), scoreOf(recordOf(list)));
      },
    ),
  );
});

test('file hashes do not decay', () => {
  const record = recordOf([
    observation({ ...source('a', 0.5), observedAt: 0 }),
    observation(source('b', 0.5)),
  ]);
  const receipt = scoreIndicator(ofType(record, 'FILE_HASH_SHA256'));
  assert.equal(receipt.score, 75);
  assert.equal('validUntil' in receipt, false);
  assert.equal('decay' in receipt, false);
});
