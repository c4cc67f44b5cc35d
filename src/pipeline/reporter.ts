// The reporter of events, and the result of each event.

import type { EventSource } from '../domain/indicator/sensor-event.ts';
import type { ObservableRefusalReason } from '../domain/observable/refusal.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { BreadthRefusalReason } from './breadth.ts';
import type { QuotaRefusalReason } from './quota.ts';

/** The credential behind a batch of events. */
export interface Reporter {
  readonly account: string;
  /** Independence group of all reports by this credential. Event ids are unique within it, also after a rotation. */
  readonly group: string;
  /** The source of events that name none. Its reliability is also the highest that an event may claim. */
  readonly source: EventSource;
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
