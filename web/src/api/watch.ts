// The stream of indicators as they are published or change. It takes up where it was.

import type { ThreatIndicator } from './contract.ts';
import { openEventStream } from './event-stream.ts';

export interface WatchHandlers {
  /** The stream is open, at first or again. */
  readonly onReady?: () => void;
  readonly onIndicator?: (indicator: ThreatIndicator) => void;
  readonly onRemoved?: (id: string) => void;
  /** Events are missing: what changed has to be searched for. */
  readonly onGap?: (reason: string) => void;
  /** The service ended the stream. It is opened again when the person has signed in again. */
  readonly onEnd?: (reason: string) => void;
  /** The connection is lost. It is tried again. */
  readonly onLost?: () => void;
}

/** Members of the filter of a search by their names in a query, such as `filter.minSeverity`. */
export type WatchFilter = readonly (readonly [name: string, value: string])[];

/** @returns a function that ends the stream. */
export function watchIndicators(filter: WatchFilter, handlers: WatchHandlers): () => void {
  const words = new URLSearchParams(filter.map(([name, value]) => [name, value]));
  const reasonOf = (data: unknown, name: 'gap' | 'end') =>
    (data as Readonly<Record<typeof name, { readonly reason: string }>>)[name].reason;
  return openEventStream('/v1/indicators:watch', words, {
    events: {
      ready: () => handlers.onReady?.(),
      indicator: (data) => handlers.onIndicator?.((data as { indicator: ThreatIndicator }).indicator),
      removed: (data) =>
        handlers.onRemoved?.((data as { removed: { indicatorId: string } }).removed.indicatorId),
      gap: (data) => handlers.onGap?.(reasonOf(data, 'gap')),
    },
    onEnd: (data) => {
      const reason = reasonOf(data, 'end');
      // A service that stops comes back.
      if (reason === 'WATCH_END_REASON_UNAVAILABLE') handlers.onLost?.();
      else handlers.onEnd?.(reason);
    },
    onLost: handlers.onLost,
  });
}
