// A running service: the HTTP thread, its pipeline threads and the metering thread, started and stopped together.

import type { AddressInfo, Server } from 'node:net';
import { closeGracefully } from '../api/http/graceful-close.ts';
import type { Config } from '../config.ts';
import type { Commands } from '../pipeline/commands.ts';
import type { Stores } from '../store/stores.ts';
import { addUsageMetrics } from '../telemetry/usage-metrics.ts';
import { storedCollections } from './collections-in-use.ts';
import { createHttp, createLog, openStores, openUsageReader, prepareFeed, systemClock } from './compose.ts';
import { countEvents } from './count-events.ts';
import { type MeteringThread, startMeteringThread } from './start-metering.ts';
import { type PipelineThread, startPipelineThread } from './start-pipeline.ts';
import { createServiceTelemetry } from './telemetry.ts';
import { allStarted } from './thread.ts';

export interface Service extends AsyncDisposable {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Where metrics are; undefined without an admin port. */
  readonly adminUrl: string | undefined;
  readonly stores: Stores;
  /** Carried out by the first pipeline thread. */
  readonly commands: Commands;
  /** Resolves when one of its threads died, which a service cannot outlive. */
  readonly failed: Promise<Error>;
  /**
   * Answers what has been accepted, finishes the batch in hand, and closes the store. After ten seconds it ends all the
   * same: what was acknowledged is on the disk, and what was not is sent again.
   * @returns whether everything was finished.
   */
  stop(): Promise<boolean>;
}

/** What is there is for this machine alone. */
const ADMIN_HOST = '127.0.0.1';

/** For requests that have been accepted. */
const ANSWER_WITHIN_MS = 7_000;
/** For the batches in hand, after that. */
const FINISH_WITHIN_MS = 3_000;

/** @throws when the port is taken or the store cannot be opened. */
export async function startService(config: Config): Promise<Service> {
  const stores = await openStores(config);
  const [metering, ...threads] = await startThreads(stores, config).catch(async (error: unknown) => {
    await stores.close();
    throw error;
  });
  const [first] = threads;
  if (first === undefined) throw new Error('a service has at least one pipeline thread');
  const { commands } = first;
  // The metering thread has made the file.
  const usage = await openUsageReader(config);
  const collections = await storedCollections(stores);
  const all = [metering, ...threads];
  const log = createLog(config);
  const stopping = new AbortController();
  const vitals = () => all.map((thread) => thread.vitals());
  const telemetry = createServiceTelemetry(stores, vitals, stopping.signal, config);
  addUsageMetrics(telemetry.metrics, usage, systemClock);
  const { app, admin } = createHttp(
    {
      ...telemetry,
      log,
      stopping: stopping.signal,
      stores,
      usage,
      commands: { ...commands, ingest: countEvents(commands.ingest, telemetry.metrics) },
      metering: metering.calls,
      collections,
    },
    config,
  );
  let stopped: Promise<boolean> | undefined;
  // A start that fails is told of by the error alone.
  let serving = false;
  const stop = () => {
    stopped ??= (async () => {
      stopping.abort();
      if (serving) log.info('stopping');
      const answered = await closeGracefully(app, ANSWER_WITHIN_MS);
      // Before its writer: only who can write clears away the log of the file, as the last to close it.
      await usage.close();
      const ended = await Promise.all(all.map((thread) => thread.stop(FINISH_WITHIN_MS)));
      await admin.close();
      await stores.close();
      const finished = ended.every((byItself) => byItself);
      if (!answered || !finished) log.warn({ answered, finished }, 'stopped by force');
      else if (serving) log.info('stopped');
      return answered && finished;
    })();
    return stopped;
  };
  try {
    if (config.adminPort !== undefined) await admin.listen({ host: ADMIN_HOST, port: config.adminPort });
    await app.listen({ host: config.host, port: config.port });
    serving = true;
  } catch (error) {
    await stop();
    throw error;
  }
  const failed = Promise.race(all.map((thread) => thread.failed));
  return {
    url: urlOf(app.server, config.host),
    adminUrl: config.adminPort === undefined ? undefined : urlOf(admin.server, ADMIN_HOST),
    stores,
    commands,
    failed,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The metering thread and those of the pipeline. The feed is prepared before, so that they do not all do the same; as
 * nothing is answered yet, nobody waits for this thread.
 */
async function startThreads(
  stores: Stores,
  config: Config,
): Promise<[metering: MeteringThread, ...pipeline: PipelineThread[]]> {
  await prepareFeed(stores, config);
  // The first thread also carries out the commands, so there is one even where nothing is to work the queue.
  const works = Array.from({ length: Math.max(1, config.workers) }, (_, index) => index < config.workers);
  return allStarted([startMeteringThread(config), ...works.map((does) => startPipelineThread(config, does))]);
}
