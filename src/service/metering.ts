// Wiring of metering: what is noted of use, and the export of it to a billing system.

import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { UsageStore } from '../store/usage.ts';
import type { Log } from '../telemetry/log.ts';
import { untilAborted } from './service-thread.ts';

/** What the metering thread carries out for the HTTP thread. */
export function createMeteringCalls(usage: UsageStore, { usageSink }: Config) {
  return {
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
