// The stream of indicators as they are published or change. The browser connects again by itself and takes up where it was.

import type { ThreatIndicator } from './contract.ts';

export interface WatchHandlers {
  /** The stream is open, at first or again. */
  readonly onReady?: () => void;
  readonly onIndicator?: (indicator: ThreatIndicator) => void;
  readonly onRemoved?: (id: string) => void;
  /** Events are missing: what changed has to be searched for. */
  readonly onGap?: (reason: string) => void;
  /** The service ended the stream for good. */
  readonly onEnd?: (reason: string) => void;
  /** The connection is lost. The browser tries again. */
  readonly onLost?: () => void;
}

/** Members of the filter of a search by their names in a query, such as `filter.minSeverity`. */
export type WatchFilter = readonly (readonly [name: string, value: string])[];

/** @returns a function that ends the stream. */
export function watchIndicators(filter: WatchFilter, handlers: WatchHandlers): () => void {
  const words = new URLSearchParams(filter.map(([name, value]) => [name, value]));
  const source = new EventSource(`/v1/indicators:watch?${words}`);
  const on = <Data>(name: string, handle: (data: Data) => void) =>
    source.addEventListener(name, ({ data }: MessageEvent<string>) => handle(JSON.parse(data) as Data));
  on('ready', () => handlers.onReady?.());
  on('indicator', ({ indicator }: { indicator: ThreatIndicator }) => handlers.onIndicator?.(indicator));
  on('removed', ({ removed }: { removed: { indicatorId: string } }) =>
    handlers.onRemoved?.(removed.indicatorId),
  );
  on('gap', ({ gap }: { gap: { reason: string } }) => handlers.onGap?.(gap.reason));
  on('end', ({ end }: { end: { reason: string } }) => {
    // Otherwise the browser would connect again at once.
    if (end.reason !== 'WATCH_END_REASON_UNAVAILABLE') source.close();
    handlers.onEnd?.(end.reason);
  });
  source.addEventListener('error', () => handlers.onLost?.());
  return () => source.close();
}
