// A client that follows every version of the feed across crashes.

import assert from 'node:assert/strict';
import { TaxiiClient } from './taxii-client.ts';
import type { ManifestRecord } from './wire.ts';

const ALL_VERSIONS = { 'match[version]': 'all', limit: 1_000 };

export class FeedFollower {
  readonly #key: string;
  readonly seen: ManifestRecord[] = [];

  constructor(key: string) {
    this.#key = key;
  }

  /** Polls once for new versions. After a crash the next poll starts at the same place. */
  async poll(url: string): Promise<void> {
    const last = this.seen.at(-1)?.date_added;
    const query = last === undefined ? ALL_VERSIONS : { ...ALL_VERSIONS, added_after: last };
    const { items } = await new TaxiiClient(() => url, this.#key).manifest(query);
    for (const item of items) {
      const before = this.seen.at(-1);
      assert.ok(before === undefined || before.date_added < item.date_added, 'the order of the feed');
      this.seen.push(item);
    }
  }

  /** Compares the followed versions with the feed, read from its beginning. */
  async confirm(url: string): Promise<void> {
    await this.poll(url);
    const { items } = await new TaxiiClient(() => url, this.#key).manifest(ALL_VERSIONS);
    assert.deepEqual(items, this.seen, 'nothing appears behind a client, and nothing goes');
    const versions = new Set(items.map(({ id, version }) => `${id} ${version}`));
    assert.equal(versions.size, items.length, 'no version twice');
  }
}
