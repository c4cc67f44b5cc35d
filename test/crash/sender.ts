// A sensor that keeps each batch until it is acknowledged, and sends it again after a crash of the service.

import assert from 'node:assert/strict';
import type { RestClient } from '../support/http-client.ts';
import { daysAgo } from '../support/sensor-events.ts';
import type { IngestReply, WireEvent } from '../support/wire.ts';

/** Values that all senders report, so that their events meet in one indicator. */
const SHARED_VALUES = 20;
const LARGEST_BATCH = 40;

interface Batch {
  readonly events: readonly WireEvent[];
  readonly requestId: string | undefined;
}

export interface Receipt {
  readonly value: string;
  readonly indicatorId: string;
}

export class Sender {
  readonly #name: string;
  readonly #random: () => number;
  #made = 0;
  #unanswered: Batch | undefined;
  /** One for every acknowledged event. */
  readonly receipts: Receipt[] = [];
  /** Batches that were stored although the service was killed before it answered. */
  durableUnanswered = 0;

  constructor(name: string, random: () => number) {
    this.#name = name;
    this.#random = random;
  }

  /** Sends batch after batch until the service is gone, or `enough` says so after an acknowledgement. */
  async send(client: RestClient, enough: () => boolean): Promise<void> {
    for (;;) {
      const again = this.#unanswered !== undefined;
      const batch = this.#unanswered ?? this.#newBatch();
      this.#unanswered = batch;
      const answer = await client
        .send('/v1/sensorEvents:ingest', { method: 'POST', body: batch })
        .catch(() => undefined);
      if (answer === undefined) return;
      this.#acknowledge(batch, answer.expect<IngestReply>(200), again);
      this.#unanswered = undefined;
      if (enough()) return;
    }
  }

  #acknowledge({ events, requestId }: Batch, reply: IngestReply, again: boolean): void {
    assert.equal(reply.results.length, events.length);
    const statuses = new Set(reply.results.map(({ status }) => status));
    assert.equal(statuses.size, 1, 'a batch is taken in whole or not at all');
    const [status = ''] = statuses;
    const isRepeat = status === 'DUPLICATE';
    if (isRepeat) this.durableUnanswered += 1;
    else assert.equal(status, 'ACCEPTED');
    assert.ok(
      !isRepeat || (again && requestId === undefined),
      'an event is a duplicate that was never sent before',
    );
    for (const [index, { indicatorId }] of reply.results.entries()) {
      this.receipts.push({ value: events[index]?.value ?? '', indicatorId });
    }
  }

  #newBatch(): Batch {
    const events = Array.from({ length: 1 + Math.floor(this.#random() * LARGEST_BATCH) }, () =>
      this.#newEvent(),
    );
    // With a request id a repeat gets the first answer. Without one the events are duplicates.
    const requestId = this.#random() < 0.5 ? `${this.#name}-${this.#made}` : undefined;
    return { events, requestId };
  }

  #newEvent(): WireEvent {
    this.#made += 1;
    const isShared = this.#random() < 0.3;
    return {
      eventId: `${this.#made}`,
      sensorId: this.#name,
      sensorType: 'SENSOR_TYPE_ICS',
      protocol: 'PROTOCOL_MODBUS',
      value: isShared
        ? `198.51.100.${1 + Math.floor(this.#random() * SHARED_VALUES)}`
        : `2001:db8:${this.#name}::${this.#made.toString(16)}`,
      observedAt: daysAgo(0),
      evidence: { 'modbus.function_code': this.#random() < 0.5 ? '5' : '3' },
    };
  }
}
