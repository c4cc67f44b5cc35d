// The changes a running service can be asked for. Arguments and answers are plain values, so that a command can be
// carried out in the thread that owns the writing connection.

import type { EventSource, SensorEvent } from '../domain/indicator/sensor-event.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

/** On whose behalf events come in. */
export interface Reporter {
  readonly account: string;
  /** Independence group of everything reported by this credential. */
  readonly group: string;
  /** Source of events that name none; its reliability is also the most that events may claim. */
  readonly source: EventSource;
  /** Events marked above this are refused. */
  readonly ceiling: TlpMarking;
}

export type EventStatus = 'ACCEPTED' | 'DUPLICATE' | 'REFUSED';

export interface EventResult {
  readonly eventId: string;
  readonly status: EventStatus;
  /** Of accepted and duplicate events. */
  readonly indicatorId?: string;
  /** Of accepted events: kept, but nothing is published about an indicator that was withdrawn. */
  readonly withdrawn?: true;
  /** Of refused events: UPPER_SNAKE_CASE. */
  readonly reason?: string;
}

export interface Verification {
  readonly indicatorId: string;
  /** Subject of the person who confirms. */
  readonly actor: string;
  readonly ceiling: TlpMarking;
  readonly note: string;
  readonly requestId?: string;
}

export interface Commands {
  /**
   * Takes in a batch of at most 1,000 well-formed events, in one transaction; resolves when it is durable.
   * The results are in the order of the events.
   * @param requestId repeats of one id answer what the first answered; another batch under it is `invalid_argument`.
   */
  ingest(
    events: readonly SensorEvent[],
    reporter: Reporter,
    requestId?: string,
  ): Promise<readonly EventResult[]>;
  /**
   * ENRICHED becomes VERIFIED; VERIFIED stays. Resolves to the document of the indicator.
   * Rejects with `not_found` (also above the ceiling) or `failed_precondition` (RAW, SCORED).
   */
  verify(verification: Verification): Promise<string>;
}
