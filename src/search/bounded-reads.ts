// Searches that are quick stay in the thread that answers HTTP. Whether a search is quick shows when it runs: it is given up
// after a few milliseconds and goes to a thread for slow ones.

import { ServiceError } from '../domain/errors.ts';
import type { IndicatorReader, SearchBlocks, SearchCriteria, Seq } from '../store/indicators.ts';
import { isOutOfTime } from '../store/patience.ts';

/** Reads elsewhere, one at a time and in turns of the callers. Rejects with `unavailable` when it takes too long. */
export interface SlowReads {
  blocks(caller: string, criteria: SearchCriteria, limit: number, before?: Seq): Promise<SearchBlocks>;
  count(caller: string, criteria: SearchCriteria, bound: number): Promise<number | undefined>;
}

/** Milliseconds. A broad page of 100 takes 0.2 ms. */
const QUICK_MS = 10;
/** How long it is remembered that a search was slow. It may have been slow only because it was the first. Milliseconds. */
const REMEMBERED_MS = 10_000;
const REMEMBERED = 1_000;

/** @param slow absent: every read takes as long as it takes, in this thread. */
export function createBoundedReads(
  indicators: Pick<IndicatorReader, 'blocks' | 'count'>,
  slow: SlowReads | undefined,
): SlowReads {
  if (slow === undefined) {
    return {
      blocks: (_caller, ...given) => indicators.blocks(...given),
      count: (_caller, ...given) => indicators.count(...given),
    };
  }
  /** Slow searches, with the time until which they count as slow. */
  const known = new Map<string, number>();

  /** A search that is known to be slow is still asked for its first row, because there may be none. */
  const firstQuickly = async <Result>(
    kind: string,
    criteria: SearchCriteria,
    quickly: (patienceMs: number) => Promise<Result>,
    slowly: () => Promise<Result>,
  ): Promise<Result> => {
    // Most of the time no search is slow.
    const isSlow = known.size > 0 && (known.get(keyOf(kind, criteria)) ?? 0) > performance.now();
    try {
      return await quickly(isSlow ? 0 : QUICK_MS);
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
    }
    if (!isSlow) {
      if (known.size >= REMEMBERED) known.clear();
      known.set(keyOf(kind, criteria), performance.now() + REMEMBERED_MS);
    }
    return slowly();
  };

  return {
    blocks: (caller, criteria, limit, before) =>
      firstQuickly(
        'search',
        criteria,
        (patienceMs) => indicators.blocks(criteria, limit, before, patienceMs),
        () => slow.blocks(caller, criteria, limit, before),
      ),
    count: (caller, criteria, bound) =>
      firstQuickly(
        'count',
        criteria,
        (patienceMs) => indicators.count(criteria, bound, patienceMs),
        // The page is there. It is worth more than its total.
        () => slow.count(caller, criteria, bound).catch(unlessTooMuch),
      ),
  };
}

function keyOf(kind: string, criteria: SearchCriteria): string {
  return JSON.stringify([kind, criteria]);
}

function unlessTooMuch(error: unknown): undefined {
  const isOverloaded = error instanceof ServiceError && error.details.reason === 'OVERLOADED';
  if (!isOverloaded && !isOutOfTime(error)) throw error;
}
