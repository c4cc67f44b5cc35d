// The interface of metered use: what is billed, and the events for a billing system. It is separate from `Stores`,
// because searches wait for it and must not wait for a batch of the pipeline. Every driver passes the contract suite
// (contract/suite.ts). Every method rejects with a ServiceError only.

import type { TimeWindow } from '../domain/filter.ts';
import type { Instant } from '../domain/instant.ts';
import type { UsageBucket } from '../domain/usage-bucket.ts';
import type { Soundness } from './damage.ts';

/** What is counted. */
export interface UsageAmounts {
  /** Answered pages of searches. They are billed. */
  readonly searches: number;
  /** Indicators on those pages. */
  readonly returned: number;
  /** Values that were looked up. They are billed. */
  readonly lookups: number;
  /** Requests that looked them up. */
  readonly lookupRequests: number;
}

/** Answered searches and lookups of one credential in one UTC hour. */
export interface Usage extends UsageAmounts {
  readonly account: string;
  /** Id of the key, or `issuer|subject` of a person. */
  readonly credential: string;
  /** When the last one was answered. All of them belong to that hour. */
  readonly at: Instant;
}

export interface UsageQuery {
  readonly account: string;
  /** Without it, all credentials of the account. */
  readonly credential?: string;
  readonly bucket: UsageBucket;
  /** A bucket that overlaps the window counts as a whole. */
  readonly window: TimeWindow;
}

/** The sum of one bucket. A bucket without use has no total. */
export interface UsageTotal extends UsageAmounts {
  readonly start: Instant;
  readonly end: Instant;
}

export interface UsageHolder {
  readonly account: string;
  readonly credential: string;
}

/** Requests of one credential that were over its limit, in one UTC hour. They are not billed. */
export interface Refusals {
  readonly account: string;
  readonly credential: string;
  /** When the last one was refused. All of them belong to that hour. */
  readonly at: Instant;
  readonly requests: number;
}

/** The sum of one bucket. A bucket without refusals has no total. */
export interface RefusalTotal {
  readonly start: Instant;
  readonly end: Instant;
  readonly requests: number;
}

/** Where a client of the feed is. */
export interface FeedConsumer {
  readonly account: string;
  /** Id of the key. */
  readonly credential: string;
  /** Id of the collection. */
  readonly collection: string;
  /** The date of the last object that it got, or behind which it asked, in microseconds as it sees dates. */
  readonly position: number;
  readonly polledAt: Instant;
  readonly polls: number;
  /** The start of its User-Agent, which it writes as it likes. */
  readonly agent: string;
  /** How often and when last it paged in a way that loses or repeats objects, by the name of the mistake. */
  readonly mistakes: Readonly<Record<string, { readonly count: number; readonly lastAt: Instant }>>;
}

/** The events that were not delivered yet. */
export interface OutboxState {
  readonly events: number;
  readonly searches: number;
  readonly lookups: number;
  /** When the first use of the oldest event was answered. */
  readonly oldestAt?: Instant;
}

export interface UsageReader {
  /** Oldest first, at most `limit` totals. */
  report(query: UsageQuery, limit: number): Promise<readonly UsageTotal[]>;
  /** Requests over the limit. Oldest first, at most `limit` totals. */
  refusals(query: UsageQuery, limit: number): Promise<readonly RefusalTotal[]>;
  /** Every credential that has use, in order of account and credential. */
  holders(account?: string): Promise<readonly UsageHolder[]>;
  /** The last `touch` of each credential. Credentials that were never used are missing. */
  lastUses(credentials: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
  outbox(): Promise<OutboxState>;
  /** Those that polled last, at most `limit`. @param account undefined for all. */
  consumers(account: string | undefined, limit: number): Promise<readonly FeedConsumer[]>;
}

/** Use that is reported to a billing system. A taken event never changes. */
export interface UsageEvent extends Usage {
  /** UUID. A retry carries the same id, so the receiver can drop duplicates. */
  readonly id: string;
}

export interface UsageStore extends UsageReader, Soundness {
  /**
   * Adds all uses to the sums, or none. Resolves once they are durable. A driver may commit several calls together.
   * @param announce whether to make events of them.
   */
  record(uses: readonly Usage[], announce: boolean): Promise<void>;
  /** Adds to the sums of refused requests. */
  refuse(refusals: readonly Refusals[]): Promise<void>;
  /** Replaces the state of consumers. `polls` and the counts of mistakes are added to what is stored. */
  noteConsumers(consumers: readonly FeedConsumer[]): Promise<void>;
  /** Stores when credentials were last used. An instant before the stored one changes nothing. */
  touch(credentials: readonly string[], at: Instant): Promise<void>;
  /**
   * Takes the oldest events, at most `limit`. The same events are given again until they are settled. New use is added to
   * an event of its hour and credential that is not taken yet, so that the outbox stays as small as the sums.
   */
  takeEvents(limit: number): Promise<readonly UsageEvent[]>;
  /** Deletes delivered events. Unknown ids are ignored. */
  settleEvents(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
