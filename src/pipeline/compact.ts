// Compaction of the feed: deletes the versions that were superseded before an instant, in small batches.

import type { Instant } from '../domain/instant.ts';
import type { Stores } from '../store/stores.ts';

/** Small enough that other writers wait only milliseconds. */
const BATCH = 1_000;

/** Resolves to the number of deleted versions. After an interruption, another call continues. */
export async function compactFeed(stores: Pick<Stores, 'write'>, before: Instant): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await stores.write((tx) => tx.compactFeed(before, BATCH));
    deleted += batch;
    if (batch < BATCH) return deleted;
  }
}
