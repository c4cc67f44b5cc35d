// Gauges of the store and its queue, also when the store does not answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from './metrics.ts';
import { addServiceMetrics, type ServiceState } from './service-metrics.ts';

const NOW = Date.UTC(2026, 10, 20);

async function valuesOf(state: Partial<ServiceState>): Promise<string[]> {
  const metrics = new Metrics();
  addServiceMetrics(metrics, {
    feed: { last: async () => NOW * 1_000 + 250_000 },
    jobs: { nextDueAt: async () => NOW - 1_500 },
    queued: () => ({ pending: 7, dead: 1 }),
    storeWritable: () => true,
    clock: () => NOW,
    ...state,
  });
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('everything known is told', async () => {
  assert.deepEqual(await valuesOf({}), [
    'pipeline_backlog_age_seconds 1.5',
    'pipeline_jobs{state="pending"} 7',
    'pipeline_jobs{state="dead"} 1',
    `feed_last_added_timestamp ${NOW / 1_000 + 0.25}`,
    'store_writable 1',
  ]);
});

test('what is not known is left out, never zero', async () => {
  const broken = () => Promise.reject(new Error('gone'));
  const state = {
    feed: { last: broken },
    jobs: { nextDueAt: broken },
    queued: () => undefined,
    storeWritable: () => false,
  };
  assert.deepEqual(await valuesOf(state), ['store_writable 0']);
  assert.deepEqual(await valuesOf({ ...state, feed: { last: async () => undefined } }), ['store_writable 0']);
});
