// Entry of every thread of the service. Plain JavaScript: it turns the compile cache on for this thread before the first
// TypeScript is loaded. The cache of the main thread does not reach other threads, and a thread without it strips the types
// of all its files at every start, which costs more than the rest of the start.

import module from 'node:module';
import { workerData } from 'node:worker_threads';

/** @type {{ thread: 'http' | 'pipeline' | 'metering' | 'reading' | 'inspection', compileCache: string | undefined }} */
const { thread, compileCache } = workerData;

if (compileCache !== undefined) module.enableCompileCache?.(compileCache);

const entries = {
  http: () => import('../src/service/http-thread.ts'),
  pipeline: () => import('../src/service/pipeline-thread.ts'),
  metering: () => import('../src/service/metering-thread.ts'),
  reading: () => import('../src/service/reading-thread.ts'),
  inspection: () => import('../src/service/inspection-thread.ts'),
};
await entries[thread]();
