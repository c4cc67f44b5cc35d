// Reading indicators: search, count, lookup by id, and the walk through all matches.

import type { SQLInputValue } from 'node:sqlite';
import type { TlpMarking } from '../../../domain/vocabulary.ts';
import type { IndicatorReader, SearchCriteria, SearchResult, Seq, StoredRecord } from '../../indicators.ts';
import { decodeRecord } from '../../record-codec.ts';
import { ceilingNumber } from '../../rules/markings.ts';
import { requireChecksum } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { idToBlob } from '../id-column.ts';
import { readRows } from '../read-page.ts';
import { guarded } from '../store-errors.ts';
import { planSearch, type SearchPlan } from './search-plan.ts';

const COUNT_CACHE_LIMIT = 1_000;
/** How long a count above the bound stays cached, although others write. Milliseconds. */
const BROAD_FOR = 5_000;

/** A count stays exact until the next write, so that a walk over many pages counts once. */
interface CachedCount {
  readonly dataVersion: unknown;
  readonly count: number | undefined;
  /** Time on the monotonic clock, in milliseconds. */
  readonly at: number;
}

export function createIndicatorReader(connection: Connection): IndicatorReader {
  const counts = new Map<string, CachedCount>();

  return {
    search: guarded((criteria: SearchCriteria, limit: number, before?: Seq) => {
      const query = bind(planSearch(criteria), before);
      const sql = `select d.seq, d.document from ${query.from} cross join indicator_document d on d.seq = ${query.rowid}
         where ${query.where} order by ${query.rowid} desc limit ?`;
      const { rows, more } = readRows(connection, sql, query.values, limit);
      const result: SearchResult = {
        rows: rows.map(([seq, document]) => ({ seq: seq as number, document: document as string })),
        more,
      };
      return result;
    }),

    count: guarded((criteria: SearchCriteria, bound: number) => {
      const plan = planSearch(criteria);
      const key = JSON.stringify([plan, bound]);
      const dataVersion = connection.row('pragma data_version')?.[0];
      const cached = counts.get(key);
      const at = performance.now();
      if (cached !== undefined && (cached.dataVersion === dataVersion || isStillBroad(cached, at)))
        return cached.count;
      const count = countMatches(connection, plan, bound);
      if (counts.size >= COUNT_CACHE_LIMIT) counts.clear();
      counts.set(key, { dataVersion, count, at });
      return count;
    }),

    document: guarded((id: string, ceiling: TlpMarking) => {
      const blob = idToBlob(id);
      if (blob === undefined) return undefined;
      const row = connection.row(
        `select d.document from indicator i join indicator_document d on d.seq = i.seq
         where i.id = ? and i.tlp <= ?`,
        blob,
        ceilingNumber(ceiling),
      );
      return row?.[0] as string | undefined;
    }),

    record: guarded((id: string, ceiling: TlpMarking) => {
      const blob = idToBlob(id);
      if (blob === undefined) return undefined;
      const row = connection.row(
        `select r.record, r.crc, r.revision from indicator i join indicator_record r on r.seq = i.seq
         where i.id = ? and i.tlp <= ?`,
        blob,
        ceilingNumber(ceiling),
      );
      if (row === undefined) return undefined;
      const [text, crc, revision] = row as [unknown, unknown, number];
      const stored: StoredRecord = {
        record: decodeRecord(requireChecksum(connection, text, crc)),
        revision,
      };
      return stored;
    }),

    each: (criteria) => eachRecord(connection, criteria),
    stale: (before) => eachStale(connection, before),
  };
}

/** Records of one batch: some milliseconds, and at most some megabytes. */
const WALK_BATCH = 200;

async function* eachRecord(connection: Connection, criteria: SearchCriteria): AsyncGenerator<StoredRecord> {
  const readLast = guarded(
    () => connection.row('select coalesce(max(seq), 0) from indicator')?.[0] as number,
  );
  const readBatch = guarded((plan: SearchPlan, after: Seq, last: Seq) => {
    const query = bind(plan, last + 1, after);
    return connection.rows(
      `select r.seq, r.record, r.crc, r.revision from ${query.from} cross join indicator_record r on r.seq = ${query.rowid}
       where ${query.where} order by ${query.rowid} limit ?`,
      ...query.values,
      WALK_BATCH,
    ) as [Seq, string, number, number][];
  });
  const plan = planSearch(criteria);
  const last = await readLast();
  let batch: [Seq, string, number, number][];
  let after = 0;
  do {
    batch = await readBatch(plan, after, last);
    for (const [, text, crc, revision] of batch) {
      yield { record: decodeRecord(requireChecksum(connection, text, crc)), revision };
    }
    after = batch.at(-1)?.[0] ?? last;
  } while (batch.length === WALK_BATCH);
}

async function* eachStale(connection: Connection, before: number): AsyncGenerator<StoredRecord> {
  const readBatch = guarded(
    (after: Seq) =>
      connection.rows(
        `select i.seq, r.record, r.crc, r.revision from indicator i join indicator_record r using (seq)
         where i.seq > ? and i.valid_until < ? order by i.seq limit ?`,
        after,
        before,
        WALK_BATCH,
      ) as [Seq, string, number, number][],
  );
  let batch: [Seq, string, number, number][];
  let after = 0;
  do {
    batch = await readBatch(after);
    for (const [, text, crc, revision] of batch) {
      yield { record: decodeRecord(requireChecksum(connection, text, crc)), revision };
    }
    after = batch.at(-1)?.[0] ?? after;
  } while (batch.length === WALK_BATCH);
}

/** A broad search has no total, so a new count after every write would be wasted. */
function isStillBroad({ count, at }: CachedCount, now: number): boolean {
  return count === undefined && now - at < BROAD_FOR;
}

function countMatches(connection: Connection, plan: SearchPlan, bound: number): number | undefined {
  const query = bind(plan, undefined);
  const row = connection.row(
    `select count(*) from (select 1 from ${query.from} where ${query.where} limit ?)`,
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

/** Greater than every seq. */
const NO_SEQ = Number.MAX_SAFE_INTEGER;

/** The smallest seq created at or after an instant. createdAt never decreases along seq, so a window is a range of seq. */
const SEQ_FROM = `coalesce((select seq from indicator where created_at >= ? order by created_at, seq limit 1), ${NO_SEQ})`;

/** Makes one statement of a plan, so that it reads one state of the store. */
function bind(plan: SearchPlan, before: Seq = NO_SEQ, after?: Seq): BoundQuery {
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
  if (after !== undefined) {
    clauses.push(`${rowid} > ?`);
    values.push(after);
  }
  clauses.push(...plan.conditions);
  values.push(...plan.values);
  return { from: tablesOf(plan), where: clauses.join(' and '), rowid, values };
}

/** SQLite keeps the order of a cross join: posting lists first. Without conditions on the row they decide alone. */
function tablesOf(plan: SearchPlan): string {
  if (plan.match === undefined) return 'indicator i';
  if (plan.conditions.length === 0) return 'search_index s';
  return 'search_index s cross join indicator i on i.seq = s.rowid';
}
