// Reading indicators: search, count, lookup by id, and the walk through all matches.

import { type Audience, readersAt } from '../../../domain/audience.ts';
import type { AddressRange } from '../../../domain/observable/address.ts';
import type { TlpMarking } from '../../../domain/vocabulary.ts';
import { decodeEvidence } from '../../evidence-codec.ts';
import type { IndicatorReader, SearchCriteria, SearchResult, Seq } from '../../indicators.ts';
import { markingNumber } from '../../rules/markings.ts';
import { requireChecksum } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { EVIDENCE_OF } from '../evidence/evidence-rows.ts';
import { idToBlob } from '../id-column.ts';
import { readRows } from '../read-page.ts';
import { guarded } from '../store-errors.ts';
import { createAddressRanges } from './address-ranges.ts';
import { createCounter } from './counts.ts';
import { searchInOrder } from './ordered-search.ts';
import { readRecord } from './packed-record.ts';
import { createPlanner } from './search-plan.ts';
import { searchStatement } from './search-statement.ts';
import { holdsWhole } from './text-tokens.ts';
import { markingNumberOf, startOfPlace } from './view-rows.ts';
import { eachRecord, eachStale } from './walks.ts';

export function createIndicatorReader(connection: Connection): IndicatorReader {
  const plan = createPlanner(connection);
  const count = createCounter(connection, plan);

  connection.database.function('holds_whole', { deterministic: true }, (haystack, whole) =>
    holdsWhole(String(haystack), String(whole)) ? 1 : 0,
  );
  const readRanges = createAddressRanges(connection);

  const document = (id: string, readers: Audience): string | undefined => {
    const blob = idToBlob(id);
    if (blob === undefined) return undefined;
    const row = connection.row(
      `select d.document from indicator i join indicator_document d on d.seq = i.seq
       where i.id = ? and i.audience & ? <> 0`,
      blob,
      readers,
    );
    return row?.[0] as string | undefined;
  };

  return {
    search: guarded((criteria: SearchCriteria, limit: number, before?: Seq, patienceMs?: number) => {
      const { order } = criteria;
      if (order !== undefined) {
        return connection.deadline.within(patienceMs, () =>
          searchInOrder(connection, plan, { ...criteria, order }, limit, before),
        );
      }
      const between = before === undefined ? {} : { before: startOfPlace(before) };
      const { from, seq, where, values, newestFirst } = searchStatement(plan(criteria), between);
      const sql = `select d.seq, d.document from ${from} cross join indicator_document d on d.seq = ${seq}
         where ${where} order by ${newestFirst} limit ?`;
      const { rows, more } = connection.deadline.within(patienceMs, () =>
        readRows(connection, sql, values, limit),
      );
      const result: SearchResult = {
        rows: rows.map(([seq, document]) => ({ seq: seq as number, document: document as string })),
        more,
      };
      return result;
    }),

    count: guarded((criteria: SearchCriteria, bound: number, patienceMs?: number) =>
      connection.deadline.within(patienceMs, () => count(criteria, bound)),
    ),

    document: guarded((id: string, ceiling: TlpMarking) => document(id, readersAt(ceiling))),

    documents: guarded((ids: readonly string[], ceiling: TlpMarking) => {
      const readers = readersAt(ceiling);
      return ids.map((id) => document(id, readers));
    }),

    rangesAround: guarded((ranges: readonly AddressRange[]) => ranges.map(readRanges())),

    record: guarded((id: string, ceiling: TlpMarking) => {
      const blob = idToBlob(id);
      if (blob === undefined) return undefined;
      const row = connection.row(
        `select r.record, r.crc from indicator i join indicator_record r on r.seq = i.seq
         where i.id = ? and i.audience & ? <> 0`,
        blob,
        readersAt(ceiling),
      );
      return row === undefined ? undefined : readRecord(connection, row[0], row[1]);
    }),

    evidence: guarded((id: string, ceiling: TlpMarking) => {
      const blob = idToBlob(id);
      if (blob === undefined) return undefined;
      const rows = connection.rows(
        `select 0, null, null from indicator where id = ?1 and audience & ?2 <> 0
         union all select 1, e.evidence, e.crc from ${EVIDENCE_OF} where ${markingNumberOf('e.seq')} <= ?3`,
        blob,
        readersAt(ceiling),
        markingNumber(ceiling),
      );
      if (!rows.some(([isEvidence]) => isEvidence === 0)) return undefined;
      return rows
        .filter(([isEvidence]) => isEvidence === 1)
        .map(([, text, crc]) => decodeEvidence(requireChecksum(connection, text, crc)));
    }),

    each: (criteria) => eachRecord(connection, plan, criteria),
    stale: (before) => eachStale(connection, before),
  };
}
