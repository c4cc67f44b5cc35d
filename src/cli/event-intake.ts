// Events on their way into the pipeline: gathered into batches, stored in order, counted by what became of them.

import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { Commands } from '../pipeline/commands.ts';
import type { EventResult, Reporter } from '../pipeline/reporter.ts';

/** The most that Commands.ingest takes. */
const BATCH_SIZE = 1_000;
/** Batches that are being stored while the next one is read; they share one commit where the store can. */
const BATCHES_IN_FLIGHT = 2;

/** What became of the events of one input. */
export class EventTally {
  events = 0;
  accepted = 0;
  duplicates = 0;
  refused = 0;
  readonly reasons = new Map<string, number>();

  add(result: EventResult): void {
    switch (result.status) {
      case 'ACCEPTED':
        this.accepted += 1;
        break;
      case 'DUPLICATE':
        this.duplicates += 1;
        break;
      case 'REFUSED': {
        const reason = result.reason ?? 'UNKNOWN';
        this.refused += 1;
        this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
      }
    }
  }
}

/** Reading goes on while batches are stored, but never more than a few of them ahead. */
export class EventIntake {
  readonly #commands: Pick<Commands, 'ingest'>;
  readonly #reporter: Reporter;
  readonly #tlp: TlpMarking | undefined;
  readonly #inFlight: Promise<void>[] = [];
  #batch: SensorEvent[] = [];
  #unanswered = 0;
  events = 0;

  /** @param tlp marking of events that carry none */
  constructor(commands: Pick<Commands, 'ingest'>, reporter: Reporter, tlp: TlpMarking | undefined) {
    this.#commands = commands;
    this.#reporter = reporter;
    this.#tlp = tlp;
  }

  /** Whether the batch is full now and must be sent. */
  add(event: SensorEvent, tally: EventTally): boolean {
    this.events += 1;
    tally.events += 1;
    const marked =
      this.#tlp !== undefined && event.tlp === 'UNSPECIFIED' ? { ...event, tlp: this.#tlp } : event;
    return this.#batch.push(marked) === BATCH_SIZE;
  }

  /** Whether nothing is being stored at the moment. */
  get isIdle(): boolean {
    return this.#unanswered === 0;
  }

  /** Sends what there is: the caller sees to it that a batch never holds events of two tallies. */
  async send(tally: EventTally): Promise<void> {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    if (this.#inFlight.length === BATCHES_IN_FLIGHT) await this.#inFlight.shift();
    const stored = this.#store(batch, tally);
    // A failure is thrown where the batch is awaited; until then it is not an unhandled one.
    stored.catch(() => {});
    this.#inFlight.push(stored);
  }

  /** Resolves once everything sent is durable; rejects when something could not be stored. */
  async finish(): Promise<void> {
    for (const stored of this.#inFlight) await stored;
  }

  async #store(batch: readonly SensorEvent[], tally: EventTally): Promise<void> {
    this.#unanswered += 1;
    for (const result of await this.#commands.ingest(batch, this.#reporter)) tally.add(result);
    this.#unanswered -= 1;
  }
}
