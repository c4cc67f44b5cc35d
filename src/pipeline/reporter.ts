// The reporter of events, and the result of each event.

import type { EventSource } from '../domain/indicator/sensor-event.ts';
import type { ObservableRefusalReason } from '../domain/observable/refusal.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { BreadthRefusalReason } from './breadth.ts';
import type { QuotaRefusalReason } from './quota.ts';

/** The credential behind a batch of events. */
export interface Reporter {
  readonly account: string;
  /** The same after a rotation. Event ids are unique within it. */
  readonly id: string;
  /**
   * Independence group of the reports by this credential, except those for a listed source (event-source.ts). Keys that
   * were made from each other share it.
   */
  readonly group: string;
  /**
   * The source of events that name none. Its reliability is also the highest that an event may claim. Its id is made by
   * reporterId, and begins the ids of all sources that the events name (source-name.ts).
   */
  readonly source: EventSource;
  /** How readers know the reporter, such as `key plant-7`. The names of sources end with it. */
  readonly title: string;
  /** The sources for which it may speak. ANY_SOURCE allows every name, but not to count as an independent source. */
  readonly sources: readonly string[];
  /** Events with a marking above it are refused. */
  readonly ceiling: TlpMarking;
  /** The operator reads files of its own, so no quota applies. */
  readonly isOperator?: true;
}

export type EventStatus = 'ACCEPTED' | 'DUPLICATE' | 'REFUSED';

/** Why an event was refused. Counted and sent to clients: a reason keeps its meaning. */
export type EventRefusalReason =
  | ObservableRefusalReason
  | BreadthRefusalReason
  | QuotaRefusalReason
  | 'OBSERVED_IN_FUTURE'
  | 'OBSERVED_BEFORE_1990'
  | 'TLP_ABOVE_CEILING';

export interface EventResult {
  readonly eventId: string;
  readonly status: EventStatus;
  /** Of accepted and duplicate events. */
  readonly indicatorId?: string;
  /** Set for an accepted event whose indicator was withdrawn, so that nothing is published. */
  readonly withdrawn?: true;
  /** Of refused events. */
  readonly reason?: EventRefusalReason;
}
