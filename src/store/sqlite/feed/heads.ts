// The heads of objects: the newest version of each for every ceiling. A cache of them during one append.

import { type Audience, EVERYBODY, NOBODY } from '../../../domain/audience.ts';
import type { Head } from '../../rules/feed-placement.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';
import { IS_OWNED, ownedBy } from './owned.ts';

export interface FeedHead extends Head<number> {
  readonly place: number;
}

/** A row of the feed. */
export interface HistoryRow {
  readonly place: number;
  readonly version: string;
  readonly audience: Audience;
  readonly collections: number;
}

/**
 * The heads among some rows of one object.
 * @param rows from the newest version to older ones.
 */
export function headsAmong(rows: Iterable<HistoryRow>, wanted = EVERYBODY): readonly FeedHead[] {
  const heads: FeedHead[] = [];
  let found = NOBODY;
  for (const row of rows) {
    const audience = row.audience & ~found;
    if (audience !== NOBODY) heads.push({ ...row, audience });
    found |= audience;
    if ((wanted & ~found) === NOBODY) break;
  }
  return heads;
}

interface Known {
  readonly heads: readonly FeedHead[];
  /** The ceilings whose heads are among these, if they have one. */
  readonly audience: Audience;
}

/**
 * Looks each object up once: one append names the same shared objects many times. Skips the lookup for objects of a new
 * owner: an indicator is appended together with the objects it owns.
 */
export class Heads {
  readonly #connection: Connection;
  readonly #known = new Map<string, Known>();
  /** Whether the feed held an object of this owner when it was first looked up. */
  readonly #owners = new Map<string, boolean>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All heads of an object for an audience, and perhaps heads for others. */
  of(id: string, audience: Audience, owner?: string): readonly FeedHead[] {
    let known = this.#known.get(id);
    if (known === undefined || (audience & ~known.audience) !== NOBODY) {
      const isNew = known === undefined && owner !== undefined && !this.#owned(owner);
      known = isNew ? { heads: [], audience: EVERYBODY } : this.#find(id, audience);
      this.#known.set(id, known);
    }
    return known.heads;
  }

  /**
   * The caller reports every version that becomes the newest for the ceilings in its audience. Returns the heads of the
   * object that are known now.
   */
  note(id: string, added: FeedHead): readonly FeedHead[] {
    const before = this.#known.get(id);
    const rest = before?.heads.flatMap((head) => withoutReaders(head, added.audience) ?? []) ?? [];
    const heads = [added, ...rest];
    this.#known.set(id, { heads, audience: (before?.audience ?? NOBODY) | added.audience });
    return heads;
  }

  /** Empties the cache, after rows were changed by other means. */
  forget(): void {
    this.#known.clear();
    this.#owners.clear();
  }

  #owned(owner: string): boolean {
    let owned = this.#owners.get(owner);
    if (owned === undefined) {
      const row = this.#connection.row(
        `select 1 from feed where ${IS_OWNED} limit 1`,
        ...ownedBy(stixIdToBlob(owner)),
      );
      owned = row !== undefined;
      this.#owners.set(owner, owned);
    }
    return owned;
  }

  #find(id: string, audience: Audience): Known {
    // The versions of one object are written in one form, so the greatest text is the newest version. Nearly always it
    // is the newest for all.
    const newest = this.#connection.row(`${HISTORY} limit 1`, stixIdToBlob(id), id);
    if (newest === undefined) return { heads: [], audience: EVERYBODY };
    const head = historyRow(newest);
    if ((audience & ~head.audience) === NOBODY) return { heads: [head], audience: head.audience };
    const heads = headsAmong(history(this.#connection, id), audience);
    return { heads, audience: audience | heads.reduce((all, one) => all | one.audience, NOBODY) };
  }
}

const HISTORY = `select date_added, version, audience, collections from feed
  where uuid = ? and object_id = ? order by version desc`;

function historyRow(row: readonly unknown[]): HistoryRow {
  const [place, version, audience, collections] = row as [number, string, number, number];
  return { place, version, audience, collections };
}

function* history(connection: Connection, id: string): Generator<HistoryRow> {
  for (const row of connection.each(HISTORY, stixIdToBlob(id), id)) yield historyRow(row);
}

/** Undefined if nobody is left. */
function withoutReaders(head: FeedHead, readers: Audience): FeedHead | undefined {
  const audience = head.audience & ~readers;
  return audience === NOBODY ? undefined : { ...head, audience };
}
