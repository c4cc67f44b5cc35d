// What training learns from a store.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readersOf } from '../../domain/audience.ts';
import { relabelled } from '../../domain/indicator/computed-labels.ts';
import type { IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { NOON, observation, recordOf } from '../../domain/indicator/observation.test-support.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import { documentOf, idOf } from '../../store/contract/fixtures.ts';
import { openTemporaryStore } from '../../store/contract/temporary-store.test-support.ts';
import { score } from '../score.ts';
import { readVerdicts } from './verdicts.ts';

function judged(
  value: string,
  verdict: 'VERIFIED' | 'disputed' | 'none',
  tlp: TlpMarking = 'GREEN',
): IndicatorRecord {
  const type = value.includes('/') ? 'URL' : 'IPV4';
  const record = recordOf([observation({ type, value, tlp })]);
  const given = verdict === 'disputed' ? { ...record, disputedAt: NOON } : record;
  const scored = score({ ...given, indicator: { ...given.indicator, id: idOf(value) } }, NOON);
  const state = verdict === 'VERIFIED' ? 'VERIFIED' : 'ENRICHED';
  return relabelled({ ...scored, indicator: { ...scored.indicator, state } });
}

test('confirmed and disputed indicators up to the ceiling are verdicts, with their hosts', async () => {
  const store = await openTemporaryStore(() => NOON);
  try {
    const records = [
      judged('192.0.2.1', 'VERIFIED'),
      judged('http://bad.example.com/a', 'disputed'),
      judged('192.0.2.2', 'none'),
      judged('192.0.2.3', 'VERIFIED', 'RED'),
    ];
    await store.stores.write((tx) =>
      tx.save(
        records.map((record) => ({
          record,
          audience: readersOf(record.indicator.tlp),
          document: documentOf(record.indicator),
        })),
      ),
    );
    const verdicts = await readVerdicts(store.stores, 'GREEN');
    assert.deepEqual(
      verdicts.map(({ isBad, host, sourceId }) => [isBad, host, sourceId]),
      [
        [true, undefined, 'plant-a'],
        [false, 'bad.example.com', 'plant-a'],
      ],
    );
    assert.ok((verdicts[0]?.features.quality ?? 0) > 0);
    assert.equal((await readVerdicts(store.stores, 'RED')).length, 3);
  } finally {
    await store.dispose();
  }
});
