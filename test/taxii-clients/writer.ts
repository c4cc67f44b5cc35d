// A sensor that reports new values and, repeatedly, a few shared ones, so that indicators get many versions. Each of its
// own values has one marking; the reports of some shared values have two or three.

import { CEILINGS } from '../../src/domain/audience.ts';
import type { TlpMarking } from '../../src/domain/vocabulary.ts';
import { isBusy, RestClient } from '../support/http-client.ts';
import { daysAgo } from '../support/sensor-events.ts';
import type { IngestReply, WireEvent } from '../support/wire.ts';
import type { MarkedValues } from './marked-values.ts';
import type { ServiceUnderFire } from './service-under-fire.ts';

/** Values that all writers report, until they turn to others: an indicator takes only so many tags. */
const SHARED_VALUES = 40;
const EVENTS_ABOUT_THEM = 400;
/** Of each marking. */
const TAGS = 20;
const LARGEST_BATCH = 8;

/** How many markings a shared value has, by its number. */
const MARKINGS_OF_SHARED = [3, 2, 1, 2, 1, 1, 1];

interface Choice {
  readonly value: string;
  readonly markings: readonly TlpMarking[];
}

interface Report {
  readonly event: WireEvent;
  readonly tlp: TlpMarking;
}

export class Writer {
  readonly #name: string;
  readonly #service: ServiceUnderFire;
  readonly #random: () => number;
  readonly #values: MarkedValues;
  #made = 0;
  /** Ids of the objects about all events acknowledged since `forget`. */
  #reported = new Set<string>();

  constructor(name: string, service: ServiceUnderFire, values: MarkedValues, random: () => number) {
    this.#name = name;
    this.#service = service;
    this.#values = values;
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
        this.#report(),
      );
      const { results } = await this.#deliver(batch.map(({ event }) => event));
      for (const [index, { indicatorId, status, reason }] of results.entries()) {
        if (status === 'REFUSED') throw new Error(`an event was refused: ${reason}`);
        const { event, tlp } = batch[index] as Report;
        this.#values.acknowledge(event.value, tlp, `indicator--${indicatorId}`);
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

  #report(): Report {
    this.#made += 1;
    const isShared = this.#random() < 0.5;
    const { value, markings } = isShared ? this.#sharedValue() : this.#ownValue();
    const tlp = markings[Math.floor(this.#random() * markings.length)] ?? 'RED';
    this.#values.report(value, tlp, !isShared);
    return { event: this.#event(value, tlp), tlp };
  }

  #ownValue(): Choice {
    const value = `2001:db8:${this.#name}::${this.#made.toString(16)}`;
    return { value, markings: [CEILINGS[Math.floor(this.#random() * CEILINGS.length)] ?? 'RED'] };
  }

  #sharedValue(): Choice {
    const generation = 1 + Math.floor(this.#made / EVENTS_ABOUT_THEM);
    const number = 1 + Math.floor(this.#random() * SHARED_VALUES);
    const markings = Array.from(
      { length: MARKINGS_OF_SHARED[number % MARKINGS_OF_SHARED.length] ?? 1 },
      (_, index) => CEILINGS[(number + generation + 2 * index) % CEILINGS.length] ?? 'RED',
    );
    return { value: `2001:db8:ffff:${generation.toString(16)}::${number.toString(16)}`, markings };
  }

  #event(value: string, tlp: TlpMarking): WireEvent {
    return {
      eventId: `${this.#made}`,
      sensorId: this.#name,
      sensorType: 'SENSOR_TYPE_ICS',
      protocol: 'PROTOCOL_MODBUS',
      value,
      tlp: `TLP_MARKING_${tlp}`,
      observedAt: daysAgo(Math.floor(this.#random() * 3)),
      tags: [`tag-${Math.floor(this.#random() * TAGS)}-${tlp.toLowerCase()}`],
      evidence: { 'modbus.function_code': this.#random() < 0.5 ? '5' : '3' },
    };
  }
}
