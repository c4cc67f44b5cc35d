// A whole service inside this process, for tests of what readers with different ceilings are told: the HTTP interface over
// a store with a pipeline, one reader and one sensor for each ceiling.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { CEILINGS } from '../domain/audience.ts';
import { ServiceError } from '../domain/errors.ts';
import { DAY } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { createIndicatorWatch, eventIdAt } from '../feed/watch.ts';
import { issueKey } from '../gateway/key-commands.ts';
import { createConsumerTracking } from '../metering/consumer-tracking.ts';
import { storedCollections } from '../pipeline/collections.ts';
import { prune } from '../pipeline/prune.ts';
import { compactFeed } from '../pipeline/publish.ts';
import type { Stores } from '../store/stores.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { ServiceClock } from './clock.ts';
import { createHttp } from './http.ts';
import { ownLimits } from './http-limits.ts';
import { createLog } from './log.ts';
import { memoryShares } from './memory-budget.ts';
import { createMeteringCalls } from './metering.ts';
import {
  assemblePipeline,
  createOperatorActs,
  createPipelineCalls,
  prepareFeed,
  pruneParts,
} from './pipeline.ts';
import { openStores, openUsage, openUsageReader, systemClock } from './stores.ts';

/** The keys of an installation, by ceiling. */
export type Keys = Readonly<Record<string, { readonly reader: string; readonly sensor: string }>>;

/** An installation without indicators. Copies of it have the same secret, so they give equal ids. */
export interface Installation {
  readonly folder: string;
  readonly keys: Keys;
}

export async function makeInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'tis-marked-'));
  const config = configOf(folder);
  const stores = await openStores(config);
  const usage = await openUsage(config);
  await prepareFeed(stores, config, systemClock);
  const keys: Record<string, Keys[string]> = {};
  for (const tlpCeiling of CEILINGS) {
    const issue = async (sensor: boolean) =>
      (
        await issueKey(
          stores,
          { name: `${tlpCeiling} ${sensor ? 'sensor' : 'reader'}`, tlpCeiling, sensor },
          'cli',
          systemClock(),
        )
      ).plaintext;
    keys[tlpCeiling] = { reader: await issue(false), sensor: await issue(true) };
  }
  await usage.close();
  await stores.close();
  return { folder, keys };
}

function configOf(dataDir: string, settings: Readonly<Record<string, string>> = {}): Config {
  return readConfig({
    ...settings,
    TIS_DATA_DIR: dataDir,
    // The process holds the tests of all unit files too.
    TIS_MEMORY_BUDGET: '4GiB',
    TIS_LOG_LEVEL: 'silent',
    TIS_RATE_LIMIT_PER_MINUTE: '60000000',
    TIS_RATE_LIMIT_BURST: '10000000',
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export class MarkedWorld {
  #config: Config;
  readonly #keys: Keys;
  #parts: Awaited<ReturnType<typeof start>>;

  private constructor(config: Config, keys: Keys, parts: Awaited<ReturnType<typeof start>>) {
    this.#config = config;
    this.#keys = keys;
    this.#parts = parts;
  }

  static async open({ folder, keys }: Installation): Promise<MarkedWorld> {
    const copy = await mkdtemp(join(tmpdir(), 'tis-marked-'));
    await cp(folder, copy, { recursive: true });
    const config = configOf(copy);
    return new MarkedWorld(config, keys, await start(config));
  }

  get(ceiling: TlpMarking, url: string): Promise<Answer> {
    return this.#request('GET', url, this.#keys[ceiling]?.reader);
  }

  search(ceiling: TlpMarking, body: object): Promise<Answer> {
    return this.post(ceiling, '/v1/indicators/search', body);
  }

  post(ceiling: TlpMarking, url: string, body: object): Promise<Answer> {
    return this.#request('POST', url, this.#keys[ceiling]?.reader, body);
  }

  /** Every event that a stream from the start of the log has now, with its id. */
  async watched(ceiling: TlpMarking): Promise<unknown[]> {
    const watch = createIndicatorWatch(this.#parts.stores, systemClock);
    const events: unknown[] = [eventIdAt(await watch.end(ceiling), ceiling)];
    for (let place = { place: 0, dateAdded: 0 }; ; ) {
      const found = await watch.after(place, ceiling);
      if (found === undefined) return events;
      for (const { at, indicatorId, document } of found.changes)
        events.push([eventIdAt(at, ceiling), indicatorId, document]);
      place = found.at;
    }
  }

  /** What the live page is made of. */
  async activity(ceiling: TlpMarking): Promise<unknown[]> {
    const { activity } = this.#parts.stores;
    return [
      await activity.minutes(ceiling, 0),
      await activity.sensors(ceiling, undefined, 100, systemClock()),
    ];
  }

  report(ceiling: TlpMarking, events: readonly object[]): Promise<Answer> {
    return this.#request('POST', '/v1/sensorEvents:ingest', this.#keys[ceiling]?.sensor, { events });
  }

  async #request(
    method: 'GET' | 'POST',
    url: string,
    key: string | undefined,
    body?: object,
  ): Promise<Answer> {
    const { statusCode, headers, payload } = await this.#parts.http.app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${key}`,
        accept: url.startsWith('/taxii2') ? TAXII : 'application/json',
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: statusCode, headers, body: payload };
  }

  /** The verdict of a person with this ceiling. Resolves to whether there was something to verify. */
  verify(indicatorId: string, ceiling: TlpMarking): Promise<boolean> {
    const { commands } = this.#parts.pipeline;
    return accepted(commands.verify({ indicatorId, actor: 'ann', ceiling, note: '', tlp: 'UNSPECIFIED' }));
  }

  /** The same for a dispute, or for its undoing. */
  dispute(indicatorId: string, ceiling: TlpMarking, undo: boolean, note = ''): Promise<boolean> {
    const { commands } = this.#parts.pipeline;
    const act = { indicatorId, actor: 'ann', ceiling, note, tlp: 'UNSPECIFIED', undo } as const;
    return accepted(commands.dispute(act));
  }

  /** The same for a note. */
  note(indicatorId: string, ceiling: TlpMarking, note: string): Promise<boolean> {
    const { commands } = this.#parts.pipeline;
    return accepted(commands.addNote({ indicatorId, actor: 'ann', ceiling, note, tlp: ceiling }));
  }

  /** Resolves to whether there was something to withdraw. */
  withdraw(indicatorId: string): Promise<boolean> {
    return accepted(this.#parts.acts.revoke({ indicatorId, actor: 'cli', note: '' }));
  }

  mark(indicatorId: string, tlp: TlpMarking): Promise<boolean> {
    return accepted(this.#parts.acts.mark({ indicatorId, actor: 'cli', tlp, note: '' }));
  }

  /** The newest entries of the audit log. */
  audit(limit: number) {
    return this.#parts.stores.audit(limit);
  }

  async work(): Promise<void> {
    await this.#parts.pipeline.worker.drain();
  }

  async prune(): Promise<void> {
    await prune(pruneParts(this.#parts.stores, this.#config, systemClock), systemClock() - DAY);
  }

  async compact(): Promise<void> {
    await compactFeed(this.#parts.stores, systemClock() - DAY);
  }

  /** @param settings further variables of the configuration, from now on. */
  async restart(settings?: Readonly<Record<string, string>>): Promise<void> {
    await this.#parts.close();
    if (settings !== undefined) this.#config = configOf(this.#config.dataDir, settings);
    this.#parts = await start(this.#config);
    await this.#parts.pipeline.reviewStored();
  }

  async close(): Promise<void> {
    await this.#parts.close();
    await rm(this.#config.dataDir, { recursive: true });
  }
}

const TAXII = 'application/taxii+json;version=2.1';

/** Whether a command was carried out, or refused because of the state of the indicator. */
async function accepted(command: Promise<unknown>): Promise<boolean> {
  try {
    await command;
    return true;
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.ok(error.code === 'not_found' || error.code === 'failed_precondition', error.message);
    return false;
  }
}

/** Shows the time of the test, however far it jumps. */
const TEST_CLOCK: ServiceClock = {
  service: systemClock,
  expiry: systemClock,
  memory: systemClock,
  observed: systemClock,
  report: () => assert.fail('not asked'),
  storedExpiry: 0,
  look: async () => undefined,
  save: async () => undefined,
};

async function start(config: Config) {
  const stores: Stores = await openStores(config);
  const usage = await openUsage(config);
  const reader = await openUsageReader(config);
  const pipeline = await assemblePipeline(stores, config, {
    works: true,
    clock: TEST_CLOCK,
    reads: 'requests',
  });
  const stopping = new AbortController();
  const http = await createHttp(
    {
      log: createLog(config),
      metrics: new Metrics(),
      readiness: () => Promise.reject(new Error('not asked')),
      stopping: stopping.signal,
      stores,
      usage: reader,
      clock: TEST_CLOCK,
      commands: createPipelineCalls(stores, pipeline),
      metering: createMeteringCalls(usage, createConsumerTracking(), config),
      collections: await storedCollections(stores),
      limits: ownLimits(memoryShares(config.memoryBudget, process.memoryUsage.rss())),
    },
    config,
  );
  const close = async () => {
    stopping.abort();
    await http.app.close();
    await reader.close();
    await usage.close();
    await stores.close();
  };
  return { stores, pipeline, http, acts: createOperatorActs(stores, config, systemClock), close };
}
