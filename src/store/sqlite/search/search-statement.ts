// The parts of a SQL statement for a plan. Each statement reads one state of the store.

import type { SQLInputValue } from 'node:sqlite';
import type { Seq } from '../../indicators.ts';
import { IN_TIME } from '../deadline.ts';
import { mirrored } from './indexed-rows.ts';
import type { SearchPlan } from './search-plan.ts';

export interface SearchStatement {
  readonly from: string;
  readonly where: string;
  readonly values: readonly SQLInputValue[];
  /** SQL for the seq of a match. */
  readonly seq: string;
  /** The terms of `order by`. */
  readonly newestFirst: string;
  readonly oldestFirst: string;
}

/** The seqs between which the matches are, exclusive. */
export interface Between {
  readonly after?: Seq;
  readonly before?: Seq;
  /** Whether the statement needs the row of each match. */
  readonly joined?: boolean;
}

/** Greater than every seq. */
const NO_SEQ = Number.MAX_SAFE_INTEGER;

/** The smallest seq created at or after an instant. createdAt never decreases along seq, so a window is a range of seq. */
const SEQ_FROM = `coalesce((select seq from indicator where created_at >= ? order by created_at, seq limit 1), ${NO_SEQ})`;

export function searchStatement(
  plan: SearchPlan,
  { after, before, joined = false }: Between,
): SearchStatement {
  const clauses: string[] = [];
  const values: SQLInputValue[] = [];
  const indexed = plan.match !== undefined;
  const from = (seq: string, ...given: SQLInputValue[]) => {
    clauses.push(indexed ? `s.rowid <= ${mirrored(seq)}` : `i.seq >= ${seq}`);
    values.push(...given);
  };
  const below = (seq: string, ...given: SQLInputValue[]) => {
    clauses.push(indexed ? `s.rowid > ${mirrored(seq)}` : `i.seq < ${seq}`);
    values.push(...given);
  };
  if (plan.match !== undefined) {
    clauses.push('s.search_index match ?');
    values.push(plan.match);
  }
  const { start, end } = plan.created;
  if (start !== undefined) from(SEQ_FROM, start);
  if (end !== undefined) below(SEQ_FROM, end);
  if (after !== undefined) from('?', after + 1);
  if (before !== undefined) below('?', before);
  // Without conditions every row that is examined is a match, so there are few.
  if (plan.conditions.length > 0 || joined) clauses.push(IN_TIME, ...plan.conditions);
  values.push(...plan.values);
  return {
    from: tablesOf(plan, joined),
    where: clauses.length === 0 ? 'true' : clauses.join(' and '),
    values,
    ...(indexed
      ? { seq: mirrored('s.rowid'), newestFirst: 's.rowid', oldestFirst: 's.rowid desc' }
      : { seq: 'i.seq', newestFirst: 'i.seq desc', oldestFirst: 'i.seq' }),
  };
}

/** SQLite keeps the order of a cross join: posting lists first. Without conditions on the row they decide alone. */
function tablesOf(plan: SearchPlan, joined: boolean): string {
  if (plan.match === undefined) return 'indicator i';
  if (plan.conditions.length === 0 && !joined) return 'search_index s';
  return `search_index s cross join indicator i on i.seq = ${mirrored('s.rowid')}`;
}
