// The inspection of the store at the start and every day. A small store is inspected before the service listens; a large
// one in a thread of its own while the service runs, so that the start takes no longer.

import { Worker } from 'node:worker_threads';
import type { Config } from '../config.ts';
import { DAY } from '../domain/instant.ts';
import { type Damage, storeDamaged } from '../store/damage.ts';
import type { Log } from '../telemetry/log.ts';
import { heapLimits } from './heaps.ts';
import type { EntryData } from './service-thread.ts';
import { loadDriver } from './stores.ts';

/** Takes about 60 ms. */
const SMALL_BYTES = 32_000_000;

/** @throws ServiceError STORE_DAMAGED for a small store with damaged pages. */
export async function inspectSmallStore({ dataDir }: Config): Promise<void> {
  const { inspection } = await loadDriver(dataDir);
  if ((await inspection.bytes()) > SMALL_BYTES) return;
  const damage = await inspection.run();
  if (damage !== undefined) throw storeDamaged(damage);
}

/**
 * Inspects now, if the store is large, and every day.
 * @returns a function that ends it.
 */
export async function inspectRegularly(
  config: Config,
  onDamage: (damage: Damage) => void,
  log: Log,
): Promise<() => void> {
  let worker: Worker | undefined;
  const inspect = () => {
    const entryData: EntryData = { thread: 'inspection', compileCache: undefined, data: config };
    worker = new Worker(new URL('../../bin/thread.js', import.meta.url), {
      name: entryData.thread,
      workerData: entryData,
      resourceLimits: heapLimits('inspection', config.memoryBudget),
    });
    worker.unref();
    worker.once('message', (damage: Damage | undefined) => damage !== undefined && onDamage(damage));
    // A store that is busy or cannot be read is noticed by those who use it.
    worker.once('error', (error) => log.warn({ err: error }, 'the store was not inspected'));
  };
  if ((await (await loadDriver(config.dataDir)).inspection.bytes()) > SMALL_BYTES) inspect();
  const timer = setInterval(inspect, DAY).unref();
  return () => {
    clearInterval(timer);
    void worker?.terminate();
  };
}
