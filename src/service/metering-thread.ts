// Entry of the metering thread: owns the writing connection to the usage file, notes use for the HTTP thread and tells a
// billing system of it. Nothing else writes here, so a search waits for one fsync and never for the pipeline.

import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../config.ts';
import { type ExportFailure, exportUsage } from '../metering/usage-export.ts';
import { watchUsage } from '../store/write-watch.ts';
import type { Log } from '../telemetry/log.ts';
import { createLog, openUsage, systemClock } from './compose.ts';
import { reportVitals } from './heartbeat.ts';
import type { MeteringCalls } from './thread-calls.ts';
import { answerCalls, READY, STOP } from './thread-port.ts';

async function run(config: Config): Promise<void> {
  if (parentPort === null) throw new Error('this file is the entry of a worker thread');
  const port = parentPort;
  const log = createLog(config, { thread: 'metering' });
  const watch = watchUsage(await openUsage(config), systemClock);
  const usage = watch.store;
  const { usageSink } = config;
  const stopping = new AbortController();
  port.on('message', (message: unknown) => {
    if (message === STOP) stopping.abort();
  });
  const calls: MeteringCalls = {
    record: (uses) => usage.record(uses, usageSink !== undefined),
    touch: (credentials, at) => usage.touch(credentials, at),
  };
  answerCalls(port, calls, (error) => log.error(error));
  port.postMessage(READY);
  const silence = reportVitals(port, watch);
  if (usageSink === undefined) {
    await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
  } else {
    const onFailure = (failure: ExportFailure) => logFailure(log, failure);
    await exportUsage({ usage, sink: usageSink, pause, onFailure }, stopping.signal);
  }
  await silence();
  await usage.close();
  port.close();
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

function logFailure(log: Log, { error, outbox, retryInMs }: ExportFailure): void {
  const { events, searches } = outbox;
  log.error({ err: error, events, searches, retryInMs }, 'the usage sink does not take events');
}

await run(workerData as Config);
