// Clients around the honest ones of the feed: those that search, and those that flood, stall, do not read and send junk.
// Every status is counted. The hostile ones come from another address and use keys of their own, because connections and
// bytes in flight are bounded by address and credential.

import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { type Ammunition, type OpenApi, requestBytes } from '../fuzz/requests.ts';
import { isBusy, send } from '../support/http-client.ts';
import { COLLECTION } from '../support/taxii-client.ts';
import type { ServiceUnderFire } from '../taxii-clients/service-under-fire.ts';

/** Connections of each kind. */
const NOT_READING = 24;
const FLOODING = 8;
const STALLING = 24;
const JUNK = 4;
/** Requests in a row on one connection. */
const PIPELINED = 400;
/** A hostile client gives up after this time and comes again. */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 50;
/** Linux answers on all of 127.0.0.0/8. */
const HOSTILE_ADDRESS = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

export interface CrowdReport {
  /** How often each status was answered to anybody of the crowd. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Refusals of searches for load that do not say when to come again. */
  readonly withoutRetryAfter: number;
  /** Searches with status 200. */
  readonly searched: number;
  /** The longest time of an answer of `/livez`. */
  readonly slowestLivezMs: number;
}

export class Crowd {
  readonly #service: ServiceUnderFire;
  readonly #keys: { readonly reader: string; readonly sensor: string };
  readonly #statuses = new Map<number, number>();
  readonly #sockets = new Set<Socket>();
  #withoutRetryAfter = 0;
  #searched = 0;
  #slowestLivezMs = 0;
  #going = true;
  #ended: Promise<unknown> = Promise.resolve();

  private constructor(service: ServiceUnderFire, keys: { reader: string; sensor: string }) {
    this.#service = service;
    this.#keys = keys;
  }

  /** @param seed of the junk. */
  static async gather(service: ServiceUnderFire, seed: number): Promise<Crowd> {
    const [reader, sensor] = await Promise.all([
      service.createKey('--scope', 'indicators:read'),
      service.createKey('--sensor'),
    ]);
    const crowd = new Crowd(service, { reader, sensor });
    const openApi = (await send(`${await service.url()}/openapi.json`)).expect<OpenApi>(200);
    crowd.#ended = Promise.all([
      crowd.#repeat(1, () => crowd.#search()),
      crowd.#repeat(1, () => crowd.#probe()),
      crowd.#repeat(NOT_READING, (index) => crowd.#neverRead(index)),
      crowd.#repeat(FLOODING, () => crowd.#flood()),
      crowd.#repeat(STALLING, () => crowd.#stall()),
      crowd.#repeat(JUNK, crowd.#junk(openApi, seed)),
    ]);
    return crowd;
  }

  /** Ends all clients. */
  async leave(): Promise<CrowdReport> {
    this.#going = false;
    for (const socket of this.#sockets) socket.destroy();
    await this.#ended;
    return {
      statuses: new Map([...this.#statuses].sort(([one], [other]) => one - other)),
      withoutRetryAfter: this.#withoutRetryAfter,
      searched: this.#searched,
      slowestLivezMs: this.#slowestLivezMs,
    };
  }

  async #repeat(clients: number, act: (index: number) => Promise<void>): Promise<void> {
    const client = async (index: number) => {
      while (this.#going) {
        await act(index);
        await delay(PAUSE_MS);
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  }

  async #search(): Promise<void> {
    const answer = await this.#ask('/v1/indicators/search', { method: 'POST', body: { pageSize: 50 } });
    if (answer === 200) this.#searched += 1;
  }

  async #probe(): Promise<void> {
    const url = await this.#service.url();
    const started = performance.now();
    if ((await this.#ask('/livez')) === 200 && (await this.#service.url()) === url) {
      this.#slowestLivezMs = Math.max(this.#slowestLivezMs, performance.now() - started);
    }
    await delay(PAUSE_MS);
  }

  /** The status; undefined when the service was gone. */
  async #ask(path: string, parts: { method?: string; body?: unknown } = {}): Promise<number | undefined> {
    const url = await this.#service.url();
    const answer = await send(url + path, { ...parts, credential: this.#service.key }).catch(() => undefined);
    if (answer !== undefined) {
      this.#count(answer.status);
      if (isBusy(answer) && !answer.headers.has('retry-after')) this.#withoutRetryAfter += 1;
    }
    return answer?.status;
  }

  /** Many requests for large pages, and no look at the answers. */
  #neverRead(index: number): Promise<void> {
    const path = index % 2 === 0 ? '/openapi.json' : `${COLLECTION}/objects/?limit=1000`;
    return this.#connection(this.#request('GET', path).repeat(PIPELINED), false);
  }

  #flood(): Promise<void> {
    const bytes = [this.#request('GET', '/openapi.json'), this.#request('GET', '/v1/indicators/x', 'tis_x')];
    return this.#connection(bytes.join('').repeat(PIPELINED / 2), true);
  }

  /** A large batch that never arrives whole. */
  #stall(): Promise<void> {
    const head = this.#request('POST', '/v1/sensorEvents:ingest', this.#keys.sensor).slice(0, -2);
    const bytes = `${head}Content-Type: application/json\r\nContent-Length: 8000000\r\n\r\n{"events":[`;
    return this.#connection(bytes + ' '.repeat(1_000_000), true);
  }

  #junk(openApi: OpenApi, seed: number): () => Promise<void> {
    const ammunition: Ammunition = {
      openApi,
      credentials: [`Bearer ${this.#keys.reader}`],
      ids: [crypto.randomUUID(), 'service-global-feed'],
      tokens: ['none'],
    };
    const arbitrary = requestBytes(ammunition);
    let made = 0;
    let waiting: Buffer[] = [];
    return () => {
      if (waiting.length === 0) waiting = fc.sample(arbitrary, { seed: seed + made, numRuns: 100 });
      made += 1;
      return this.#connection(waiting.pop() ?? '', true);
    };
  }

  #request(method: string, path: string, key = this.#keys.reader): string {
    return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  }

  /** Sends the bytes, counts the statuses of what comes back, and hangs up after PATIENCE_MS. */
  async #connection(bytes: string | Buffer, reads: boolean): Promise<void> {
    const port = Number(new URL(await this.#service.url()).port);
    if (!this.#going) return;
    await new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: HOSTILE_ADDRESS });
      this.#sockets.add(socket);
      const patience = setTimeout(() => socket.destroy(), PATIENCE_MS);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearTimeout(patience);
        this.#sockets.delete(socket);
        resolve();
      });
      if (reads) {
        // A status line that is cut in two is not counted.
        socket.on('data', (chunk) => {
          for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
            this.#count(Number(status));
          }
        });
      }
      socket.write(bytes);
    });
  }

  #count(status: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }
}
