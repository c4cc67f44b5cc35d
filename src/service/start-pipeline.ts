// Starting and stopping pipeline threads (their entry is pipeline-thread.ts).

import type { Config } from '../config.ts';
import type { PipelineThreadData } from './pipeline-thread.ts';
import { type ServiceThread, startThread } from './thread.ts';
import { PIPELINE_CALLS, type PipelineCalls } from './thread-calls.ts';
import { callThread } from './thread-port.ts';

export interface PipelineThread extends ServiceThread {
  /** Carried out by the thread, on its own writing connection. */
  readonly commands: PipelineCalls;
}

/**
 * Resolves when the thread takes commands; rejects when it could not start. The feed is prepared already.
 * @param works whether it works the queue too.
 */
export async function startPipelineThread(config: Config, works: boolean): Promise<PipelineThread> {
  const data: PipelineThreadData = { config, works };
  const entry = new URL('./pipeline-thread.ts', import.meta.url);
  const thread = await startThread(entry, 'a pipeline thread', data);
  return { ...thread, commands: callThread<PipelineCalls>(thread.worker, PIPELINE_CALLS) };
}
