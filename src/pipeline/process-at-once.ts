// Processing within the transaction that stores the events: one save in place of two, and no job. It is for enrichers that
// answer from memory, because the transaction holds up other writers.

import { NOBODY } from '../domain/audience.ts';
import type { Instant } from '../domain/instant.ts';
import type { FeedChange } from '../store/feed.ts';
import type { ViewKey } from '../store/indicators.ts';
import type { WriteTransaction } from '../store/stores.ts';
import { type Processed, type ProcessParts, processView } from './process.ts';
import type { SyncCollections } from './publish.ts';
import type { ViewChanges } from './view-changes.ts';

export interface ProcessAtOnceParts extends ProcessParts {
  readonly syncCollections: SyncCollections;
  readonly onError: (error: unknown) => void;
}

/** Whether no enricher waits for anything. */
export function canProcessAtOnce({ enrichers }: Pick<ProcessParts, 'enrichers'>): boolean {
  return enrichers.every(({ mayWait }) => mayWait !== true);
}

/**
 * Processes the changed views and appends their versions. Leaves to the worker what it has a job for, and what fails.
 * @returns the views that are left to the worker.
 */
export async function processAtOnce(
  tx: WriteTransaction,
  changes: ViewChanges,
  now: Instant,
  parts: ProcessAtOnceParts,
): Promise<readonly ViewKey[]> {
  await parts.syncCollections(tx);
  const keys = changes.keys();
  const haveJobs = await tx.haveJobs(keys);
  const left: ViewKey[] = [];
  // One append looks up shared objects, and the end of the feed, once.
  const published: FeedChange[] = [];
  for (const [index, key] of keys.entries()) {
    const processed = haveJobs[index] === true ? undefined : await processOne(changes, key, now, parts);
    if (processed === undefined) {
      left.push(key);
    } else {
      changes.replace(key, processed.record);
      published.push(...processed.changes);
    }
  }
  await tx.append(published, now);
  return left;
}

/** Undefined if it failed. */
async function processOne(
  changes: ViewChanges,
  key: ViewKey,
  now: Instant,
  parts: ProcessAtOnceParts,
): Promise<Processed | undefined> {
  const { record, audience = NOBODY } = changes.view(key);
  if (record === undefined) return undefined;
  try {
    const processed = await processView(record, audience, now, parts);
    return processed.outcome === 'retry' ? undefined : processed;
  } catch (error) {
    parts.onError(error);
    return undefined;
  }
}
