// Wiring of metering: what is noted of use, and the export of it to a billing system.

import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Clock } from '../domain/instant.ts';
import type { ConsumerTracking } from '../metering/consumer-tracking.ts';
import type { FeedPoll } from '../metering/feed-polls.ts';
import type { UsageStore } from '../store/usage.ts';
import type { Log } from '../telemetry/log.ts';
import { untilAborted } from './service-thread.ts';

/** How often consumers of the feed are looked through. Each is stored at most once a minute. */
const LOOK_AT_CONSUMERS_MS = 5_000;

/** Stores where the consumers of the feed are, until the signal aborts. */
export async function followConsumers(
  usage: Pick<UsageStore, 'noteConsumers'>,
  tracking: ConsumerTracking,
  clock: Clock,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    await delay(LOOK_AT_CONSUMERS_MS, undefined, { signal: stopping }).catch(() => undefined);
    const due = tracking.due(clock(), stopping.aborted);
    // They serve display: what a full disk does not take is gone.
    if (due.length > 0) await usage.noteConsumers(due).catch(() => undefined);
  }
}

/** What the metering thread carries out for the HTTP thread. */
export function createMeteringCalls(usage: UsageStore, tracking: ConsumerTracking, { usageSink }: Config) {
  return {
    followPolls: async (polls: readonly FeedPoll[]) => tracking.add(polls),
    /** Resolves once the use is durable. */
    record: (uses: Parameters<UsageStore['record']>[0]) => usage.record(uses, usageSink !== undefined),
    refuse: usage.refuse,
    touch: usage.touch,
  };
}

export type MeteringCalls = ReturnType<typeof createMeteringCalls>;

/** Exports use until the signal aborts; without a billing system it only waits. */
export async function runExport(
  usage: UsageStore,
  { usageSink }: Config,
  log: Log,
  stopping: AbortSignal,
): Promise<void> {
  if (usageSink === undefined) return untilAborted(stopping);
  const { exportUsage } = await import('../metering/usage-export.ts');
  await exportUsage(
    {
      usage,
      sink: usageSink,
      pause: async (ms, signal) => void (await delay(ms, undefined, { signal }).catch(() => undefined)),
      onFailure: ({ error, outbox: { events, searches, lookups }, retryInMs }) =>
        log.error(
          { err: error, events, searches, lookups, retryInMs },
          'the usage sink does not take events',
        ),
    },
    stopping,
  );
}
