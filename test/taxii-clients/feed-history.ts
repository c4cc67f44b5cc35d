// Rounds of writing, marking, killing and reading. Readers with every ceiling follow the feed, and what each of them got is
// compared with the log of the feed for its ceiling.

import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../bench/random.ts';
import { until } from '../support/until.ts';
import { FeedClient, readLog } from './feed-client.ts';
import { judge, type LogEntry, logFaults, type Verdict, type Version } from './history.ts';
import { MarkedValues } from './marked-values.ts';
import { Operator } from './operator.ts';
import { type Reader, ServiceUnderFire } from './service-under-fire.ts';
import { STYLES, type Style } from './styles.ts';
import { Writer } from './writer.ts';

const PATIENCE_MS = 300_000;

export interface RoundOptions {
  readonly kills: number;
  /** How often an operator marks a value anew. */
  readonly marks: number;
  /** Acknowledged batches from one death of the service to the next, at most. */
  readonly batches: number;
  /** The time from one death to the next, at least; none by default. */
  readonly seconds?: number;
  /** The wait of each writer after an acknowledgement; none by default. */
  readonly paceMs?: number;
  /** Called when the last writer has stopped. */
  readonly onWritten?: () => void;
}

export interface FeedHistoryOptions {
  readonly writers: number;
  readonly seed: number;
  /** Whether there is a client of every style with every ceiling. Otherwise each style has one, and each ceiling some. */
  readonly everyClient?: boolean;
}

export interface Round {
  /** In the log of the readers who see everything. */
  readonly versions: number;
  /** The date of the newest entry of that log. */
  readonly lastAdded: string | undefined;
  readonly logFaults: readonly string[];
  readonly verdicts: readonly Verdict[];
}

export class FeedHistory implements AsyncDisposable {
  readonly service: ServiceUnderFire;
  readonly #writers: readonly Writer[];
  readonly #readers: readonly Reader[];
  readonly #clients: readonly FeedClient[];
  readonly #values = new MarkedValues();
  readonly #operator: Operator;
  readonly #random: () => number;
  /** The date of the last compared entry of each reader. */
  readonly #judgedTo = new Map<Reader, string>();
  /** Ids of all objects that were in the log of a reader in an earlier round. */
  readonly #published = new Map<Reader, Set<string>>();

  private constructor(
    service: ServiceUnderFire,
    readers: readonly Reader[],
    { writers, seed, everyClient = false }: FeedHistoryOptions,
  ) {
    this.service = service;
    this.#readers = readers;
    this.#random = seededRandom(seed);
    this.#writers = Array.from(
      { length: writers },
      (_, index) => new Writer(`${index + 1}`, service, this.#values, seededRandom(seed + index + 1)),
    );
    this.#operator = new Operator(service, this.#values, seededRandom(seed - 1));
    this.#clients = (everyClient ? everyPair(readers) : somePairs(readers, seed)).map(
      ([style, reader]) => new FeedClient(style, reader, service, this.#values),
    );
  }

  static async start(options: FeedHistoryOptions): Promise<FeedHistory> {
    const service = await ServiceUnderFire.start();
    return new FeedHistory(service, await service.readers(), options);
  }

  /**
   * Writers write and clients follow, all the time; the service is killed and an operator marks values among them. Then
   * the writers stop, the queue runs empty, the clients read to the end, and what each got is held against the log.
   */
  async round(options: RoundOptions): Promise<Round> {
    const { paceMs = 0, onWritten } = options;
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
      Promise.all([
        this.#killAll(options, () => acknowledged),
        this.#markAll(options, () => acknowledged),
      ]).then(() => {
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
    return this.#judge();
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

  /** The marks are spread over the acknowledgements of the round. */
  async #markAll({ marks, kills, batches }: RoundOptions, acknowledged: () => number): Promise<void> {
    for (let mark = 0; mark < marks; mark++) {
      const at = acknowledged() + Math.floor((((kills + 1) * batches) / (marks + 1)) * this.#random());
      await until(`${at} acknowledgements`, () => acknowledged() > at, PATIENCE_MS);
      await this.#operator.mark();
    }
  }

  async #judge(): Promise<Round> {
    const verdicts: Verdict[] = [];
    const faults: string[] = [];
    let newest: readonly LogEntry[] = [];
    for (const reader of this.#readers) {
      newest = await readLog(this.service, reader, this.#judgedTo.get(reader));
      faults.push(...this.#logFaults(newest, reader).map((fault) => `${reader.ceiling}: ${fault}`));
      for (const client of this.#clients) {
        if (client.reader === reader) verdicts.push(this.#verdict(newest, client));
      }
      const last = newest.at(-1)?.dateAdded;
      if (last !== undefined) this.#judgedTo.set(reader, last);
    }
    for (const one of [...this.#clients, ...this.#writers]) one.forget();
    // The last reader sees everything.
    return { versions: newest.length, lastAdded: newest.at(-1)?.dateAdded, logFaults: faults, verdicts };
  }

  #logFaults(log: readonly LogEntry[], reader: Reader): readonly string[] {
    const published = this.#published.get(reader) ?? new Set();
    const reported = this.#writers.flatMap((writer) => [...writer.reported]);
    const due = reported.filter((id) => !published.has(id) && this.#values.isDue(id, reader.ceiling));
    for (const { id } of log) published.add(id);
    this.#published.set(reader, published);
    return [...logFaults(log, due), ...this.#values.remains(log, reader.ceiling)];
  }

  #verdict(log: readonly LogEntry[], client: FeedClient): Verdict {
    const { name, style, versions, markingFaults } = client;
    const wasHidden = ({ about }: Version) => about !== undefined && this.#values.wasMarked(about);
    const verdict = judge(log, { client: name, isCorrect: style.isCorrect, versions, wasHidden });
    return { ...verdict, faults: [...verdict.faults, ...markingFaults] };
  }
}

function everyPair(readers: readonly Reader[]): readonly (readonly [Style, Reader])[] {
  return STYLES.flatMap((style) => readers.map((reader) => [style, reader] as const));
}

/** A correct client with each ceiling and a careless one of each style, other pairs for every seed. */
function somePairs(readers: readonly Reader[], seed: number): readonly (readonly [Style, Reader])[] {
  const correct = STYLES.filter(({ isCorrect }) => isCorrect);
  const careless = STYLES.filter(({ isCorrect }) => !isCorrect);
  return [
    ...readers.map((reader, index) => [at(correct, seed + index), reader] as const),
    ...careless.map((style, index) => [style, at(readers, seed + index)] as const),
  ];
}

function at<Item>(items: readonly Item[], turn: number): Item {
  return items[turn % items.length] as Item;
}
