// The newest versions of objects while versions are appended: what a version supersedes, and what governs it.

import type { FeedAppend } from '../../stores.ts';
import type { Connection } from '../connection.ts';
import { stixIdToBlob } from '../id-column.ts';

export interface Newest {
  readonly dateAdded: number;
  readonly version: string;
  readonly tlp: number;
  readonly collections: number;
}

/**
 * Looks each object up once, and what is new about an object that nothing is known about not at all: what one call
 * appends comes in groups of one owner, and with the same shared objects over and over.
 */
export class NewestVersions {
  readonly #connection: Connection;
  readonly #known = new Map<string, Newest | undefined>();
  /** Whether the feed held anything about an object when it was asked for first. */
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

  /** To be told of every version that becomes the newest. */
  note(id: string, newest: Newest): void {
    this.#known.set(id, newest);
  }

  /** Looks up anew what is asked for from now on: the rows have been changed otherwise. */
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
    // The versions of one object are written alike, so the greatest text is the newest version.
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
