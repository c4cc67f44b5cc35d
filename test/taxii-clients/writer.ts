// A sensor that reports new values and, repeatedly, a few shared ones, so that indicators get many versions.

import { isBusy, RestClient } from '../support/http-client.ts';
import { daysAgo } from '../support/sensor-events.ts';
import type { IngestReply, WireEvent } from '../support/wire.ts';
import type { ServiceUnderFire } from './service-under-fire.ts';

/** Values that all writers report, until they turn to others: an indicator takes only so many tags. */
const SHARED_VALUES = 40;
const EVENTS_ABOUT_THEM = 400;
const TAGS = 40;
const LARGEST_BATCH = 8;

export class Writer {
  readonly #name: string;
  readonly #service: ServiceUnderFire;
  readonly #random: () => number;
  #made = 0;
  /** Ids of the objects about all events acknowledged since `forget`. */
  #reported = new Set<string>();

  constructor(name: string, service: ServiceUnderFire, random: () => number) {
    this.#name = name;
    this.#service = service;
    this.#random = random;
  }

  get reported(): ReadonlySet<string> {
    return this.#reported;
  }

  forget(): void {
    this.#reported = new Set();
  }

  /** Sends batch after batch, each until it is acknowledged, as long as `goesOn` after an acknowledgement says so. */
  async write(goesOn: () => Promise<boolean>): Promise<void> {
    do {
      const batch = Array.from({ length: 1 + Math.floor(this.#random() * LARGEST_BATCH) }, () =>
        this.#event(),
      );
      const { results } = await this.#deliver(batch);
      for (const { indicatorId, status, reason } of results) {
        if (status === 'REFUSED') throw new Error(`an event was refused: ${reason}`);
        this.#reported.add(`indicator--${indicatorId}`);
      }
    } while (await goesOn());
  }

  /** Sends a batch until it is acknowledged. A repeat counts once. A refusal for load is no acknowledgement. */
  async #deliver(events: readonly WireEvent[]): Promise<IngestReply> {
    for (;;) {
      const client = new RestClient(await this.#service.url(), this.#service.key);
      try {
        const answer = await client.send('/v1/sensorEvents:ingest', { method: 'POST', body: { events } });
        if (!isBusy(answer)) return answer.expect<IngestReply>(200);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
  }

  #event(): WireEvent {
    this.#made += 1;
    const shared = `2001:db8:ffff:${Math.floor(this.#made / EVENTS_ABOUT_THEM).toString(16)}`;
    return {
      eventId: `${this.#made}`,
      sensorId: this.#name,
      sensorType: 'SENSOR_TYPE_ICS',
      protocol: 'PROTOCOL_MODBUS',
      value:
        this.#random() < 0.5
          ? `${shared}::${1 + Math.floor(this.#random() * SHARED_VALUES)}`
          : `2001:db8:${this.#name}::${this.#made.toString(16)}`,
      observedAt: daysAgo(Math.floor(this.#random() * 3)),
      tags: [`tag-${Math.floor(this.#random() * TAGS)}`],
      evidence: { 'modbus.function_code': this.#random() < 0.5 ? '5' : '3' },
    };
  }
}
