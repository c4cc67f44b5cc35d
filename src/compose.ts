// Wiring: the one place that knows every part and puts them together.

import { join } from 'node:path';
import { encodeIndicator } from './api/encode-indicator.ts';
import { createServer } from './api/server.ts';
import { registerTaxii } from './api/taxii.ts';
import { writeTaxiiError } from './api/taxii-errors.ts';
import type { Config } from './config.ts';
import type { Clock } from './domain/instant.ts';
import { preamble } from './feed/preamble.ts';
import { renderStix as createRenderStix } from './feed/render.ts';
import { stixContext } from './feed/stix-ids.ts';
import { createGateway } from './gateway/authenticate.ts';
import { createIdentityTokens } from './gateway/identity-tokens.ts';
import type { Commands } from './pipeline/commands.ts';
import { defaultEnrichers } from './pipeline/enrichers/default-enrichers.ts';
import { createIngest } from './pipeline/ingest.ts';
import { createVerify } from './pipeline/verify.ts';
import { createWorker, type Worker } from './pipeline/worker.ts';
import { createSearch } from './search/search.ts';
import { openSqliteStores } from './store/sqlite/open.ts';
import type { Stores } from './store/stores.ts';

const ENRICHER_TIMEOUT_MS = 5_000;

export const systemClock: Clock = () => Date.now();

/** @throws ServiceError `unavailable` when the store cannot be opened. */
export function openStores(config: Config): Stores {
  return openSqliteStores(join(config.dataDir, 'tis.db'), systemClock);
}

/** Opens the store for the time of one piece of work. */
export async function withStores<Result>(
  config: Config,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = openStores(config);
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

export interface Pipeline {
  readonly commands: Commands;
  readonly worker: Worker;
}

/** The writing half: commands and the worker, on one store. Publishes what every feed begins with. */
export async function createPipeline(stores: Stores, config: Config): Promise<Pipeline> {
  const clock = systemClock;
  const renderStix = createRenderStix(stixContext(stores.installation.secret));
  await stores.write((tx) => tx.append(preamble(stores.installation), clock()));
  const worker = createWorker({
    stores,
    enrichers: defaultEnrichers(),
    encodeIndicator,
    renderStix,
    clock,
    enricherTimeoutMs: ENRICHER_TIMEOUT_MS,
    onError: logError,
  });
  const commands: Commands = {
    ingest: createIngest({
      stores,
      encodeIndicator,
      clock,
      options: { acceptPrivateAddresses: config.acceptPrivateAddresses, defaultTlp: config.defaultTlp },
      onQueued: () => worker.wake(),
    }),
    verify: createVerify({ stores, encodeIndicator, renderStix, clock }),
  };
  return { commands, worker };
}

/** The answering half: the HTTP server over the reading side of the store, with commands handed elsewhere. */
export function createHttp(
  stores: Stores,
  commands: Commands,
  config: Config,
): ReturnType<typeof createServer> {
  const clock = systemClock;
  const gateway = createGateway({
    keys: stores.keys,
    ...(config.jwt === undefined ? {} : { identityTokens: createIdentityTokens({ ...config.jwt, clock }) }),
    clock,
  });
  return createServer({
    authenticate: gateway.authenticate,
    search: createSearch(stores.indicators, stores.installation.secret),
    stores,
    commands,
    logLevel: config.logLevel,
    plugins: [
      (app) =>
        registerTaxii(app, {
          feed: stores.feed,
          installation: stores.installation,
          authenticateTaxii: gateway.authenticateTaxii,
          publicUrl: config.publicUrl,
        }),
    ],
    foreignErrors: [{ prefix: '/taxii2', write: writeTaxiiError }],
  });
}

/** For threads without a logger of their own: one JSON line to standard error. */
export function logError(error: unknown): void {
  const cause = error instanceof Error && error.cause !== undefined ? String(error.cause) : undefined;
  const line = { level: 'error', time: systemClock(), message: String(error), cause };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
