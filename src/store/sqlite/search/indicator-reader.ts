// Reading indicators: search, count, lookup by id, and the walk through all matches.

import { type Audience, readersAt } from '../../../domain/audience.ts';
import type { AddressRange } from '../../../domain/observable/address.ts';
import type { TlpMarking } from '../../../domain/vocabulary.ts';
import { decodeEvidence } from '../../evidence-codec.ts';
import type { IndicatorReader, SearchCriteria, Seq } from '../../indicators.ts';
import { markingNumber } from '../../rules/markings.ts';
import { requireChecksum } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { EVIDENCE_OF } from '../evidence/evidence-rows.ts';
import { idToBlob } from '../id-column.ts';
import { guarded } from '../store-errors.ts';
import { createAddressRanges } from './address-ranges.ts';
import { createCounter } from './counts.ts';
import { searchInOrder } from './ordered-search.ts';
import { readRecord } from './packed-record.ts';
import { type RowsInOrder, readBlocks, readResult } from './result-pages.ts';
import { createPlanner, type SearchPlan } from './search-plan.ts';
import { searchStatement } from './search-statement.ts';
import { holdsWhole } from './text-tokens.ts';
import { markingNumberOf, startOfPlace } from './view-rows.ts';
import { eachRecord, eachStale, eachValue } from './walks.ts';

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

  const inOrder = <Page extends { readonly more: boolean }>(
    { order, ...criteria }: SearchCriteria,
    before: Seq | undefined,
    read: (rows: RowsInOrder) => Page,
  ): Page =>
    order === undefined
      ? read(newestFirst(plan(criteria), before))
      : searchInOrder(plan, { ...criteria, order }, before, read);

  return {
    search: guarded((criteria: SearchCriteria, limit: number, before?: Seq, patienceMs?: number) =>
      connection.deadline.within(patienceMs, () =>
        inOrder(criteria, before, (rows) => readResult(connection, rows, limit)),
      ),
    ),

    blocks: guarded((criteria: SearchCriteria, limit: number, before?: Seq, patienceMs?: number) =>
      connection.deadline.within(patienceMs, () =>
        inOrder(criteria, before, (rows) => readBlocks(connection, rows, limit)),
      ),
    ),

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
    values: () => eachValue(connection),
  };
}

function newestFirst(plan: SearchPlan, before: Seq | undefined): RowsInOrder {
  const between = before === undefined ? {} : { before: startOfPlace(before) };
  const { from, seq, where, values, newestFirst } = searchStatement(plan, between);
  const sql = `select d.seq as seq, d.document as document
    from ${from} cross join indicator_document d on d.seq = ${seq}
    where ${where} order by ${newestFirst} limit ?`;
  return { sql, values };
}
