// A client that follows every version of the feed from before the first crash to after the last one.

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

  /** Polls once for what is new; a service that dies meanwhile is polled again from the same place. */
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

  /** Compares what was followed with the feed as it is read now, from its beginning. */
  async confirm(url: string): Promise<void> {
    await this.poll(url);
    const { items } = await new TaxiiClient(() => url, this.#key).manifest(ALL_VERSIONS);
    assert.deepEqual(items, this.seen, 'nothing appears behind a client, and nothing goes');
    const versions = new Set(items.map(({ id, version }) => `${id} ${version}`));
    assert.equal(versions.size, items.length, 'no version twice');
  }
}
