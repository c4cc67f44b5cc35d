// A feed in memory, for tests of readers. The contract suite of store/ tests the real ones.

import { isVisible } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type {
  DateAdded,
  FeedBlock,
  FeedBounds,
  FeedObject,
  FeedPage,
  FeedQuery,
  FeedReader,
  FeedVersion,
  Place,
  StoredCollection,
} from '../store/feed.ts';
import { blockOf } from '../store/rules/feed-block.ts';

interface Row extends FeedVersion, FeedObject {
  readonly type: string;
  tlp: TlpMarking;
  supersededAt: Place;
}

/** The members that a test sets. The others have defaults. */
export interface NewEntry {
  readonly id: string;
  readonly version?: string;
  readonly type?: string;
  readonly tlp?: TlpMarking;
  /** Default: one millisecond after the previous entry. */
  readonly dateAdded?: DateAdded;
  /** Default: the dateAdded. */
  readonly place?: Place;
}

export const FEED_START: DateAdded = Date.UTC(2026, 0, 1) * 1_000;

export class MemoryFeed implements FeedReader {
  /** All queries so far. */
  readonly queries: FeedQuery[] = [];
  readonly #rows: Row[] = [];

  add(...entries: readonly NewEntry[]): this {
    for (const {
      id,
      version = '2026-01-01T00:00:00.000Z',
      type = 'indicator',
      tlp = 'GREEN',
      dateAdded,
      place = dateAdded,
    } of entries) {
      const added = dateAdded ?? (this.#rows.at(-1)?.dateAdded ?? FEED_START) + 1_000;
      const at = place ?? added;
      for (const earlier of this.#rows) {
        if (earlier.id !== id) continue;
        earlier.tlp = tlp;
        earlier.supersededAt = Math.min(earlier.supersededAt, at);
      }
      const object = JSON.stringify({ type, spec_version: '2.1', id, created: version, modified: version });
      const entry = { place: at, dateAdded: added, id, type, version, object };
      this.#rows.push({ ...entry, tlp, supersededAt: Number.POSITIVE_INFINITY });
    }
    return this;
  }

  /** Adds this many objects: `indicator--0`, `indicator--1` and so on. */
  fill(count: number): this {
    return this.add(...Array.from({ length: count }, (_, index) => ({ id: `indicator--${index}` })));
  }

  async bounds(ceiling: TlpMarking, addedAfter: DateAdded = 0): Promise<FeedBounds | undefined> {
    const visible = this.#rows.filter(({ tlp }) => isVisible(tlp, ceiling));
    const end = visible.at(-1);
    const after = visible.findLast(({ dateAdded }) => dateAdded <= addedAfter)?.place ?? 0;
    return end && { end, after: addedAfter > end.dateAdded ? addedAfter : after };
  }

  async collections(): Promise<readonly StoredCollection[]> {
    return [];
  }

  versions(query: FeedQuery): Promise<FeedPage<FeedVersion>> {
    return this.page(query);
  }

  objects(query: FeedQuery): Promise<FeedPage<FeedObject>> {
    return this.page(query);
  }

  async blocks(query: FeedQuery): Promise<FeedPage<FeedBlock>> {
    const { entries, more } = await this.page(query);
    return { entries: entries.length === 0 ? [] : [blockOf(entries)], more };
  }

  /** By name and by content. */
  async page(query: FeedQuery): Promise<FeedPage<Row>> {
    this.queries.push(query);
    const visible = this.#rows.filter(
      ({ place, tlp, id, type }) =>
        place > (query.after ?? 0) &&
        place <= query.until &&
        isVisible(tlp, query.ceiling) &&
        (query.ids?.includes(id) ?? true) &&
        (query.types?.includes(type) ?? true),
    );
    const rows = visible.filter((row) => this.#isSelected(row, query));
    return { entries: rows.slice(0, query.limit), more: rows.length > query.limit };
  }

  #isSelected(row: Row, { versions = 'last', until }: FeedQuery): boolean {
    if (versions === 'all') return true;
    if (versions === 'last') return row.supersededAt > until;
    if (versions === 'first') return this.#rows.find(({ id }) => id === row.id) === row;
    return versions.includes(row.version);
  }
}
