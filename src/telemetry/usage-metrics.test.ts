import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboxState } from '../store/usage.ts';
import { Metrics } from './metrics.ts';
import { addUsageMetrics } from './usage-metrics.ts';

const NOW = Date.UTC(2026, 10, 20);

async function samplesOf(outbox: () => Promise<OutboxState>): Promise<string[]> {
  const metrics = new Metrics();
  addUsageMetrics(metrics, { outbox }, () => NOW);
  return (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('what waits for the usage sink is counted, with its age', async () => {
  assert.deepEqual(await samplesOf(async () => ({ events: 2, searches: 70, oldestAt: NOW - 90_500 })), [
    'usage_outbox_events 2',
    'usage_outbox_searches 70',
    'usage_outbox_age_seconds 90.5',
  ]);
  assert.deepEqual(await samplesOf(async () => ({ events: 0, searches: 0 })), [
    'usage_outbox_events 0',
    'usage_outbox_searches 0',
    'usage_outbox_age_seconds 0',
  ]);
});

test('what can not be read is left out', async () => {
  assert.deepEqual(await samplesOf(() => Promise.reject(new Error('away'))), []);
});
