// What a billing system has not been told yet. Without one there is nothing to tell, and the numbers stay at zero.

import { type Clock, SECOND } from '../domain/instant.ts';
import type { UsageReader } from '../store/usage.ts';
import type { Metrics } from './metrics.ts';

export function addUsageMetrics(metrics: Metrics, usage: Pick<UsageReader, 'outbox'>, clock: Clock): void {
  metrics.gauge('usage_outbox_events', 'Events of use that the usage sink has not taken yet.', async () => [
    { value: (await usage.outbox()).events },
  ]);
  metrics.gauge('usage_outbox_searches', 'Searches that these events tell of.', async () => [
    { value: (await usage.outbox()).searches },
  ]);
  metrics.gauge('usage_outbox_age_seconds', 'How long the oldest of them has waited.', async () => {
    const { oldestAt } = await usage.outbox();
    return [{ value: oldestAt === undefined ? 0 : Math.max(0, (clock() - oldestAt) / SECOND) }];
  });
}
