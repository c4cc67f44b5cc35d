// The rules that hold in a store at any instant. Each rule is a query for the rows that break it; its only column names
// the row. The problems found are collected here too.

import type { Problem } from '../../driver.ts';

export interface CheckRule {
  readonly rule: string;
  readonly broken: string;
}

const UUID_OF_OWNER = `lower(substr(hex(f.owner), 1, 8) || '-' || substr(hex(f.owner), 9, 4) || '-' ||
  substr(hex(f.owner), 13, 4) || '-' || substr(hex(f.owner), 17, 4) || '-' || substr(hex(f.owner), 21))`;

const COLLECTIONS_BEFORE =
  'lag(collections, 1, 0) over (partition by object_id order by date_added) as before';

export const STORE_RULES: readonly CheckRule[] = [
  ...['indicator_document', 'indicator_record', 'search_tokens'].flatMap((table): CheckRule[] => [
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
    rule: 'version-without-object',
    broken: 'select date_added from feed where date_added not in (select date_added from feed_object)',
  },
  {
    rule: 'object-without-version',
    broken: 'select date_added from feed_object where date_added not in (select date_added from feed)',
  },
  {
    rule: 'version-twice',
    broken: 'select object_id from feed group by object_id, version having count(*) > 1',
  },
  {
    // Exactly one version of an object is not superseded, and it is the newest.
    rule: 'newest-version',
    broken: `select object_id from feed group by object_id
      having sum(superseded_at is null) <> 1
        or max(version) <> max(version) filter (where superseded_at is null)`,
  },
  {
    // A version joined the collections in which no earlier one is. After a compaction the next version takes them over.
    rule: 'first-version',
    broken: `select date_added from (
      select date_added, joined, collections, ${COLLECTIONS_BEFORE} from feed
    ) where joined <> collections & ~before`,
  },
  {
    rule: 'stays-in-its-collections',
    broken: `select date_added from (select date_added, collections, ${COLLECTIONS_BEFORE} from feed)
      where before & ~collections <> 0`,
  },
  {
    // A later and newer version of the same object supersedes it. A late version is superseded by itself.
    rule: 'superseded-by',
    broken: `select f.date_added from feed f where f.superseded_at <> f.date_added and not exists (
      select 1 from feed n where n.date_added = f.superseded_at and n.date_added > f.date_added
        and n.object_id = f.object_id and n.version > f.version
    )`,
  },
  {
    rule: 'one-marking-for-all-versions',
    broken: 'select object_id from feed group by object_id having min(tlp) <> max(tlp)',
  },
  {
    rule: 'marking-below-its-owner',
    broken: `select f.date_added from feed f
      join feed o on o.object_id = 'indicator--' || ${UUID_OF_OWNER} and o.superseded_at is null
      where f.owner is not null and f.tlp < o.tlp`,
  },
];

export const USAGE_RULES: readonly CheckRule[] = [
  {
    rule: 'account-is-sum-of-its-credentials',
    broken: `select account || ' ' || hour from usage group by account, hour
      having sum(iif(credential = '', searches, -searches)) <> 0
        or sum(iif(credential = '', returned, -returned)) <> 0`,
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
