// The number of matches of a search, up to a bound.

import type { Connection } from '../connection.ts';
import type { SearchPlan } from './search-plan.ts';
import { searchStatement } from './search-statement.ts';

const CACHE_LIMIT = 1_000;
/** How long a count above the bound stays cached, although others write. Milliseconds. */
const BROAD_FOR = 5_000;

/** A count stays exact until the next write, so that many who ask the same cost one count. */
interface CachedCount {
  readonly dataVersion: unknown;
  readonly count: number | undefined;
  /** Time on the monotonic clock, in milliseconds. */
  readonly at: number;
}

/** Returns a function that counts. It gives undefined if there are more matches than `bound`. */
export function createCounter(connection: Connection) {
  const counts = new Map<string, CachedCount>();

  return (plan: SearchPlan, bound: number): number | undefined => {
    const key = JSON.stringify([plan, bound]);
    const dataVersion = connection.row('pragma data_version')?.[0];
    const cached = counts.get(key);
    const at = performance.now();
    if (cached !== undefined && (cached.dataVersion === dataVersion || isStillBroad(cached, at)))
      return cached.count;
    const count = countMatches(connection, plan, bound);
    if (counts.size >= CACHE_LIMIT) counts.clear();
    counts.set(key, { dataVersion, count, at });
    return count;
  };
}

/** A broad search has no total, so a new count after every write would be wasted. */
function isStillBroad({ count, at }: CachedCount, now: number): boolean {
  return count === undefined && now - at < BROAD_FOR;
}

function countMatches(connection: Connection, plan: SearchPlan, bound: number): number | undefined {
  const { from, where, values } = searchStatement(plan, {});
  const row = connection.row(
    `select count(*) from (select 1 from ${from} where ${where} limit ?)`,
    ...values,
    bound + 1,
  );
  const count = row?.[0] as number;
  return count > bound ? undefined : count;
}
