// Wiring of the writing side: the commands and the worker, on one store.

import type { Config } from '../config.ts';
import type { Clock } from '../domain/instant.ts';
import { createKeyCommands } from '../gateway/key-commands.ts';
import { createExternalCommands } from '../identity/external/external-commands.ts';
import { createPasskeyCommands } from '../identity/passkey-commands.ts';
import { createPeopleCommands } from '../identity/people-commands.ts';
import { createProviderCommands } from '../identity/provider/provider-commands.ts';
import { createSessionCommands } from '../identity/session-commands.ts';
import { CollectionsInUse, declareCollections } from '../pipeline/collections.ts';
import { type Commands, createCommands } from '../pipeline/commands.ts';
import { createDispute } from '../pipeline/dispute.ts';
import { createMark } from '../pipeline/mark.ts';
import { createAddNote } from '../pipeline/note.ts';
import { canProcessAtOnce } from '../pipeline/process-at-once.ts';
import type { PruneParts } from '../pipeline/prune.ts';
import type { RenderStix, SyncCollections } from '../pipeline/publish.ts';
import type { RenderLink } from '../pipeline/publish-links.ts';
import { reviewNeverBlock } from '../pipeline/review-never-block.ts';
import { createRevoke } from '../pipeline/revoke.ts';
import { createVerify } from '../pipeline/verify.ts';
import { createWorker, type Worker } from '../pipeline/worker.ts';
import { encodeIndicator } from '../protojson/indicator-json.ts';
import { initialObjects } from '../stix/objects/initial-objects.ts';
import { createRenderLink } from '../stix/objects/link-relationship.ts';
import { createRenderStix } from '../stix/objects/render.ts';
import type { Stores } from '../store/stores.ts';
import type { Log } from '../telemetry/log.ts';
import { monotonicClock, openClock, type ServiceClock } from './clock.ts';
import { type InstalledEnrichers, keepInstalledData } from './installed-enrichers.ts';
import { createLog } from './log.ts';

const ENRICHER_TIMEOUT_MS = 5_000;

export interface Pipeline {
  readonly commands: Commands;
  readonly worker: Worker;
  readonly clock: ServiceClock;
  /** Undefined if the worker does not run. */
  readonly installed: InstalledEnrichers | undefined;
  /** Queues the stored indicators on which a changed configuration has an effect. Resolves to the number of views. */
  readonly reviewStored: (stopping?: AbortSignal) => Promise<number>;
}

/** Publishes the first objects of every feed and declares its collections: once in a process, before anything is published. */
export async function prepareFeed(stores: Stores, config: Config, clock: Clock): Promise<void> {
  await stores.write((tx) => tx.append(initialObjects(stores.installation), clock()));
  const path = config.taxii.collections;
  await declareCollections(stores, path === undefined ? undefined : await collectionsOf(path));
}

/**
 * The writing side of a process without threads. Prepares the feed, too.
 * @param works as for assemblePipeline.
 * @throws ConfigError when a data file of the configuration cannot be used.
 */
export async function createPipeline(stores: Stores, config: Config, works = true): Promise<Pipeline> {
  const clock = await openClock(stores);
  await prepareFeed(stores, config, clock.service);
  return assemblePipeline(stores, config, { works, clock, reads: 'files' });
}

/**
 * The writing side on a store whose feed is prepared.
 * @param works whether the worker will run. If not, the data of the enrichers is not loaded.
 * @param reads where events come from. Those of requests are processed at once. Those of files are left to the worker:
 * the longer the queue, the more events about one value it publishes together.
 * @throws ConfigError when a data file of the configuration cannot be used.
 */
export async function assemblePipeline(
  stores: Stores,
  config: Config,
  {
    works,
    clock,
    reads,
    log = createLog(config),
  }: { works: boolean; clock: ServiceClock; reads: 'files' | 'requests'; log?: Log },
): Promise<Pipeline> {
  const feed = createFeed(stores, config);
  const loaded = works ? await enrichersOf(config, log) : undefined;
  const neverBlock = works ? await neverBlockOf(config) : undefined;
  const process = {
    ...(neverBlock === undefined ? {} : { neverBlock }),
    enrichers: loaded?.enrichers ?? [],
    enricherTimeoutMs: ENRICHER_TIMEOUT_MS,
    ...feed,
    onError: (error: unknown) => log.error(error),
  };
  const worker = createWorker({
    ...process,
    stores,
    encodeIndicator,
    clock: clock.service,
    memoryClock: clock.memory,
    dataGeneration: () => loaded?.installed.generation() ?? 0,
  });
  const commands = createCommands({
    stores,
    encodeIndicator,
    ...feed,
    clock: clock.service,
    observedBy: clock.observed,
    options: config,
    ...(works && reads === 'requests' && canProcessAtOnce(process) ? { process } : {}),
    onQueued: () => worker.wake(),
  });
  return {
    commands,
    worker,
    clock,
    installed: loaded?.installed,
    reviewStored: async (stopping) => {
      if (neverBlock === undefined) return 0;
      const queued = await reviewNeverBlock(stores, neverBlock, clock.service, stopping);
      if (queued > 0) worker.wake();
      return queued;
    },
  };
}

/** Takes up data that is installed while the worker runs. @returns a function that ends this. */
export function keepPipelineData({ installed }: Pipeline, log: Log): () => Promise<void> {
  return installed === undefined
    ? async () => undefined
    : keepInstalledData(installed, (error) => log.error(error));
}

/** What a pipeline thread carries out for the HTTP thread. A new command needs no further place to be named in. */
export function createPipelineCalls(stores: Stores, { commands, clock }: Pipeline) {
  return {
    ...commands,
    ...createKeyCommands(stores, clock.expiry),
    ...createPeopleCommands(stores, clock.expiry),
    ...createSessionCommands(stores, clock.expiry),
    ...createPasskeyCommands(stores, clock.expiry),
    ...createExternalCommands(stores, clock.expiry),
    ...createProviderCommands(stores, clock.service),
    saveTimes: clock.save,
  };
}

export type PipelineCalls = ReturnType<typeof createPipelineCalls>;

/** The acts of an operator on single indicators of one store. He sees all that is in it. */
export function createOperatorActs(stores: Stores, config: Config, clock: Clock) {
  const parts = { stores, encodeIndicator, ...createFeed(stores, config), clock };
  return {
    verify: createVerify(parts),
    dispute: createDispute(parts),
    addNote: createAddNote(parts),
    revoke: createRevoke(parts),
    mark: createMark(parts),
  };
}

/** What pruning needs. */
export function pruneParts(stores: Stores, config: Config, clock: Clock): PruneParts {
  return { stores, renderStix: createLastRender(stores, config), clock };
}

/** Renders last versions. They join no collection, so it needs none. */
function createLastRender({ installation }: Stores, config: Config): RenderStix {
  return createRenderStix({ installation, collections: () => [], withTlp1: config.taxii.withTlp1 });
}

/** Imported only if the file is configured. */
async function collectionsOf(path: string) {
  const { readCollectionsFile } = await import('./collections-file.ts');
  return readCollectionsFile(path);
}

async function neverBlockOf({ neverBlock }: Config) {
  const { loadNeverBlock } = await import('./never-block.ts');
  return loadNeverBlock(neverBlock);
}

/** Loaded when needed: a thread that only carries out commands has no use for the enrichers. */
async function enrichersOf(config: Config, log: Log) {
  const { loadEnrichers } = await import('./load-enrichers.ts');
  return loadEnrichers(config, monotonicClock, (message) => log.warn(message));
}

/** Renders for the feed, into the collections that are in use. */
function createFeed(
  { installation }: Stores,
  config: Config,
): { renderStix: RenderStix; renderLink: RenderLink; syncCollections: SyncCollections } {
  const inUse = new CollectionsInUse();
  return {
    renderLink: createRenderLink({ installation, withTlp1: config.taxii.withTlp1 }),
    renderStix: createRenderStix({
      installation,
      collections: () => inUse.list,
      withTlp1: config.taxii.withTlp1,
    }),
    syncCollections: async (tx) => inUse.sync(await tx.collections.declared()),
  };
}
