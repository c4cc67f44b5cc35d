// The archive, where indicators go that were stale for long. No search and no feed finds them there.

import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import type { Instant } from '../domain/instant.ts';

/** One view of an indicator. */
export interface ArchivedIndicator {
  readonly record: IndicatorRecord;
  readonly archivedAt: Instant;
}

/** For the operator: it has no TLP ceiling. */
export interface ArchiveReader {
  /** The archived views of an indicator, least restrictive marking first. */
  get(id: string): Promise<readonly ArchivedIndicator[]>;
  /** All of it, in the order of creation. It reads in batches of bounded size, and writers do not wait for it. */
  each(): AsyncIterable<ArchivedIndicator>;
}

export interface ArchiveWrite {
  readonly record: IndicatorRecord;
  /** STIX id of its object in the feed. Undefined if it was never published. */
  readonly objectId?: string;
}
