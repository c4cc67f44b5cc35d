// The threads of a service. Each has an entry file of its own and loads only what it runs.

import type { Config } from '../config.ts';
import { heapLimits } from './heaps.ts';
import type { MeteringCalls } from './metering.ts';
import type { PipelineCalls } from './pipeline.ts';
import type { ReadingCalls } from './reading.ts';
import { allStarted, type ServiceThread, startThread } from './service-thread.ts';

/** Handed to a pipeline thread. */
export interface PipelineThreadData {
  readonly config: Config;
  /** Whether the thread works the queue, or only carries out commands. */
  readonly works: boolean;
}

export interface ServiceThreads {
  readonly metering: ServiceThread<MeteringCalls>;
  /** At least one: the first carries out the commands, also where none works the queue. */
  readonly pipeline: readonly [ServiceThread<PipelineCalls>, ...ServiceThread<PipelineCalls>[]];
}

/** Resolves when all threads take calls. The feed is prepared before: the threads would all do the same work. */
export async function startThreads(config: Config): Promise<ServiceThreads> {
  const others = Array.from({ length: Math.max(0, config.workers - 1) }, () => startPipeline(config, true));
  const [metering, ...pipeline] = await allStarted([
    startMetering(config),
    startPipeline(config, config.workers > 0),
    ...others,
  ]);
  return { metering, pipeline };
}

/** @param works whether the thread works the queue too. */
export function startPipeline(config: Config, works: boolean): Promise<ServiceThread<PipelineCalls>> {
  const data: PipelineThreadData = { config, works };
  return startThread('pipeline', data, heapLimits('pipeline', config.memoryBudget));
}

export function startReading(config: Config): Promise<ServiceThread<ReadingCalls>> {
  return startThread('reading', config, heapLimits('reading', config.memoryBudget));
}

function startMetering(config: Config): Promise<ServiceThread<MeteringCalls>> {
  return startThread('metering', config, heapLimits('metering', config.memoryBudget));
}
