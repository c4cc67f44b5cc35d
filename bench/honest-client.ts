// The honest client beside an attack: reads of one indicator and small batches of sensor events, with two keys of its own.

import { setTimeout as delay } from 'node:timers/promises';

/** In a second. */
const GETS = 50;
const BATCHES = 5;
const BATCH_EVENTS = 20;
/** Requests of each kind that are under way at most. */
const UNDER_WAY = 8;

export interface Rates {
  readonly gets: number;
  readonly batches: number;
  /** Milliseconds. */
  readonly slowestGet: number;
  readonly slowestBatch: number;
}

/** Sends at a steady pace, and leaves out what it cannot send because too many requests are unanswered. */
export class HonestClient {
  readonly #url: string;
  readonly #readKey: string;
  readonly #sensorKey: string;
  #id = '';
  #events = 0;

  constructor(port: number, readKey: string, sensorKey: string) {
    this.#url = `http://127.0.0.1:${port}`;
    this.#readKey = readKey;
    this.#sensorKey = sensorKey;
  }

  async prepare(): Promise<void> {
    const answer = await this.#post('/v1/indicators/search', this.#readKey, { pageSize: 1 });
    const page = (await answer.json()) as { indicators: { id: string }[] };
    this.#id = page.indicators[0]?.id ?? '';
  }

  async run(seconds: number): Promise<Rates> {
    const gets = this.#paced(GETS, seconds, async () => {
      const headers = { authorization: `Bearer ${this.#readKey}` };
      const answer = await fetch(`${this.#url}/v1/indicators/${this.#id}`, { headers });
      await answer.text();
      return answer.status === 200;
    });
    const batches = this.#paced(BATCHES, seconds, async () => {
      const answer = await this.#post('/v1/sensorEvents:ingest', this.#sensorKey, { events: this.#batch() });
      await answer.text();
      return answer.status === 200;
    });
    const [get, batch] = await Promise.all([gets, batches]);
    return {
      gets: get.done / seconds,
      batches: batch.done / seconds,
      slowestGet: get.slowest,
      slowestBatch: batch.slowest,
    };
  }

  async #paced(perSecond: number, seconds: number, send: () => Promise<boolean>) {
    const result = { done: 0, slowest: 0 };
    const end = performance.now() + seconds * 1_000;
    let underWay = 0;
    for (let at = performance.now(); at < end; at += 1_000 / perSecond) {
      await delay(Math.max(0, at - performance.now()));
      if (underWay >= UNDER_WAY) continue;
      underWay += 1;
      const started = performance.now();
      void send()
        .then(
          (ok) => {
            if (!ok || performance.now() > end) return;
            result.done += 1;
            result.slowest = Math.max(result.slowest, Math.round(performance.now() - started));
          },
          () => undefined,
        )
        .finally(() => {
          underWay -= 1;
        });
    }
    return result;
  }

  #post(path: string, key: string, body: object): Promise<Response> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return fetch(`${this.#url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  #batch(): object[] {
    return Array.from({ length: BATCH_EVENTS }, () => ({
      eventId: `honest-${this.#events++}`,
      sensorId: 'honest',
      sensorType: 'SENSOR_TYPE_NETWORK',
      indicatorType: 'INDICATOR_TYPE_DOMAIN',
      value: `honest-${this.#events % 500}.example.net`,
      observedAt: new Date().toISOString(),
    }));
  }
}
