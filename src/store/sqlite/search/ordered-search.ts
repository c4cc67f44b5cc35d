// Searches in an order by what changes: the last sighting, the confidence or the severity.
//
// The index is in the order of creation, so all matches are sorted. If there are many, a search among the highest values
// alone often finds a whole page: it is tried first.

import type { SQLInputValue } from 'node:sqlite';
import { numberOf, SEVERITIES } from '../../../domain/vocabulary.ts';
import type { OrderKey, SearchCriteria, Seq } from '../../indicators.ts';
import type { RowsInOrder } from './result-pages.ts';
import type { Planner } from './search-plan.ts';
import { searchStatement } from './search-statement.ts';
import { startOfPlace } from './view-rows.ts';

const COLUMNS: Readonly<Record<OrderKey, string>> = {
  LAST_SEEN: 'i.last_seen',
  CONFIDENCE: 'i.confidence',
  SEVERITY: 'i.severity',
};

/** Floors of confidence that the index knows by a token. */
const FLOORS = [90, 80, 70, 60, 50];

type Ordered = SearchCriteria & { readonly order: NonNullable<SearchCriteria['order']> };

/** @param before the seq of the last row of the previous page. */
export function searchInOrder<Page extends { readonly more: boolean }>(
  plan: Planner,
  criteria: Ordered,
  before: Seq | undefined,
  read: (rows: RowsInOrder) => Page,
): Page {
  for (const narrower of highestFirst(criteria)) {
    const page = read(sorted(plan, narrower, before));
    // If there are more rows, all of this page are among the highest.
    if (page.more) return page;
  }
  return read(sorted(plan, criteria, before));
}

/** The search with a higher floor each, the highest first. */
function* highestFirst(criteria: Ordered): Generator<Ordered> {
  const { filter, order } = criteria;
  const from = order.from ?? Number.POSITIVE_INFINITY;
  if (order.by === 'CONFIDENCE') {
    for (const floor of FLOORS) {
      if (floor <= from && floor > filter.minConfidenceScore)
        yield { ...criteria, filter: { ...filter, minConfidenceScore: floor } };
    }
  }
  if (order.by === 'SEVERITY') {
    for (const minSeverity of SEVERITIES.slice(1).toReversed()) {
      const floor = numberOf(SEVERITIES, minSeverity);
      if (floor <= from && floor > numberOf(SEVERITIES, filter.minSeverity))
        yield { ...criteria, filter: { ...filter, minSeverity } };
    }
  }
}

function sorted(plan: Planner, criteria: Ordered, before: Seq | undefined): RowsInOrder {
  const { from: key, by } = criteria.order;
  const column = COLUMNS[by];
  const { from, where, values } = searchStatement(plan(criteria), { joined: true });
  const given: SQLInputValue[] = [...values];
  let behind = '';
  if (key !== undefined && before !== undefined) {
    behind = ` and (${column} < ? or (${column} = ? and i.seq < ?))`;
    given.push(key, key, startOfPlace(before));
  }
  // The places are sorted without the documents, which are read in the order of the places.
  const sql = `select d.seq as seq, d.document as document, o.key as key
    from (select i.seq as seq, ${column} as key from ${from} where ${where}${behind}
      order by ${column} desc, i.seq desc limit ?) o
    cross join indicator_document d on d.seq = o.seq`;
  return { sql, values: given };
}
