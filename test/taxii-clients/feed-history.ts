// Rounds of writing, killing and reading. Each round is compared with the log of the feed.

import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../bench/random.ts';
import { until } from '../support/until.ts';
import { FeedClient, readLog } from './feed-client.ts';
import { judge, logFaults, type Verdict } from './history.ts';
import { ServiceUnderFire } from './service-under-fire.ts';
import { STYLES } from './styles.ts';
import { Writer } from './writer.ts';

const PATIENCE_MS = 300_000;

export interface RoundOptions {
  readonly kills: number;
  /** Acknowledged batches from one death of the service to the next, at most. */
  readonly batches: number;
  /** The time from one death to the next, at least; none by default. */
  readonly seconds?: number;
  /** The wait of each writer after an acknowledgement; none by default. */
  readonly paceMs?: number;
  /** Called when the last writer has stopped. */
  readonly onWritten?: () => void;
}

export interface Round {
  readonly versions: number;
  readonly kills: number;
  /** The date of the newest entry of the log. */
  readonly lastAdded: string | undefined;
  readonly logFaults: readonly string[];
  readonly verdicts: readonly Verdict[];
}

export class FeedHistory implements AsyncDisposable {
  readonly service: ServiceUnderFire;
  readonly #writers: readonly Writer[];
  readonly #clients: readonly FeedClient[];
  readonly #random: () => number;
  /** The date of the last compared entry. */
  #judgedTo: string | undefined;
  /** Ids of all objects that were in the log of an earlier round. */
  readonly #published = new Set<string>();

  private constructor(service: ServiceUnderFire, writers: number, seed: number) {
    this.service = service;
    this.#random = seededRandom(seed);
    this.#writers = Array.from(
      { length: writers },
      (_, index) => new Writer(`${index + 1}`, service, seededRandom(seed + index + 1)),
    );
    this.#clients = STYLES.map((style) => new FeedClient(style, service));
  }

  static async start(writers: number, seed: number): Promise<FeedHistory> {
    return new FeedHistory(await ServiceUnderFire.start(), writers, seed);
  }

  /**
   * Writers write and clients follow, all the time; the service is killed among them. Then the writers stop, the queue runs
   * empty, the clients read to the end, and what each got is held against the log.
   */
  async round(options: RoundOptions): Promise<Round> {
    const { kills, paceMs = 0, onWritten } = options;
    let isWriting = true;
    let isQuiet = false;
    let acknowledged = 0;
    const goesOn = async () => {
      acknowledged += 1;
      if (paceMs > 0) await delay(paceMs);
      return isWriting;
    };
    const written = Promise.all(this.#writers.map((writer) => writer.write(goesOn)));
    await Promise.all([
      this.#killAll(options, () => acknowledged).then(() => {
        isWriting = false;
      }),
      written
        .then(onWritten)
        .then(() => this.service.settled())
        .then(() => {
          isQuiet = true;
        }),
      ...this.#clients.map((client) => client.follow(() => isQuiet)),
    ]);
    return this.#judge(kills);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]();
  }

  /** Each kill comes at a random acknowledgement, and some writing follows the last one. */
  async #killAll({ kills, batches, seconds = 0 }: RoundOptions, acknowledged: () => number): Promise<void> {
    for (let death = 0; death <= kills; death++) {
      const end = performance.now() + seconds * 1_000;
      await until(`${seconds} s`, () => performance.now() >= end, PATIENCE_MS);
      const at = acknowledged() + 1 + Math.floor(batches * (0.5 + this.#random() / 2));
      await until(`${at} acknowledgements`, () => acknowledged() >= at, PATIENCE_MS);
      if (death < kills) await this.service.kill();
    }
  }

  async #judge(kills: number): Promise<Round> {
    const log = await readLog(this.service, this.#judgedTo);
    const verdicts = this.#clients.map(({ style, versions }) =>
      judge(log, { client: style.name, isCorrect: style.isCorrect, versions }),
    );
    const reported = this.#writers.flatMap((writer) => [...writer.reported]);
    const faults = logFaults(
      log,
      reported.filter((id) => !this.#published.has(id)),
    );
    this.#judgedTo = log.at(-1)?.dateAdded ?? this.#judgedTo;
    for (const { id } of log) this.#published.add(id);
    for (const one of [...this.#clients, ...this.#writers]) one.forget();
    return { versions: log.length, kills, lastAdded: this.#judgedTo, logFaults: faults, verdicts };
  }
}
