// Reading indicators: search, count, lookup by id, and the walk through all matches.

import type { SQLInputValue } from 'node:sqlite';
import { readersAt } from '../../../domain/audience.ts';
import type { IndicatorRecord } from '../../../domain/indicator/indicator.ts';
import type { TlpMarking } from '../../../domain/vocabulary.ts';
import type { IndicatorReader, SearchCriteria, SearchResult, Seq } from '../../indicators.ts';
import { decodeRecord } from '../../record-codec.ts';
import { requireChecksum } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { idToBlob } from '../id-column.ts';
import { readRows } from '../read-page.ts';
import { guarded } from '../store-errors.ts';
import { planSearch, type SearchPlan } from './search-plan.ts';
import { endOfPlace, IS_NARROW, startOfPlace } from './view-rows.ts';

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
      const query = bind(plan(connection, criteria), before === undefined ? undefined : startOfPlace(before));
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
      const planned = plan(connection, criteria);
      const key = JSON.stringify([planned, bound]);
      const dataVersion = connection.row('pragma data_version')?.[0];
      const cached = counts.get(key);
      const at = performance.now();
      if (cached !== undefined && (cached.dataVersion === dataVersion || isStillBroad(cached, at)))
        return cached.count;
      const count = countMatches(connection, planned, bound);
      if (counts.size >= COUNT_CACHE_LIMIT) counts.clear();
      counts.set(key, { dataVersion, count, at });
      return count;
    }),

    document: guarded((id: string, ceiling: TlpMarking) => {
      const blob = idToBlob(id);
      if (blob === undefined) return undefined;
      const row = connection.row(
        `select d.document from indicator i join indicator_document d on d.seq = i.seq
         where i.id = ? and i.audience & ? <> 0`,
        blob,
        readersAt(ceiling),
      );
      return row?.[0] as string | undefined;
    }),

    record: guarded((id: string, ceiling: TlpMarking) => {
      const blob = idToBlob(id);
      if (blob === undefined) return undefined;
      const row = connection.row(
        `select r.record, r.crc from indicator i join indicator_record r on r.seq = i.seq
         where i.id = ? and i.audience & ? <> 0`,
        blob,
        readersAt(ceiling),
      );
      return row === undefined ? undefined : decodeRecord(requireChecksum(connection, row[0], row[1]));
    }),

    each: (criteria) => eachRecord(connection, criteria),
    stale: (before) => eachStale(connection, before),
  };
}

/** Records of one batch: some milliseconds, and at most some megabytes. */
const WALK_BATCH = 200;

async function* eachRecord(
  connection: Connection,
  criteria: SearchCriteria,
): AsyncGenerator<IndicatorRecord> {
  const readLast = guarded(
    () => connection.row('select coalesce(max(seq), 0) from indicator')?.[0] as number,
  );
  const readBatch = guarded((after: Seq, last: Seq) => {
    const query = bind(plan(connection, criteria), endOfPlace(last), after);
    return connection.rows(
      `select r.seq, r.record, r.crc from ${query.from} cross join indicator_record r on r.seq = ${query.rowid}
       where ${query.where} order by ${query.rowid} limit ?`,
      ...query.values,
      WALK_BATCH,
    ) as [Seq, string, number][];
  });
  const last = await readLast();
  let batch: [Seq, string, number][];
  let after = 0;
  do {
    batch = await readBatch(after, last);
    for (const [, text, crc] of batch) yield decodeRecord(requireChecksum(connection, text, crc));
    after = endOfPlace(batch.at(-1)?.[0] ?? last);
  } while (batch.length === WALK_BATCH);
}

async function* eachStale(connection: Connection, before: number): AsyncGenerator<IndicatorRecord> {
  const readBatch = guarded(
    (after: Seq) =>
      connection.rows(
        `select i.seq, r.record, r.crc from indicator i join indicator_record r using (seq)
         where i.seq > ? and i.valid_until < ? order by i.seq limit ?`,
        after,
        before,
        WALK_BATCH,
      ) as [Seq, string, number][],
  );
  let batch: [Seq, string, number][];
  let after = 0;
  do {
    batch = await readBatch(after);
    for (const [, text, crc] of batch) yield decodeRecord(requireChecksum(connection, text, crc));
    after = batch.at(-1)?.[0] ?? after;
  } while (batch.length === WALK_BATCH);
}

/** The plan for the views that the store has now. */
function plan(connection: Connection, criteria: SearchCriteria): SearchPlan {
  const narrow = connection.row(`select exists (select 1 from indicator where ${IS_NARROW})`);
  return planSearch(criteria, narrow?.[0] === 1);
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
