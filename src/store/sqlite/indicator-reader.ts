// Reading indicators: search, count, and by id.

import type { SQLInputValue } from 'node:sqlite';
import { tokenize } from '../../domain/text-query.ts';
import { numberOf, TLP_MARKINGS, type TlpMarking } from '../../domain/vocabulary.ts';
import { decodeRecord } from '../record-codec.ts';
import type { IndicatorReader, SearchCriteria, SearchResult, Seq, StoredRecord } from '../stores.ts';
import { asStoreError, type Connection } from './connection.ts';
import { idToBlob } from './indicator-id.ts';
import { planSearch, type SearchPlan, SUMMARY_HAS_WORDS } from './search-plan.ts';

/** Counts kept while nothing is written: a walk over many pages counts once. */
const COUNT_CACHE_LIMIT = 1_000;

interface CachedCount {
  readonly dataVersion: unknown;
  readonly count: number | undefined;
}

export function createIndicatorReader(connection: Connection): IndicatorReader {
  connection.database.function(SUMMARY_HAS_WORDS, { deterministic: true }, summaryHasWords);
  const counts = new Map<string, CachedCount>();

  return {
    search: guarded((criteria: SearchCriteria, limit: number, before?: Seq) => {
      const query = bind(planSearch(criteria), before);
      const rows = connection.rows(
        `select i.seq, i.document from ${query.from} where ${query.where} order by ${query.rowid} desc limit ?`,
        ...query.values,
        limit + 1,
      );
      const result: SearchResult = {
        rows: rows
          .slice(0, limit)
          .map(([seq, document]) => ({ seq: seq as number, document: document as string })),
        more: rows.length > limit,
      };
      return result;
    }),

    count: guarded((criteria: SearchCriteria, bound: number) => {
      const plan = planSearch(criteria);
      const key = JSON.stringify([plan, bound]);
      const dataVersion = connection.row('pragma data_version')?.[0];
      const cached = counts.get(key);
      if (cached !== undefined && cached.dataVersion === dataVersion) return cached.count;
      const count = countMatches(connection, plan, bound);
      if (counts.size >= COUNT_CACHE_LIMIT) counts.clear();
      counts.set(key, { dataVersion, count });
      return count;
    }),

    document: guarded((id: string, ceiling: TlpMarking) => {
      const blob = idToBlob(id);
      if (blob === undefined) return undefined;
      const row = connection.row(
        'select document from indicator where id = ? and tlp <= ?',
        blob,
        numberOf(TLP_MARKINGS, ceiling),
      );
      return row?.[0] as string | undefined;
    }),

    record: guarded((id: string, ceiling: TlpMarking) => {
      const blob = idToBlob(id);
      if (blob === undefined) return undefined;
      const row = connection.row(
        `select r.record, r.revision from indicator i join indicator_record r on r.seq = i.seq
         where i.id = ? and i.tlp <= ?`,
        blob,
        numberOf(TLP_MARKINGS, ceiling),
      );
      if (row === undefined) return undefined;
      const stored: StoredRecord = { record: decodeRecord(row[0] as string), revision: row[1] as number };
      return stored;
    }),
  };
}

function countMatches(connection: Connection, plan: SearchPlan, bound: number): number | undefined {
  const query = bind(plan, undefined);
  // Without a condition on the row the posting lists alone hold the answer.
  const from = plan.match !== undefined && plan.conditions.length === 0 ? 'search_index s' : query.from;
  const row = connection.row(
    `select count(*) from (select 1 from ${from} where ${query.where} limit ?)`,
    ...query.values,
    bound + 1,
  );
  const count = row?.[0] as number;
  return count > bound ? undefined : count;
}

interface BoundQuery {
  readonly from: string;
  readonly where: string;
  readonly rowid: string;
  readonly values: SQLInputValue[];
}

/** Above every seq. */
const NO_SEQ = Number.MAX_SAFE_INTEGER;

/** The smallest seq created at or after an instant. createdAt never decreases along seq: a window is a range of seq. */
const SEQ_FROM = `coalesce((select seq from indicator where created_at >= ? order by created_at, seq limit 1), ${NO_SEQ})`;

/** Puts a plan into one statement, so that the answer is one state of the store. */
function bind(plan: SearchPlan, before: Seq = NO_SEQ): BoundQuery {
  const clauses: string[] = [];
  const values: SQLInputValue[] = [];
  const rowid = plan.match === undefined ? 'i.seq' : 's.rowid';
  if (plan.match !== undefined) {
    clauses.push('s.search_index match ?');
    values.push(plan.match);
  }
  const { start, end } = plan.created;
  if (start !== undefined) {
    clauses.push(`${rowid} >= ${SEQ_FROM}`);
    values.push(start);
  }
  if (end === undefined) {
    clauses.push(`${rowid} < ?`);
    values.push(before);
  } else {
    clauses.push(`${rowid} < min(?, ${SEQ_FROM})`);
    values.push(before, end);
  }
  clauses.push(...plan.conditions);
  values.push(...plan.values);
  return {
    // cross join: SQLite keeps this order, posting lists first.
    from:
      plan.match === undefined ? 'indicator i' : 'search_index s cross join indicator i on i.seq = s.rowid',
    where: clauses.join(' and '),
    rowid,
    values,
  };
}

function summaryHasWords(document: unknown, words: unknown): number {
  const summary: unknown = JSON.parse(String(document)).enrichment?.aiSummary;
  if (typeof summary !== 'string') return 0;
  const present = new Set(tokenize(summary));
  const wanted: string[] = JSON.parse(String(words));
  return wanted.every((word) => present.has(word)) ? 1 : 0;
}

/** A synchronous read as a promise that rejects with a ServiceError only. */
export function guarded<Arguments extends unknown[], Result>(
  read: (...given: Arguments) => Result,
): (...given: Arguments) => Promise<Result> {
  return async (...given) => {
    try {
      return read(...given);
    } catch (error) {
      throw asStoreError(error);
    }
  };
}
