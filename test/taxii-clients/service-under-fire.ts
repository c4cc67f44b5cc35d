// A service process that is killed and restarted on the same store. Its users ask for the address each time, and wait
// while there is none.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CEILINGS } from '../../src/domain/audience.ts';
import type { TlpMarking } from '../../src/domain/vocabulary.ts';
import { serve, type TisProcess, tis } from '../support/command-line.ts';
import { RestClient } from '../support/http-client.ts';
import { SteppingClock } from '../support/stepping-clock.ts';
import { until } from '../support/until.ts';

/** Longer than a lease of the pipeline: what a killed worker held is free again. */
const LEASE_OVER_MS = 61_000;
const QUIET_WITHIN_MS = 300_000;

const ADMIN = ['--scope', 'admin', '--tlp-ceiling', 'RED'];

/** Wide limits: a few clients send here as much as thousands would. */
const WIDE_LIMITS = {
  TIS_RATE_LIMIT_PER_MINUTE: '60000000',
  TIS_RATE_LIMIT_BURST: '10000000',
  TIS_NEW_VALUES_PER_DAY: '100000000',
  TIS_NEW_BYTES_PER_DAY: '1000000000000',
};

/** A key that reads up to a marking. */
export interface Reader {
  readonly ceiling: TlpMarking;
  readonly key: string;
}

export class ServiceUnderFire implements AsyncDisposable {
  readonly #dataDir: string;
  readonly #clock = new SteppingClock();
  #step = 0;
  /** What the clock of the running process shows more than the true time. */
  #ahead = 0;
  /** May read everything and report events. */
  readonly key: string;
  #starts = 0;
  #running: Promise<{ readonly process: TisProcess; readonly url: string }>;

  private constructor(dataDir: string, key: string) {
    this.#dataDir = dataDir;
    this.key = key;
    this.#running = this.#start();
  }

  static async start(): Promise<ServiceUnderFire> {
    const dataDir = mkdtempSync(join(tmpdir(), 'tis-feed-history-'));
    const service = new ServiceUnderFire(dataDir, await createKey(dataDir, ADMIN));
    await service.url();
    return service;
  }

  /** The address. While the service is down, resolves to that of the next process. */
  async url(): Promise<string> {
    return (await this.#running).url;
  }

  /** Kills the process and starts the next one with a clock beyond all leases of the first. */
  async kill(): Promise<void> {
    const { process } = await this.#running;
    this.#running = process.kill('SIGKILL').then(() => this.#start());
    await this.#running;
  }

  /** The id of the process that runs or starts. */
  async pid(): Promise<number> {
    return (await this.#running).process.pid;
  }

  /** Its clock shows this much more than it should, until the next call. */
  stepClock(milliseconds: number): void {
    this.#step = milliseconds;
    this.#clock.set(this.#ahead + milliseconds);
  }

  /** A further key. */
  async createKey(...words: readonly string[]): Promise<string> {
    return createKey(this.#dataDir, words);
  }

  /** A key for each ceiling. */
  async readers(): Promise<readonly Reader[]> {
    const client = new RestClient(await this.url(), this.key);
    return Promise.all(
      CEILINGS.map(async (ceiling) => {
        const body = { name: `reads ${ceiling}`, tlpCeiling: `TLP_MARKING_${ceiling}` };
        const answer = await client.send('/v1/apiKeys', { method: 'POST', body });
        return { ceiling, key: answer.expect<{ readonly plaintext: string }>(200).plaintext };
      }),
    );
  }

  /** An operator marks a value anew, at the machine of the service. */
  async mark(value: string, tlp: TlpMarking): Promise<void> {
    const words = ['indicators', 'mark', value, '--tlp', tlp, '--data-dir', this.#dataDir];
    const { code, stderr } = await tis(words, { nodeArguments: this.#clock.nodeArguments });
    if (code !== 0) throw new Error(`${value} could not be marked: ${stderr}`);
  }

  /** Waits until the pipeline has nothing left to do. */
  async settled(): Promise<void> {
    await until(
      'an empty queue',
      async () => {
        const { stdout } = await tis(['jobs', 'list', '--json', '--data-dir', this.#dataDir]);
        return JSON.parse(stdout).pending === 0;
      },
      QUIET_WITHIN_MS,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { process } = await this.#running;
    // Reject for everyone who waits for the address.
    this.#running = Promise.reject(new Error('the service was stopped'));
    this.#running.catch(() => undefined);
    await process.kill('SIGTERM');
    this.#clock.dispose();
    rmSync(this.#dataDir, { recursive: true });
  }

  #start(): ReturnType<typeof serve> {
    this.#ahead = this.#starts * LEASE_OVER_MS;
    this.#clock.set(this.#ahead + this.#step);
    this.#starts += 1;
    return serve(this.#dataDir, {
      nodeArguments: this.#clock.nodeArguments,
      env: { ...WIDE_LIMITS, TIS_LOG_LEVEL: 'error' },
    });
  }
}

async function createKey(dataDir: string, words: readonly string[]): Promise<string> {
  const { stdout } = await tis([
    ...['keys', 'create', '--name', 'feed-history', '--json', '--data-dir', dataDir],
    ...words,
  ]);
  return JSON.parse(stdout).key;
}
