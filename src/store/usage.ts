// Metered use: what is billed, and the events by which a billing system is told. A role of its own beside `Stores`, since
// searches wait for it: where writers take turns it has a turn of its own. One contract suite (contract/usage-suite.ts)
// holds every driver to it. Every method rejects with a ServiceError only, as those of `Stores` do.

import type { TimeWindow } from '../domain/filter.ts';
import type { Instant } from '../domain/instant.ts';
import type { UsageBucket } from '../domain/usage-bucket.ts';

/** Searches answered to one credential. It is counted for the UTC hour in which they fell. */
export interface Usage {
  readonly account: string;
  /** Id of the key, or `issuer|subject` of a person. */
  readonly credential: string;
  /** When the last of them was answered: all fell in the same hour. */
  readonly at: Instant;
  /** Pages: what is billed. */
  readonly searches: number;
  /** Indicators on those pages. */
  readonly returned: number;
}

export interface UsageQuery {
  readonly account: string;
  /** Left out: all credentials of the account. */
  readonly credential?: string;
  readonly bucket: UsageBucket;
  /** Buckets that it touches are summed up whole. */
  readonly window: TimeWindow;
}

/** The sum over one bucket; buckets without use have none. */
export interface UsageTotal {
  readonly start: Instant;
  readonly end: Instant;
  readonly searches: number;
  readonly returned: number;
}

export interface UsageHolder {
  readonly account: string;
  readonly credential: string;
}

/** What of the use a billing system has not been told yet. */
export interface OutboxState {
  readonly events: number;
  readonly searches: number;
  /** When the search was answered that the oldest event begins with. */
  readonly oldestAt?: Instant;
}

export interface UsageReader {
  /** Oldest first, at most `limit` totals. */
  report(query: UsageQuery, limit: number): Promise<readonly UsageTotal[]>;
  /** Every credential that has use, in order of account and credential. */
  holders(account?: string): Promise<readonly UsageHolder[]>;
  /** When each of these credentials was last used, as far as `touch` was told; those never used are missing. */
  lastUses(credentials: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
  outbox(): Promise<OutboxState>;
}

/** Use that a billing system is told of. Once taken it never changes. */
export interface UsageEvent extends Usage {
  /** UUID: the same however often the event is sent. */
  readonly id: string;
}

export interface UsageStore extends UsageReader {
  /**
   * Adds up, all or nothing; resolves once it is durable. Calls that wait at the same time share one commit.
   * @param announce whether events are to tell of it.
   */
  record(uses: readonly Usage[], announce: boolean): Promise<void>;
  /** Notes the last use of credentials; an earlier instant than the one known changes nothing. */
  touch(credentials: readonly string[], at: Instant): Promise<void>;
  /**
   * The oldest events, at most `limit`. They stay until they are settled, and are given again until then. Use that comes
   * in is added to an event of its hour and credential that has not been taken yet: while nobody takes any, there are
   * never more events than the sums themselves have rows.
   */
  takeEvents(limit: number): Promise<readonly UsageEvent[]>;
  /** Ends events that were delivered; unknown ids are ignored. */
  settleEvents(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
