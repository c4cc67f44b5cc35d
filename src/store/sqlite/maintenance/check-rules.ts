// The rules that hold in a store at any instant. Each rule is a query for the rows that break it; its only column names
// the row. The problems found are collected here too.

import { CEILINGS, EVERYBODY, readersAt } from '../../../domain/audience.ts';
import type { Problem } from '../../driver.ts';
import { markingNumberOf, startOfPlaceOf } from '../search/view-rows.ts';

export interface CheckRule {
  readonly rule: string;
  readonly broken: string;
}

/** The audience of a marking, from the SQL of its number. */
function readersFrom(marking: string): string {
  return `(${EVERYBODY + 1} - (1 << (${marking} - 1)))`;
}

export const STORE_RULES: readonly CheckRule[] = [
  ...['indicator_document', 'indicator_record'].flatMap((table): CheckRule[] => [
    {
      rule: `indicator-without-${table.replace(/.*_/, '')}`,
      broken: `select lower(hex(id)) from indicator where seq not in (select seq from ${table})`,
    },
    {
      rule: `${table.replace(/.*_/, '')}-without-indicator`,
      broken: `select seq from ${table} where seq not in (select seq from indicator)`,
    },
  ]),
  {
    // A view is for the ceilings from its marking up to that of the next view, which may be archived.
    rule: 'audience-up-to-the-next-view',
    broken: `select lower(hex(i.id)) from indicator i where i.audience <> ${readersFrom(markingNumberOf('i.seq'))} - coalesce((
      select ${readersFrom('min(marking)')} from (
        select ${markingNumberOf('seq')} as marking from indicator where id = i.id union all
        select ${markingNumberOf('seq')} from archive where id = i.id
      ) where marking > ${markingNumberOf('i.seq')}
    ), 0)`,
  },
  {
    // Evidence is at the place of a view of its indicator, live or archived.
    rule: 'evidence-without-indicator',
    broken: `select seq from indicator_evidence where ${startOfPlaceOf('seq')} not in (
      select ${startOfPlaceOf('seq')} from indicator union select ${startOfPlaceOf('seq')} from archive)`,
  },
  {
    rule: 'created-order',
    broken: `select lower(hex(id)) from (
      select id, created_at, lag(created_at) over (order by seq) as before from indicator
    ) where created_at < before`,
  },
  {
    rule: 'job-without-indicator',
    broken: 'select lower(hex(indicator_id)) from job where indicator_id not in (select id from indicator)',
  },
  {
    rule: 'record-ahead-without-job',
    broken: `select lower(hex(i.id)) from indicator_record r cross join indicator i using (seq)
      where r.ahead = 1 and (i.id, ${markingNumberOf('i.seq')}) not in (select indicator_id, marking from job)`,
  },
  {
    rule: 'version-without-object',
    broken: 'select date_added from feed where date_added not in (select date_added from feed_object)',
  },
  {
    rule: 'object-without-version',
    broken: 'select date_added from feed_object where date_added not in (select date_added from feed)',
  },
  {
    rule: 'link-without-its-ends',
    broken: CEILINGS.map(
      (
        ceiling,
      ) => `select date_added from feed f where second_owner is not null and audience & ${readersAt(ceiling)} and (
        ${['owner', 'second_owner'].map((end) => `not exists (select 1 from feed e where e.uuid = f.${end} and e.audience & ${readersAt(ceiling)})`).join(' or ')})`,
    ).join(' union '),
  },
  {
    rule: 'date-without-version',
    broken: `select date_added from feed_date d where not exists (
      select 1 from feed f where f.date_added = d.date_added and f.audience & d.audience = d.audience
    )`,
  },
  {
    rule: 'known-audience',
    broken:
      'select audience from feed_date where audience not in (select audience from feed_dated) group by 1',
  },
];

export const USAGE_RULES: readonly CheckRule[] = [
  {
    rule: 'account-is-sum-of-its-credentials',
    broken: `select account || ' ' || hour from usage group by account, hour
      having sum(iif(credential = '', searches, -searches)) <> 0
        or sum(iif(credential = '', returned, -returned)) <> 0
        or sum(iif(credential = '', lookups, -lookups)) <> 0
        or sum(iif(credential = '', lookup_requests, -lookup_requests)) <> 0`,
  },
];

/** How many problems are listed. A broken store may have one for every row. */
const LISTED = 100;

/** The problems that a check has found so far. */
export class Findings {
  readonly listed: Problem[] = [];
  count = 0;

  add(rule: string, subject: string): void {
    this.count += 1;
    if (this.listed.length < LISTED) this.listed.push({ rule, subject });
  }
}
