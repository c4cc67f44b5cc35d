// Who reports events, and what became of each event.

import type { EventSource } from '../domain/indicator/sensor-event.ts';
import type { ObservableRefusalReason } from '../domain/observable/refusal.ts';
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

/** Why an event was refused. Counted and sent to clients: a reason keeps its meaning. */
export type EventRefusalReason = ObservableRefusalReason | 'OBSERVED_IN_FUTURE' | 'TLP_ABOVE_CEILING';

export interface EventResult {
  readonly eventId: string;
  readonly status: EventStatus;
  /** Of accepted and duplicate events. */
  readonly indicatorId?: string;
  /** Of accepted events: kept, but nothing is published about an indicator that was withdrawn. */
  readonly withdrawn?: true;
  /** Of refused events. */
  readonly reason?: EventRefusalReason;
}
