// A cache of the newest versions of objects during one append.

import type { FeedAppend } from '../../feed.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';

export interface Newest {
  readonly dateAdded: number;
  readonly version: string;
  readonly tlp: number;
  readonly collections: number;
}

/**
 * Looks each object up once: one append names the same shared objects many times. Skips the lookup for objects of a new
 * owner: an indicator is appended together with the objects it owns.
 */
export class NewestVersions {
  readonly #connection: Connection;
  readonly #known = new Map<string, Newest | undefined>();
  /** Whether the feed held an object of this owner when it was first looked up. */
  readonly #owners = new Map<string, boolean>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  of({ id, owner }: Pick<FeedAppend, 'id' | 'owner'>): Newest | undefined {
    if (!this.#known.has(id)) {
      const isNew = owner !== undefined && !this.#owned(owner);
      this.#known.set(id, isNew ? undefined : this.#find(id));
    }
    return this.#known.get(id);
  }

  /** The caller reports every version that becomes the newest. */
  note(id: string, newest: Newest): void {
    this.#known.set(id, newest);
  }

  /** Empties the cache, after rows were changed by other means. */
  forget(): void {
    this.#known.clear();
    this.#owners.clear();
  }

  #owned(owner: string): boolean {
    let owned = this.#owners.get(owner);
    if (owned === undefined) {
      const row = this.#connection.row('select 1 from feed where owner = ? limit 1', stixIdToBlob(owner));
      owned = row !== undefined;
      this.#owners.set(owner, owned);
    }
    return owned;
  }

  #find(id: string): Newest | undefined {
    // The versions of one object are written in one form, so the greatest text is the newest version.
    const row = this.#connection.row(
      `select date_added, version, tlp, collections from feed
       where uuid = ? and object_id = ? order by version desc limit 1`,
      stixIdToBlob(id),
      id,
    );
    if (row === undefined) return undefined;
    const [dateAdded, version, tlp, collections] = row as [number, string, number, number];
    return { dateAdded, version, tlp, collections };
  }
}
