// Pages of the feed that were read from the present state of the store. Clients of a feed ask for the same pages: those
// that begin a walk, and those that keep up with the end. A page is read again after each write.

import type { FeedBlock, FeedPage, FeedQuery } from '../../feed.ts';
import type { Connection } from '../connection.ts';

/** Of all pages that are kept. Usual pages of 1,000 objects have half a megabyte. */
const MOST_BYTES = 16 * 1_024 ** 2;
/** One page must not displace all others. */
const MOST_OF_ONE = MOST_BYTES / 8;
/** Counted for a page besides its objects and its query. */
const OVERHEAD = 1_024;

interface Kept {
  readonly page: FeedPage<FeedBlock>;
  readonly bytes: number;
}

export class PageMemory {
  /** By query, the one that was asked for last at the end. */
  readonly #pages = new Map<string, Kept>();
  #bytes = 0;
  #dataVersion: unknown;

  /** Must be called in a read transaction. */
  recall(connection: Connection, query: FeedQuery, read: () => FeedPage<FeedBlock>): FeedPage<FeedBlock> {
    // It changes with each commit of another connection, and this one does not write.
    const dataVersion = connection.row('pragma data_version')?.[0];
    if (dataVersion !== this.#dataVersion) this.#clear();
    this.#dataVersion = dataVersion;
    const key = JSON.stringify(query);
    const known = this.#pages.get(key);
    if (known !== undefined) {
      this.#pages.delete(key);
      this.#pages.set(key, known);
      return known.page;
    }
    const page = read();
    this.#keep(key, page);
    return page;
  }

  #keep(key: string, page: FeedPage<FeedBlock>): void {
    const bytes = page.entries.reduce((sum, { objects }) => sum + objects.length, OVERHEAD + key.length);
    if (bytes > MOST_OF_ONE) return;
    this.#pages.set(key, { page, bytes });
    this.#bytes += bytes;
    for (const [oldest, kept] of this.#pages) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#pages.delete(oldest);
      this.#bytes -= kept.bytes;
    }
  }

  #clear(): void {
    this.#pages.clear();
    this.#bytes = 0;
  }
}
