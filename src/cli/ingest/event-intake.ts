// Takes events to the pipeline: gathers them into batches, stores the batches in order, and counts the results.

import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { Commands } from '../../pipeline/commands.ts';
import type { EventResult, Reporter } from '../../pipeline/reporter.ts';

/** The largest batch that `ingest` takes. */
const BATCH_SIZE = 1_000;
/** Batches being stored while the next one is read. The store may give them one commit. */
const BATCHES_IN_FLIGHT = 2;

/** Counts of the events of one input, by result. */
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

/** An event on its way, and who wants to know its result. */
interface Entry {
  readonly event: SensorEvent;
  readonly onResult: ((result: EventResult) => void) | undefined;
}

/** Lets the reader go on while batches are stored, at most BATCHES_IN_FLIGHT ahead. */
export class EventIntake {
  readonly #commands: Pick<Commands, 'ingest'>;
  readonly #reporter: Reporter;
  readonly #tlp: TlpMarking | undefined;
  readonly #inFlight: Promise<void>[] = [];
  #batch: Entry[] = [];
  #unanswered = 0;
  events = 0;

  /** @param tlp marking of events without one. */
  constructor(commands: Pick<Commands, 'ingest'>, reporter: Reporter, tlp: TlpMarking | undefined) {
    this.#commands = commands;
    this.#reporter = reporter;
    this.#tlp = tlp;
  }

  /** @returns whether the batch is full and must be sent. */
  add(event: SensorEvent, tally: EventTally, onResult?: (result: EventResult) => void): boolean {
    this.events += 1;
    tally.events += 1;
    const marked =
      this.#tlp !== undefined && event.tlp === 'UNSPECIFIED' ? { ...event, tlp: this.#tlp } : event;
    return this.#batch.push({ event: marked, onResult }) === BATCH_SIZE;
  }

  /** Whether no batch is being stored. */
  get isIdle(): boolean {
    return this.#unanswered === 0;
  }

  /** Sends the current batch. The caller ensures that a batch holds events of one tally only. */
  async send(tally: EventTally): Promise<void> {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    if (this.#inFlight.length === BATCHES_IN_FLIGHT) await this.#inFlight.shift();
    const stored = this.#store(batch, tally);
    // The failure is thrown where the batch is awaited. Until then it must not count as unhandled.
    stored.catch(() => {});
    this.#inFlight.push(stored);
  }

  /** Resolves when all batches are durable; rejects if one could not be stored. */
  async finish(): Promise<void> {
    for (const stored of this.#inFlight) await stored;
  }

  async #store(batch: readonly Entry[], tally: EventTally): Promise<void> {
    this.#unanswered += 1;
    const events = batch.map(({ event }) => event);
    for (const [index, result] of (await this.#commands.ingest(events, this.#reporter)).entries()) {
      tally.add(result);
      batch[index]?.onResult?.(result);
    }
    this.#unanswered -= 1;
  }
}
