// The number of matches of a search, up to a bound.

import type { SearchCriteria } from '../../indicators.ts';
import type { Connection } from '../connection.ts';
import type { Planner, SearchPlan } from './search-plan.ts';
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
export function createCounter(connection: Connection, plan: Planner) {
  const counts = new Map<string, CachedCount>();

  return (criteria: SearchCriteria, bound: number): number | undefined => {
    const key = JSON.stringify([criteria, bound]);
    const dataVersion = connection.row('pragma data_version')?.[0];
    const cached = counts.get(key);
    const at = performance.now();
    if (cached !== undefined && (cached.dataVersion === dataVersion || isStillBroad(cached, at)))
      return cached.count;
    const count = countMatches(connection, plan(criteria), bound);
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
  const { match, certain } = plan;
  if (plan.conditions.length === 0 || match === undefined || certain === undefined)
    return within(bound, countRows(connection, plan, bound + 1));
  // Most broad searches have too many matches even among those that need no check of the row.
  const surely = countRows(connection, { ...plan, match: certain, conditions: [], values: [] }, bound + 1);
  if (surely > bound) return undefined;
  const rest = { ...plan, match: `(${match}) NOT (${certain})` };
  return within(bound, surely + countRows(connection, rest, bound + 1 - surely));
}

function within(bound: number, count: number): number | undefined {
  return count > bound ? undefined : count;
}

function countRows(connection: Connection, plan: SearchPlan, limit: number): number {
  const { from, where, values } = searchStatement(plan, {});
  const sql = `select count(*) from (select 1 from ${from} where ${where} limit ?)`;
  return connection.row(sql, ...values, limit)?.[0] as number;
}
