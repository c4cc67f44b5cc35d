// Gauges of the store, its queue and the usage outbox, also when the store does not answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from './metrics.ts';
import { addServiceMetrics, type ServiceState } from './service-metrics.ts';

const NOW = Date.UTC(2026, 10, 20);
const CLOCK = ['clock_steady 0', 'clock_offset_seconds -90'];

async function samplesOf(state: Partial<ServiceState>): Promise<string[]> {
  const metrics = new Metrics();
  addServiceMetrics(metrics, {
    feed: { bounds: async () => ({ end: { place: 0, dateAdded: NOW * 1_000 + 250_000 }, after: 0 }) },
    jobs: { nextDueAt: async () => NOW - 1_500 },
    usage: { outbox: async () => ({ events: 2, searches: 70, lookups: 900, oldestAt: NOW - 90_500 }) },
    queued: () => ({ pending: 7, dead: 1 }),
    storeWritable: () => true,
    clock: () => NOW,
    clockReport: () => ({ state: 'behind', machine: NOW - 90_000, service: NOW, expiry: NOW }),
    ...state,
  });
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('every gauge has its value', async () => {
  assert.deepEqual(await samplesOf({}), [
    'pipeline_backlog_age_seconds 1.5',
    'pipeline_jobs{state="pending"} 7',
    'pipeline_jobs{state="dead"} 1',
    `feed_last_added_timestamp ${NOW / 1_000 + 0.25}`,
    'store_writable 1',
    ...CLOCK,
    'usage_outbox_events 2',
    'usage_outbox_searches 70',
    'usage_outbox_lookups 900',
    'usage_outbox_age_seconds 90.5',
  ]);
});

test('an empty usage outbox has no age', async () => {
  const samples = await samplesOf({
    usage: { outbox: async () => ({ events: 0, searches: 0, lookups: 0 }) },
  });
  assert.deepEqual(samples.slice(-4), [
    'usage_outbox_events 0',
    'usage_outbox_searches 0',
    'usage_outbox_lookups 0',
    'usage_outbox_age_seconds 0',
  ]);
});

test('an unknown value is left out and never zero', async () => {
  const broken = () => Promise.reject(new Error('gone'));
  const state = {
    feed: { bounds: broken },
    jobs: { nextDueAt: broken },
    usage: { outbox: broken },
    queued: () => undefined,
    storeWritable: () => false,
  };
  assert.deepEqual(await samplesOf(state), ['store_writable 0', ...CLOCK]);
  assert.deepEqual(await samplesOf({ ...state, feed: { bounds: async () => undefined } }), [
    'store_writable 0',
    ...CLOCK,
  ]);
});
