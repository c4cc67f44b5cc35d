// Starting the metering thread (its entry is metering-thread.ts).

import type { Config } from '../config.ts';
import { type ServiceThread, startThread } from './thread.ts';
import { METERING_CALLS, type MeteringCalls } from './thread-calls.ts';
import { callThread } from './thread-port.ts';

export interface MeteringThread extends ServiceThread {
  readonly calls: MeteringCalls;
}

/** Resolves when the thread notes use; rejects when it could not start. */
export async function startMeteringThread(config: Config): Promise<MeteringThread> {
  const thread = await startThread(
    new URL('./metering-thread.ts', import.meta.url),
    'the metering thread',
    config,
  );
  return { ...thread, calls: callThread<MeteringCalls>(thread.worker, METERING_CALLS) };
}
