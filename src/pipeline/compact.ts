// Compaction of the feed: versions that were superseded before an instant are deleted, a few at a time.

import type { Instant } from '../domain/instant.ts';
import type { Stores } from '../store/stores.ts';

/** Small enough that whoever else writes waits for milliseconds only. */
const BATCH = 1_000;

/** Resolves to how many versions were deleted. Interrupted, it goes on where it stopped when it is called again. */
export async function compactFeed(stores: Pick<Stores, 'write'>, before: Instant): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await stores.write((tx) => tx.compactFeed(before, BATCH));
    deleted += batch;
    if (batch < BATCH) return deleted;
  }
}
