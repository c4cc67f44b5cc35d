// The feed as one reader sees it, evaluated naively. The model knows nothing of other readers: it gets only the changes
// that are for this one.

import { nextDateAdded } from '../../domain/date-added.ts';
import type { Instant } from '../../domain/instant.ts';
import type { DateAdded, FeedAppend, FeedQuery } from '../feed.ts';

export interface ModelVersion {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  readonly object: string;
  readonly dateAdded: DateAdded;
}

interface Row extends ModelVersion {
  readonly owner: string | undefined;
  collections: ReadonlySet<string>;
  supersededAt: DateAdded;
}

/** A query whose bounds are dates of this reader. */
export interface ModelQuery extends Pick<FeedQuery, 'ids' | 'types' | 'versions' | 'collection'> {
  readonly addedAfter?: DateAdded;
  readonly until: DateAdded;
}

const WHOLE_FEED = '';
/** Stands for all collections, including later ones. */
const EVERY = '*';

export class FeedReaderModel {
  #rows: Row[] = [];
  #last: DateAdded | undefined;
  readonly #declared: readonly string[];

  constructor(declared: readonly string[]) {
    this.#declared = declared;
  }

  /** The date of the newest entry that there ever was. */
  get last(): DateAdded | undefined {
    return this.#last;
  }

  get dates(): readonly DateAdded[] {
    return this.#rows.map(({ dateAdded }) => dateAdded);
  }

  append(entry: FeedAppend, now: Instant): void {
    const { id, type, version, object, owner } = entry;
    const same = this.#rows.filter((row) => row.id === id);
    if (same.some((row) => row.version === version)) return;
    const newest = newestOf(same);
    const isLate = newest !== undefined && version < newest.version;
    const joining = entry.collections === 'every' ? [EVERY] : [WHOLE_FEED, ...(entry.collections ?? [])];
    const owners = owner === undefined ? undefined : newestOf(this.#rows.filter((row) => row.id === owner));
    const before = newest?.collections ?? new Set();
    const collections = isLate
      ? before
      : union(new Set(joining), union(before, owners?.collections ?? new Set()));
    const isNew = (one: string) => !before.has(one) && !before.has(EVERY);
    const joins = !isLate && (newest === undefined || [...collections].some(isNew));
    if (entry.onlyToJoin && !joins) return;
    const dateAdded = nextDateAdded(this.#last, entry.modified, now);
    this.#last = dateAdded;
    if (!isLate && newest !== undefined) newest.supersededAt = dateAdded;
    const supersededAt = isLate ? dateAdded : Number.POSITIVE_INFINITY;
    this.#rows.push({ id, type, version, object, owner, dateAdded, collections, supersededAt });
  }

  hide(id: string): void {
    const newest = newestOf(this.#rows.filter((row) => row.id === id));
    this.#rows = this.#rows.filter((row) => row === newest || (row.id !== id && row.owner !== id));
  }

  fill(collection: string, ids: readonly string[]): void {
    for (const row of this.#rows) {
      if ((ids.includes(row.id) || ids.includes(row.owner ?? '')) && !isIn(row, collection))
        row.collections = union(row.collections, new Set([collection]));
    }
  }

  compact(before: Instant): void {
    this.#rows = this.#rows.filter(({ supersededAt }) => supersededAt >= before * 1_000);
  }

  query({ addedAfter = 0, until, ids, types, versions = 'last', collection }: ModelQuery): ModelVersion[] {
    if (collection !== undefined && !this.#declared.includes(collection)) return [];
    return this.#rows.filter(
      (row) =>
        row.dateAdded > addedAfter &&
        row.dateAdded <= until &&
        (types?.includes(row.type) ?? true) &&
        (ids?.includes(row.id) ?? true) &&
        isIn(row, collection) &&
        (versions === 'all' ||
          [versions].flat().some((version) => {
            if (version === 'last') return row.supersededAt > until;
            if (version === 'first')
              return this.#rows.find((other) => other.id === row.id && isIn(other, collection)) === row;
            return row.version === version;
          })),
    );
  }
}

function newestOf(rows: readonly Row[]): Row | undefined {
  return rows.toSorted((a, b) => (a.version < b.version ? -1 : 1)).at(-1);
}

function isIn({ collections }: Row, collection = WHOLE_FEED): boolean {
  return collections.has(collection) || collections.has(EVERY);
}

function union(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set([...one, ...other]);
  return all.has(EVERY) ? new Set([EVERY]) : all;
}
