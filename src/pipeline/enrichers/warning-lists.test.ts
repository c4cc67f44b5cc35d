import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOON, observation, recordOf } from '../../domain/indicator/observation.test-support.ts';
import type { Observation } from '../../domain/indicator/sensor-event.ts';
import { recompute, scoreIndicator } from '../../domain/score/confidence.ts';
import { BUILT_IN_LISTS } from '../../domain/warning-list/built-in-lists.ts';
import type { WarningList } from '../../domain/warning-list/warning-list.ts';
import { createWarningListIndex } from '../../domain/warning-list/warning-list-index.ts';
import { enrich } from '../enrich.ts';
import { score } from '../score.ts';
import { found, LOCAL_ENRICHERS, signalOf } from './enricher.test-support.ts';
import { warningLists } from './warning-lists.ts';

function list(name: string, entry: string, kind: WarningList['kind'] = 'string'): WarningList {
  return { id: 'x', name, version: '20260101', kind, attributes: [], entries: [entry] };
}

const ENRICHER = warningLists(
  createWarningListIndex([
    ...BUILT_IN_LISTS,
    list('Top 1000 websites', 'example.com'),
    list('Top 20,000 websites', 'example.com'),
    list('List of known cloud ranges', '198.51.100.0/24', 'cidr'),
    list('Example IP Ranges Used for Scanning', '203.0.113.0/25', 'cidr'),
    list('Our own branches', '203.0.113.200/32', 'cidr'),
  ]),
);

/** Two independent groups with good evidence: the score is 90 or more without a list. */
const SURE: readonly Partial<Observation>[] = [
  { severity: 'HIGH', quality: 0.95 },
  { severity: 'HIGH', quality: 0.95, group: 'key-2', source: { id: 'b', name: 'B', reliability: 0.9 } },
];

async function enriched(type: Observation['type'], value: string, changes: Partial<Observation> = {}) {
  const record = recordOf(SURE.map((one) => observation({ ...one, type, value, ...changes })));
  const result = await enrich(score(record, NOON), [ENRICHER, ...LOCAL_ENRICHERS], {
    at: NOON,
    timeoutMs: 1_000,
  });
  const { indicator, receipt } = result.record;
  assert.ok(receipt);
  assert.equal(recompute(JSON.parse(JSON.stringify(receipt))), indicator.confidenceScore);
  return { indicator, receipt, before: scoreIndicator(record).score };
}

test('a well-known value never scores above 10, and the receipt says why', async () => {
  const { indicator, receipt, before } = await enriched('DOMAIN', 'example.com');
  assert.ok(before >= 90);
  assert.equal(indicator.confidenceScore, 10);
  assert.deepEqual(receipt.warningLists, [
    { name: 'Top 1000 websites', version: '20260101', entry: 'example.com', standing: 'known' },
    { name: 'Top 20,000 websites', version: '20260101', entry: 'example.com', standing: 'shared' },
  ]);
  const caps = receipt.caps.filter(({ rule }) => rule === 'warning-list');
  assert.deepEqual(
    caps.map(({ limit, factor }) => [limit, factor]),
    [
      [10, undefined],
      [70, 0.7],
    ],
  );
  assert.match(caps[0]?.because ?? '', /^on the list "Top 1000 websites" \(20260101\): /);
  assert.match(indicator.enrichment?.aiSummary ?? '', /it is on the list "Top 1000 websites"\.$/);
  assert.equal(indicator.severity, 'INFO');
  assert.equal(receipt.severity?.observed, 'HIGH', 'what was seen stays what it was');
});

test('the built-in resolvers, by address and as the host of a URL', async () => {
  for (const [type, value] of [
    ['IPV4', '8.8.8.8'],
    ['IPV6', '2620:fe::fe'],
    ['URL', 'http://1.1.1.1/'],
  ] as const) {
    assert.equal((await enriched(type, value)).indicator.confidenceScore, 10, value);
  }
});

test('a shared value scores seven tenths, and lives half as long', async () => {
  const { indicator, receipt, before } = await enriched('IPV4', '198.51.100.7');
  assert.equal(indicator.confidenceScore, Math.round(0.7 * before));
  assert.equal(receipt.caps.at(-1)?.factor, 0.7);
  assert.equal(receipt.lifetime?.share, 0.5);
  const weak = score(recordOf([observation({ value: '198.51.100.7' })]), NOON);
  const { record } = await enrich(weak, [ENRICHER, ...LOCAL_ENRICHERS], { at: NOON, timeoutMs: 1_000 });
  assert.equal(weak.indicator.confidenceScore, 42);
  assert.equal(record.indicator.confidenceScore, 29, '0.7 × 42');
});

test('a URL on a well-known host counts as shared; on a shared host the list is only noted', async () => {
  const page = await enriched('URL', 'http://example.com/a.sh');
  assert.equal(page.indicator.confidenceScore, Math.round(0.7 * page.before));
  const { indicator, receipt, before } = await enriched('URL', 'http://198.51.100.7/a.sh');
  assert.equal(indicator.confidenceScore, before);
  assert.equal(receipt.warningLists?.length, 1);
});

test('a research scanner that only reads is LOW, and certainly a scanner', async () => {
  const { indicator, receipt, before } = await enriched('IPV4', '203.0.113.9');
  assert.equal(indicator.severity, 'LOW');
  assert.equal(indicator.confidenceScore, before);
  assert.deepEqual(indicator.categories, ['SCANNER']);
  assert.equal(receipt.severity?.observed, 'HIGH');
  const doubtful = await enriched('IPV4', '203.0.113.9', { categories: ['SCANNER', 'BRUTE_FORCE'] });
  assert.equal(doubtful.indicator.confidenceScore, 50, 'the list contradicts what was reported');
});

test('a research scanner that writes gets no limit', async () => {
  const writes = { intent: 'write', behaviours: ['modbus:write-single-coil'] } as const;
  const { indicator, receipt, before } = await enriched('IPV4', '203.0.113.9', writes);
  assert.equal(indicator.severity, 'HIGH');
  assert.equal(indicator.confidenceScore, before);
  assert.equal(receipt.warningLists?.length, 1, 'but the analyst is told');
});

test('other lists are noted and change nothing', async () => {
  const { indicator, receipt, before } = await enriched('IPV4', '203.0.113.200');
  assert.equal(indicator.confidenceScore, before);
  assert.deepEqual(receipt.warningLists, [
    { name: 'Our own branches', version: '20260101', entry: '203.0.113.200', standing: 'noted' },
  ]);
  assert.deepEqual(found(ENRICHER, signalOf([{}])), {});
});
