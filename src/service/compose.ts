// Wiring: the one place that knows every part and puts them together.

import { createAdminServer } from '../api/admin/admin-server.ts';
import { registerHealth } from '../api/http/health.ts';
import { createServer } from '../api/http/server.ts';
import { leakReports } from '../api/rest/leak-reports.ts';
import { taxiiErrorBody, writeTaxiiError } from '../api/taxii/errors.ts';
import { API_ROOT } from '../api/taxii/resources.ts';
import { createSubmissions } from '../api/taxii/submissions.ts';
import { registerTaxii } from '../api/taxii/taxii.ts';
import type { Config } from '../config.ts';
import type { FeedCollection } from '../domain/collection.ts';
import type { Clock } from '../domain/instant.ts';
import { type Admit, createGate } from '../gateway/admit.ts';
import { createGateway } from '../gateway/authenticate.ts';
import { createIdentityTokens } from '../gateway/identity-tokens.ts';
import { createScannerKeys, scannerKeySource } from '../gateway/scanner-keys.ts';
import { liesWithin, parseSourceRange } from '../gateway/source-ranges.ts';
import { createLastUse, type NoteUse } from '../metering/last-use.ts';
import { createMeter } from '../metering/meter.ts';
import type { Commands } from '../pipeline/commands.ts';
import { createIngest } from '../pipeline/ingest.ts';
import type { RenderStix, SyncCollections } from '../pipeline/ports.ts';
import { createRevoke } from '../pipeline/revoke.ts';
import { createRecallStatus } from '../pipeline/statuses.ts';
import { createVerify } from '../pipeline/verify.ts';
import { createWorker, type Worker } from '../pipeline/worker.ts';
import { encodeIndicator } from '../protojson/encode-indicator.ts';
import { createSearch } from '../search/search.ts';
import { preamble } from '../stix/objects/preamble.ts';
import { createRenderStix } from '../stix/objects/render.ts';
import type { StoreDriver } from '../store/driver.ts';
import type { Stores } from '../store/stores.ts';
import type { UsageReader, UsageStore } from '../store/usage.ts';
import { createLineWriter } from '../telemetry/line-writer.ts';
import { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { CollectionsInUse } from './collections-in-use.ts';
import { declareCollections } from './declare-collections.ts';
import { loadEnrichers } from './load-enrichers.ts';
import { loadDriver } from './store-driver.ts';
import type { MeteringCalls, PipelineCalls } from './thread-calls.ts';

const ENRICHER_TIMEOUT_MS = 5_000;

export const systemClock: Clock = () => Date.now();

/**
 * The log of a process or a thread. It goes to standard error, so that what a command prints stays apart.
 * @param bindings members of every line.
 */
export function createLog(config: Config, bindings: Readonly<Record<string, unknown>> = {}): Log {
  return new Log({
    level: config.logLevel,
    clock: systemClock,
    write: createLineWriter((text) => void process.stderr.write(text)),
    bindings: { pid: process.pid, ...bindings },
  });
}

/** @throws ServiceError `unavailable` when the store cannot be opened. */
export async function openStores(config: Config): Promise<Stores> {
  return (await loadDriver(config.dataDir)).openStores(systemClock);
}

/** @throws ServiceError `unavailable` when the usage file cannot be opened. */
export async function openUsage(config: Config): Promise<UsageStore> {
  return (await loadDriver(config.dataDir)).openUsage();
}

/** @throws ServiceError `unavailable` when there is no usage file: who writes it is to be started first. */
export async function openUsageReader(config: Config): ReturnType<StoreDriver['openUsageReader']> {
  return (await loadDriver(config.dataDir)).openUsageReader();
}

/** Opens the store for the time of one piece of work. */
export async function withStores<Result>(
  config: Config,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = await openStores(config);
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** Opens the usage file for the time of one piece of work. */
export async function withUsage<Result>(
  config: Config,
  work: (usage: UsageStore) => Promise<Result>,
): Promise<Result> {
  const usage = await openUsage(config);
  try {
    return await work(usage);
  } finally {
    await usage.close();
  }
}

export interface Pipeline {
  readonly commands: Commands;
  readonly worker: Worker;
}

/** Publishes what every feed begins with and declares its collections: once in a process, before anything is published. */
export async function prepareFeed(stores: Stores, config: Config): Promise<void> {
  await stores.write((tx) => tx.append(preamble(stores.installation), systemClock()));
  await declareCollections(stores, config.taxii.collections);
}

/**
 * The writing half of a process that has no threads for it: prepares the feed, too.
 * @param works as for assemblePipeline.
 * @throws ConfigError when data that the configuration names cannot be used.
 */
export async function createPipeline(stores: Stores, config: Config, works = true): Promise<Pipeline> {
  await prepareFeed(stores, config);
  return assemblePipeline(stores, config, works);
}

/**
 * The writing half: commands and the worker, on one store, whose feed somebody has prepared.
 * @param works whether the worker will be run: if not, the data of the enrichers is not loaded.
 * @throws ConfigError when data that the configuration names cannot be used.
 */
export async function assemblePipeline(
  stores: Stores,
  config: Config,
  works: boolean,
  log = createLog(config),
): Promise<Pipeline> {
  const clock = systemClock;
  const warn = (message: string) => log.warn(message);
  const enrichers = works ? await loadEnrichers(config.enrichment, clock, warn) : [];
  const { renderStix, syncCollections } = createFeed(stores, config);
  const worker = createWorker({
    stores,
    enrichers,
    encodeIndicator,
    renderStix,
    syncCollections,
    clock,
    enricherTimeoutMs: ENRICHER_TIMEOUT_MS,
    onError: (error) => log.error(error),
  });
  const commands: Commands = {
    ingest: createIngest({
      stores,
      encodeIndicator,
      clock,
      options: { acceptPrivateAddresses: config.acceptPrivateAddresses, defaultTlp: config.defaultTlp },
      onQueued: () => worker.wake(),
    }),
    verify: createVerify({ stores, encodeIndicator, renderStix, syncCollections, clock }),
  };
  return { commands, worker };
}

/** What renders for the feed, into the collections that are in use. */
function createFeed(
  { installation }: Stores,
  config: Config,
): { renderStix: RenderStix; syncCollections: SyncCollections } {
  const inUse = new CollectionsInUse();
  return {
    renderStix: createRenderStix({
      installation,
      collections: () => inUse.list,
      withTlp1: config.taxii.withTlp1,
    }),
    syncCollections: async (tx) => inUse.sync(await tx.collections.declared()),
  };
}

/** Withdrawing indicators, on one store. What is withdrawn joins no collection: none are declared for it. */
export function createRevocation(stores: Stores, config: Config): ReturnType<typeof createRevoke> {
  const { installation } = stores;
  const renderStix = createRenderStix({
    installation,
    collections: () => [],
    withTlp1: config.taxii.withTlp1,
  });
  return createRevoke({ stores, encodeIndicator, renderStix, clock: systemClock });
}

export interface HttpParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  readonly stores: Stores;
  readonly usage: UsageReader;
  readonly commands: PipelineCalls;
  readonly metering: MeteringCalls;
  /** Declared parts of the feed. */
  readonly collections: readonly FeedCollection[];
}

/** The servers of the two ports. */
export interface HttpServers {
  readonly app: ReturnType<typeof createServer>;
  readonly admin: ReturnType<typeof createAdminServer>;
}

/** The answering half: HTTP over the reading side of the store, with changes handed to threads. */
export function createHttp(
  { log, metrics, readiness, stopping, stores, usage, commands, metering, collections }: HttpParts,
  config: Config,
): HttpServers {
  const clock = systemClock;
  const gateway = createGateway({
    keys: stores.keys,
    ...(config.jwt === undefined ? {} : { identityTokens: createIdentityTokens({ ...config.jwt, clock }) }),
    clock,
  });
  const gate = createGate({ gateway, credentialLimit: config.rateLimit, clock });
  const proxies = config.trustedProxies.flatMap((text) => parseSourceRange(text) ?? []);
  const noteUse = createLastUse(metering.touch, clock);
  const { secretScanningKeys } = config;
  const trust =
    proxies.length === 0 ? {} : { trustsProxy: (address: string) => liesWithin(proxies, address) };
  const admit = notingUse(gate.admit, noteUse);
  const app = createServer({
    admit,
    search: createSearch(stores.indicators, stores.installation.secret),
    stores,
    usage,
    commands,
    meter: createMeter(metering.record, clock),
    log,
    metrics,
    stopping,
    ...trust,
    corsOrigins: config.corsOrigins,
    plugins: [
      (app) => registerHealth(app, readiness),
      (app) =>
        registerTaxii(app, {
          feed: stores.feed,
          installation: stores.installation,
          admitTaxii: notingUse(gate.admitTaxii, noteUse),
          collections,
          submissions: createSubmissions({
            recallStatus: createRecallStatus(stores),
            indicators: stores.indicators,
            installation: stores.installation,
            commands,
            clock,
          }),
          publicUrl: config.publicUrl,
        }),
      ...(secretScanningKeys === undefined
        ? []
        : [
            leakReports({
              verifyReport: createScannerKeys({ load: scannerKeySource(secretScanningKeys), clock }),
              commands,
            }),
          ]),
    ],
    foreignErrors: [{ prefix: API_ROOT, write: writeTaxiiError, describe: taxiiErrorBody }],
  });
  return { app, admin: createAdminServer({ log, metrics, admit, ...trust }) };
}

/** A key that passes the gate was used. Identity tokens come and go, and are not listed. */
function notingUse(admit: Admit, noteUse: NoteUse): Admit {
  return async (headers, address) => {
    const admission = await admit(headers, address);
    const { caller } = admission;
    if (caller !== undefined && caller.credential !== 'jwt') noteUse(caller.id);
    return admission;
  };
}
