// Wiring of the reading thread: searches that would hold up the thread that answers HTTP.

import type { Stores } from '../store/stores.ts';

/** How long one read may take. Milliseconds. */
export const RUN_MS = 2_000;

/** What the reading thread carries out for the HTTP thread. */
export function createReadingCalls({ indicators }: Pick<Stores, 'indicators'>) {
  return {
    blocks: (...[criteria, limit, before]: Parameters<typeof indicators.blocks>) =>
      indicators.blocks(criteria, limit, before, RUN_MS),
    count: (...[criteria, bound]: Parameters<typeof indicators.count>) =>
      indicators.count(criteria, bound, RUN_MS),
  };
}

export type ReadingCalls = ReturnType<typeof createReadingCalls>;
