// A running service: the HTTP thread, its pipeline threads and the metering thread, started and stopped together.

import type { AddressInfo, Server } from 'node:net';
import { closeGracefully } from '../api/http/close-gracefully.ts';
import { listenOn } from '../api/http/server.ts';
import type { Config } from '../config.ts';
import { storedCollections } from '../pipeline/collections.ts';
import type { Commands } from '../pipeline/commands.ts';
import type { Stores } from '../store/stores.ts';
import type { Log } from '../telemetry/log.ts';
import { openClock } from './clock.ts';
import { type WatchedThread, watchDamage } from './damage-watch.ts';
import { createHttp } from './http.ts';
import { startHttpThreads } from './http-threads.ts';
import { inspectRegularly, inspectSmallStore } from './inspection.ts';
import { keepClock } from './keep-clock.ts';
import { createLog } from './log.ts';
import { memoryShares, pageCaches } from './memory-budget.ts';
import { prepareFeed } from './pipeline.ts';
import type { ServiceThread } from './service-thread.ts';
import { createSlowReads } from './slow-reads.ts';
import { loadDriver, openStores, openUsageReader, systemClock } from './stores.ts';
import { countEvents, createServiceTelemetry } from './telemetry.ts';
import { startReading, startThreads } from './threads.ts';
import { watchInstalledData } from './watch-installed-data.ts';

export interface Service extends AsyncDisposable {
  /** Where it listens, such as `http://127.0.0.1:8080`, or `https://` with TLS. */
  readonly url: string;
  /** Where metrics are; undefined without an admin port. */
  readonly adminUrl: string | undefined;
  readonly stores: Stores;
  /** Carried out by the first pipeline thread. */
  readonly commands: Commands;
  /** Resolves when one of its threads died, which a service cannot outlive. */
  readonly failed: Promise<Error>;
  /**
   * Answers accepted requests, finishes the batch in hand and closes the store. After ten seconds it ends by force:
   * acknowledged events are on the disk, and clients send the others again.
   * @returns whether everything was finished.
   */
  stop(): Promise<boolean>;
}

/** The admin port is reachable from this machine only. */
const ADMIN_HOST = '127.0.0.1';

/** For requests that have been accepted. */
const ANSWER_WITHIN_MS = 7_000;
/** For the batches in hand, after that. */
const FINISH_WITHIN_MS = 3_000;

/** @throws when the port is taken or the store cannot be opened. Then everything that was opened is closed again. */
export async function startService(config: Config): Promise<Service> {
  const opened = new AsyncDisposableStack();
  try {
    return await openService(config, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** @param opened takes what has to be closed if the start fails. */
async function openService(config: Config, opened: AsyncDisposableStack): Promise<Service> {
  const log = createLog(config);
  const stores = await openStores(config, pageCaches(config, 'http'));
  opened.defer(() => stores.close());
  await inspectSmallStore(config);
  // On this thread, which answers nobody yet.
  const clock = await openClock(stores);
  // The threads start from these times. Without room on the disk they start from those that are stored.
  await clock.save().catch((error: unknown) => log.error(error));
  await prepareFeed(stores, config, clock.service);
  const threads = await startThreads(config);
  const writing = [threads.metering, ...threads.pipeline];
  opened.defer(async () => void (await stopAll(writing)));
  const [{ calls: commands }] = threads.pipeline;
  // The metering thread has made the file.
  const usage = await openUsageReader(config, pageCaches(config, 'usage'));
  opened.defer(() => usage.close());
  const http = await startHttpThreads(config, threads, log);
  opened.defer(async () => void (await stopAll(http.threads)));
  const all = [...writing, ...http.threads];
  const stopping = new AbortController();
  const heartbeats = () => all.map((thread) => thread.heartbeat());
  const leaveClock = keepClock(clock, { saves: false, reports: true }, log);
  opened.defer(leaveClock);
  const watched: WatchedThread[] = [...all];
  const damage = watchDamage([stores, usage], watched, log);
  opened.defer(damage.stop);
  const data = await watchInstalledData(config.dataDir, systemClock, log);
  opened.defer(async () => data.stop());
  const telemetry = createServiceTelemetry({
    stores,
    installed: data.installed,
    usage,
    heartbeats,
    clock,
    damages: damage.damages,
    stopping: stopping.signal,
    config,
  });
  const slowReads = createSlowReads(() => startReading(config), telemetry.metrics, log);
  watched.push(slowReads);
  opened.defer(async () => void (await slowReads.stop(FINISH_WITHIN_MS)));
  const limits = http.limits(memoryShares(config.memoryBudget, process.memoryUsage.rss()));
  const { app, createAdmin } = await createHttp(
    {
      ...telemetry,
      log,
      stopping: stopping.signal,
      stores,
      usage,
      clock,
      commands: { ...commands, ingest: countEvents(commands.ingest, telemetry.metrics, log) },
      metering: threads.metering.calls,
      slowReads,
      collections: await storedCollections(stores),
      limits,
    },
    config,
  );
  const admin = createAdmin();
  opened.defer(async () => void (await Promise.all([app.close(), admin.close()])));
  if (config.adminPort !== undefined) await listenOn(admin, ADMIN_HOST, config.adminPort);
  await listenOn(app, config.host, config.port, http.threads.length === 0 ? 'alone' : 'first');
  await http.listen(portOf(app.server), { ...telemetry, limits, slowReads, log });
  await warnOfOtherUsers(config, log);
  const endInspection = await inspectRegularly(config, damage.condemn, log);

  let stopped: Promise<boolean> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      stopping.abort();
      log.info('stopping');
      damage.stop();
      data.stop();
      endInspection();
      const drained = await Promise.all([
        closeGracefully(app, ANSWER_WITHIN_MS),
        http.drain(ANSWER_WITHIN_MS),
      ]);
      const answered = drained.every((complete) => complete);
      // Before its writer: the last connection to close removes the write-ahead log, and only a writer can.
      await usage.close();
      const reading = await stopAll(http.threads);
      const ended = [reading, await stopAll([slowReads, ...writing])];
      await admin.close();
      await leaveClock();
      await stores.close();
      const finished = ended.every((byItself) => byItself);
      if (answered && finished) log.info('stopped');
      else log.warn({ answered, finished }, 'stopped by force');
      return answered && finished;
    })();
    return stopped;
  };
  return {
    url: urlOf(app.server, config.host, config.tls === undefined ? 'http' : 'https'),
    adminUrl: config.adminPort === undefined ? undefined : urlOf(admin.server, ADMIN_HOST),
    stores,
    commands,
    failed: Promise.race(all.map((thread) => thread.failed)),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** The store holds hashes of keys, the installation secret and indicators marked RED. */
async function warnOfOtherUsers({ dataDir }: Config, log: Log): Promise<void> {
  const exposed = await (await loadDriver(dataDir)).exposed();
  if (exposed.length === 0) return;
  log.warn({ exposed }, 'other users of this machine may read the data folder; run chmod go= on each path');
}

/** @returns whether all ended by themselves. */
async function stopAll(threads: readonly Pick<ServiceThread<unknown>, 'stop'>[]): Promise<boolean> {
  const ended = await Promise.all(threads.map((thread) => thread.stop(FINISH_WITHIN_MS)));
  return ended.every((byItself) => byItself);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function urlOf(server: Server, host: string, scheme = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`;
}
