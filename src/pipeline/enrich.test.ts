import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { mergeObservation } from '../domain/indicator/merge.ts';
import {
  CONTEXT,
  NOON,
  OBSERVATION,
  observation,
  recordOf,
} from '../domain/indicator/observation.test-support.ts';
import { DAY } from '../domain/instant.ts';
import { enrich } from './enrich.ts';
import type { Enricher, Finding, Signal } from './enricher.ts';
import { LOCAL_ENRICHERS } from './enrichers/enricher.test-support.ts';
import { score } from './score.ts';

const OPTIONS = { at: NOON + 10, timeoutMs: 1_000 };
const SCORED = score(recordOf([OBSERVATION]), NOON);
const RISK: NonNullable<Finding['risk']> = {
  model: 'm',
  version: '1',
  score: 0.5,
  features: {},
  weights: {},
};

function enricher(name: string, find: (signal: Signal) => Finding | Promise<Finding>): Enricher {
  return { name, appliesTo: () => true, enrich: find };
}

const BASICS = enricher('basics', () => ({ summary: 'A summary.', risk: RISK }));

function fails(name: string, error: unknown = new Error('secret path')): Enricher {
  return enricher(name, () => {
    throw error;
  });
}

function inState(state: IndicatorRecord['indicator']['state'], record = SCORED): IndicatorRecord {
  return { ...record, indicator: { ...record.indicator, state } };
}

test('the default enrichers take a SCORED indicator to ENRICHED', async () => {
  const { record, outcome } = await enrich(SCORED, LOCAL_ENRICHERS, OPTIONS);
  assert.equal(outcome, 'enriched');
  const { indicator, receipt, history } = record;
  assert.equal(indicator.state, 'ENRICHED');
  assert.equal(indicator.enrichment?.enrichedAt, OPTIONS.at);
  assert.deepEqual(indicator.enrichment?.attackTechniques, ['T0888']);
  assert.equal(indicator.enrichment?.riskScore, receipt?.risk?.score);
  assert.notEqual(indicator.enrichment?.aiSummary, '');
  assert.deepEqual(receipt?.techniques, [{ id: 'T0888', because: 'modbus:read-device-identification' }]);
  assert.equal(receipt?.risk?.model, 'evidence-logistic');
  assert.equal(receipt && 'failures' in receipt, false);
  assert.ok(indicator.updatedAt > SCORED.indicator.updatedAt);
  assert.equal(history.at(-1)?.to, 'ENRICHED');
});

test('findings are put together in order; each enricher is told what those before it found', async () => {
  const told: Signal[] = [];
  const { record } = await enrich(
    SCORED,
    [
      enricher('geo', () => ({ geo: { countryCode: 'NL', city: 'Delft' }, malwareFamilies: ['B'] })),
      enricher('asn', async () => ({
        asn: { number: 64496, organization: 'Example' },
        malwareFamilies: ['A', 'B'],
        techniques: [{ id: 'T1105', because: 'asn' }],
        adjustment: { points: 7, because: 'hosting' },
      })),
      enricher('late', (signal) => {
        told.push(signal);
        return {
          techniques: [
            { id: 'T1105', because: 'late' },
            { id: 'T0888', because: 'late' },
          ],
          reverseDns: 'a.example',
        };
      }),
      BASICS,
    ],
    OPTIONS,
  );
  assert.deepEqual(record.indicator.enrichment, {
    geo: { countryCode: 'NL', city: 'Delft' },
    asn: { number: 64496, organization: 'Example' },
    reverseDns: 'a.example',
    malwareFamilies: ['A', 'B'],
    attackTechniques: ['T0888', 'T1105'],
    aiSummary: 'A summary.',
    riskScore: 0.5,
    enrichedAt: OPTIONS.at,
  });
  assert.equal(told[0]?.findings.asn?.number, 64496);
  assert.equal(told[0]?.receipt.score, 49, 'scored with the adjustment already');
  assert.equal(record.indicator.confidenceScore, 49);
  assert.deepEqual(record.receipt?.adjustments, [{ enricher: 'asn', points: 7, because: 'hosting' }]);
  assert.deepEqual(record.receipt?.techniques?.[1], { id: 'T1105', because: 'asn' });
});

test('a failing enricher is recorded without its secrets and stops no other', async () => {
  const { record, outcome } = await enrich(
    SCORED,
    [
      fails('thrown'),
      enricher('rejected', () =>
        Promise.reject(new ServiceError('unavailable', 'resolver is away', { reason: 'INTERNAL' })),
      ),
      { ...fails('choosy'), appliesTo: () => false },
      {
        name: 'undecided',
        appliesTo: () => {
          throw new TypeError('x');
        },
        enrich: () => ({}),
      },
      fails('odd', 'a string'),
      BASICS,
    ],
    OPTIONS,
  );
  assert.equal(outcome, 'enriched');
  assert.equal(record.indicator.state, 'ENRICHED');
  assert.deepEqual(record.receipt?.failures, [
    { enricher: 'thrown', reason: 'failed (Error)' },
    { enricher: 'rejected', reason: 'resolver is away' },
    { enricher: 'undecided', reason: 'failed (TypeError)' },
    { enricher: 'odd', reason: 'failed' },
  ]);
});

test('caps bound the score, under the name of their enricher, for what comes after too', async () => {
  const told: number[] = [];
  const { record } = await enrich(
    SCORED,
    [
      enricher('lists', () => ({
        caps: [
          { limit: 10, because: 'known' },
          { limit: 40, factor: 0.5, because: 'shared' },
        ],
        warningLists: [{ name: 'A', version: '1', entry: 'x', standing: 'noted' }],
        datasets: [{ name: 'B', builtAt: NOON }],
      })),
      enricher('late', ({ receipt }) => {
        told.push(receipt.score);
        return { datasets: [{ name: 'A', builtAt: NOON }] };
      }),
      BASICS,
    ],
    OPTIONS,
  );
  assert.deepEqual(told, [10]);
  assert.equal(record.indicator.confidenceScore, 10);
  assert.equal(record.indicator.validUntil, NOON + 4 * 0.6 * 0.5 * DAY, 'soon stale, but not at once');
  assert.deepEqual(
    record.receipt?.caps.map(({ rule, limit, factor }) => [rule, limit, factor]),
    [
      ['single-source', 89, undefined],
      ['lists', 10, undefined],
      ['lists', 40, 0.5],
    ],
  );
  assert.deepEqual(record.receipt?.warningLists, [
    { name: 'A', version: '1', entry: 'x', standing: 'noted' },
  ]);
  assert.deepEqual(
    record.receipt?.datasets?.map(({ name }) => name),
    ['A', 'B'],
  );
});

test('a bounded severity is shown and told to those after; it comes back when the bound goes', async () => {
  const high = score(recordOf([observation({ severity: 'HIGH' })]), NOON);
  const told: string[] = [];
  const bounding = [
    enricher('lists', () => ({ severityBound: { limit: 'LOW', because: 'research' } })),
    enricher('late', (signal) => {
      told.push(signal.record.indicator.severity);
      return {};
    }),
    BASICS,
  ];
  const once = (await enrich(high, bounding, OPTIONS)).record;
  assert.deepEqual(told, ['LOW']);
  assert.equal(once.indicator.severity, 'LOW');
  assert.deepEqual(once.receipt?.severity, { observed: 'HIGH', limit: 'LOW', because: 'research' });

  const rescored = score(mergeObservation(once, observation({ severity: 'MEDIUM' }), CONTEXT), NOON);
  assert.equal(rescored.indicator.severity, 'LOW', 'also before it is enriched again');
  const twice = (await enrich(rescored, bounding, OPTIONS)).record;
  assert.equal(twice.indicator.severity, 'LOW');
  assert.equal(twice.receipt?.severity?.observed, 'HIGH');

  const freed = (await enrich(twice, [BASICS], OPTIONS)).record;
  assert.equal(freed.indicator.severity, 'HIGH');
  assert.equal(freed.receipt && 'severity' in freed.receipt, false);
});

test('an enricher that takes too long fails, and its late answer is passed over', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { promise, reject } = Promise.withResolvers<Finding>();
    const running = enrich(SCORED, [enricher('slow', () => promise), BASICS], OPTIONS);
    mock.timers.tick(999);
    mock.timers.tick(1);
    const { record } = await running;
    assert.deepEqual(record.receipt?.failures, [{ enricher: 'slow', reason: 'no answer within 1000 ms' }]);
    reject(new Error('late'));
  } finally {
    mock.timers.reset();
  }
});

test('findings out of range make a failure, not a broken indicator', async () => {
  const bad: Finding[] = [
    { risk: { ...RISK, score: Number.NaN } },
    { risk: { ...RISK, score: 1.1 } },
    { summary: '' },
    { summary: 'x'.repeat(4_001) },
    { techniques: [{ id: 'T12', because: '' }] },
    { adjustment: { points: Number.POSITIVE_INFINITY, because: '' } },
    { caps: [{ limit: 101, because: '' }] },
    { caps: [{ limit: 10, factor: 2, because: '' }] },
  ];
  for (const finding of bad) {
    const { record } = await enrich(SCORED, [enricher('bad', () => finding), BASICS], OPTIONS);
    assert.equal(record.receipt?.failures?.length, 1, JSON.stringify(finding));
    assert.equal(record.indicator.enrichment?.riskScore, 0.5);
  }
});

test('when all that apply fail it is to be tried again, and the state does not move', async () => {
  const { record, outcome } = await enrich(
    SCORED,
    [fails('a'), { ...BASICS, appliesTo: () => false }],
    OPTIONS,
  );
  assert.equal(outcome, 'retry');
  assert.deepEqual(record.indicator, SCORED.indicator);
  assert.deepEqual(record.receipt?.failures, [{ enricher: 'a', reason: 'failed (Error)' }]);
  const enriched = await enrich(SCORED, [BASICS], OPTIONS);
  const again = await enrich(enriched.record, [fails('a')], OPTIONS);
  assert.equal(again.outcome, 'retry');
  assert.deepEqual(again.record.indicator, enriched.record.indicator);
});

test('without a summary or a risk an indicator is not enriched', async () => {
  for (const finding of [{ summary: 'x' }, { risk: RISK }]) {
    assert.equal((await enrich(SCORED, [enricher('half', () => finding)], OPTIONS)).outcome, 'retry');
  }
  assert.equal((await enrich(SCORED, [], OPTIONS)).outcome, 'retry');
});

test('enriching again keeps the state, renews the findings and drops what no longer holds', async () => {
  const geo = enricher('geo', () => ({
    geo: { countryCode: 'NL', city: '' },
    techniques: [{ id: 'T1105', because: 'x' }],
    adjustment: { points: 3, because: 'x' },
  }));
  const first = await enrich(SCORED, [geo, BASICS], OPTIONS);
  for (const state of ['ENRICHED', 'VERIFIED'] as const) {
    const record = inState(state, first.record);
    const again = await enrich(record, [BASICS], { ...OPTIONS, at: NOON });
    assert.equal(again.record.indicator.state, state);
    assert.equal(again.record.history.length, record.history.length);
    assert.equal(again.record.indicator.updatedAt, record.indicator.updatedAt + 1);
    assert.equal(again.record.indicator.enrichment?.geo, undefined);
    assert.deepEqual(again.record.indicator.enrichment?.attackTechniques, []);
    assert.equal(again.record.indicator.confidenceScore, 42);
  }
});

test('what a failing enricher had found earlier is kept', async () => {
  const geo = enricher('geo', () => ({
    geo: { countryCode: 'NL', city: '' },
    techniques: [{ id: 'T1105', because: 'x' }],
    malwareFamilies: ['A'],
    adjustment: { points: 3, because: 'x' },
    caps: [{ limit: 45, because: 'x' }],
    severityBound: { limit: 'INFO', because: 'x' },
    warningLists: [{ name: 'A', version: '1', entry: 'x', standing: 'noted' }],
    datasets: [{ name: 'A', builtAt: NOON }],
  }));
  const { record } = await enrich(SCORED, [geo, BASICS], OPTIONS);
  assert.equal(record.indicator.severity, 'INFO');
  const again = await enrich(record, [fails('geo'), enricher('other', () => ({}))], OPTIONS);
  assert.equal(again.outcome, 'enriched');
  assert.deepEqual(again.record.indicator.enrichment, record.indicator.enrichment);
  assert.deepEqual(again.record.receipt?.adjustments, record.receipt?.adjustments);
  assert.equal(again.record.indicator.confidenceScore, 45);
  assert.equal(again.record.indicator.severity, 'INFO');
  const { failures, ...kept } = again.record.receipt ?? {};
  assert.equal(failures?.length, 1);
  assert.deepEqual(kept, record.receipt);
});

test('a repeated sighting that adds nothing leaves the enrichment as it was', async () => {
  const first = observation({ count: 500n });
  const once = await enrich(score(recordOf([first]), NOON), LOCAL_ENRICHERS, OPTIONS);
  const twice = await enrich(
    score(recordOf([first, observation({ observedAt: NOON + 1, count: 11n })]), NOON),
    LOCAL_ENRICHERS,
    OPTIONS,
  );
  assert.deepEqual(twice.record.indicator.enrichment, once.record.indicator.enrichment);
});

test('RAW can not be enriched', async () => {
  await assert.rejects(
    enrich(recordOf([OBSERVATION]), LOCAL_ENRICHERS, OPTIONS),
    (error) => error instanceof ServiceError && error.code === 'failed_precondition',
  );
});
