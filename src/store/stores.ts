// What the service asks of a store. One contract suite (contract/suite.ts) holds every driver to it.
//
// Reads take a TLP ceiling wherever indicators or feed objects come out: what lies above it does not exist for
// that reader. Writes happen inside `Stores.write`; a promise it returns resolves once the change is durable.
// Every method rejects with a ServiceError only (`unavailable` when the store cannot be reached or written).

import type { IndicatorFilter } from '../domain/filter.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import type { Instant } from '../domain/instant.ts';
import type { TextTerm } from '../domain/text-query.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { ApiKeyReader, ApiKeyWriter } from './api-key.ts';

/** Place of an indicator in the order of creation: grows by insertion, never changes. */
export type Seq = number;

/** Microseconds since the epoch; unique and strictly increasing over the feed, so it is also the feed's order. */
export type DateAdded = number;

export interface SearchCriteria {
  readonly filter: IndicatorFilter;
  readonly terms: readonly TextTerm[];
  readonly ceiling: TlpMarking;
}

export interface SearchRow {
  readonly seq: Seq;
  /** The ProtoJSON of the indicator, as written. */
  readonly document: string;
}

export interface SearchResult {
  /** Newest first, at most the limit asked for. */
  readonly rows: readonly SearchRow[];
  /** Whether at least one more row lies behind the last one. */
  readonly more: boolean;
}

export interface StoredRecord {
  readonly record: IndicatorRecord;
  /** Grows with every write of this record; a writer that read an older one must start again. */
  readonly revision: number;
}

export interface IndicatorReader {
  /** @param before only rows with a smaller seq: the cursor of a page walk. */
  search(criteria: SearchCriteria, limit: number, before?: Seq): Promise<SearchResult>;
  /** The exact number of matches, or undefined when there are more than `bound`. */
  count(criteria: SearchCriteria, bound: number): Promise<number | undefined>;
  /** The document of an indicator, undefined when there is none at or below the ceiling. */
  document(id: string, ceiling: TlpMarking): Promise<string | undefined>;
  record(id: string, ceiling: TlpMarking): Promise<StoredRecord | undefined>;
  /**
   * Walks through every match in the order of creation, oldest first, in batches of bounded size: for exports. Writers do
   * not wait for it. A match that exists when the walk begins, and still matches when the walk reaches it, comes exactly
   * once, in its state of that moment. What is created later does not come, so the walk ends.
   */
  each(criteria: SearchCriteria): AsyncIterable<StoredRecord>;
}

export interface FeedEntry {
  readonly dateAdded: DateAdded;
}

/** An entry by its name. */
export interface FeedVersion extends FeedEntry {
  /** The STIX id. */
  readonly id: string;
  /** STIX `modified`, or `created` for objects without one, as written in the object. */
  readonly version: string;
}

/** An entry by its content. */
export interface FeedObject extends FeedEntry {
  /** The object as JSON, unchangeable for one (id, version). */
  readonly object: string;
}

/** Version selectors of TAXII 2.1 §3.4.1, applied to the versions at or before `until`. */
export type VersionMatch = 'last' | 'first' | 'all' | readonly string[];

export interface FeedQuery {
  /** Only entries added later (exclusive). */
  readonly after?: DateAdded;
  /** Only entries added at or before this: the fixed end of a page walk. */
  readonly until: DateAdded;
  readonly limit: number;
  readonly ceiling: TlpMarking;
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  /** Default `last`: the newest version of each object. */
  readonly versions?: VersionMatch;
  /** Id of a declared collection; absent: the whole feed. A collection that was never declared is empty. */
  readonly collection?: string;
}

export interface FeedPage<Entry extends FeedEntry> {
  /** Ascending by dateAdded. */
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

/** The same query finds the same entries, by name or by content: to read both costs half as much again. */
export interface FeedReader {
  versions(query: FeedQuery): Promise<FeedPage<FeedVersion>>;
  objects(query: FeedQuery): Promise<FeedPage<FeedObject>>;
  /** The dateAdded of the newest entry; undefined while the feed is empty. */
  last(): Promise<DateAdded | undefined>;
  /** The declared collections in use, in the order in which they were first declared. */
  collections(): Promise<readonly StoredCollection[]>;
}

export interface FeedAppend {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  /** The instant of `version`: the entry's dateAdded is never earlier. */
  readonly modified: Instant;
  /** Also becomes the marking of all earlier versions of this object. */
  readonly tlp: TlpMarking;
  readonly object: string;
  /**
   * STIX id of the object that this one is about. Its newest marking is the least that this one is shown under, in all
   * versions, and this one is in the collections that the owner is in. The same in all versions of an object.
   */
  readonly owner?: string;
  /**
   * Ids of declared collections it belongs to besides the whole feed, or `every` for what all of them share. Whoever
   * is in a collection stays: its later versions, and what it owns, are in it too.
   */
  readonly collections?: readonly string[] | 'every';
  /**
   * Left out unless it brings the object into a collection: for what is published again only because its owner may have
   * joined one. A collection that was declared late has taken in what is there, and nobody has to read that again.
   */
  readonly onlyToJoin?: true;
}

/** Raises the marking of an object in all its versions, and of what is about it, where no version may follow. */
export interface FeedRaise {
  readonly id: string;
  readonly tlp: TlpMarking;
}

export type FeedChange = FeedAppend | FeedRaise;

/** A part of the feed. The store keeps its definition, so that all processes have the same, and does not read it. */
export interface StoredCollection {
  readonly id: string;
  readonly definition: string;
}

/** Collections that are part of the feed. A driver may bound their number: `StoreDriver.limits`. */
export interface CollectionWriter {
  /** Those in use, in the order in which they were first declared, as of this transaction. */
  declared(): Promise<readonly StoredCollection[]>;
  /**
   * Makes a collection known, so that versions can be appended to it, or takes over how it is defined now. Resolves to
   * whether it is filled already. Rejects with `failed_precondition` when there are too many.
   */
  declare(collection: StoredCollection): Promise<boolean>;
  /** Takes all other collections out of use; one that is declared again later wants filling again. */
  retire(keep: readonly string[]): Promise<void>;
  /** Puts objects, in all their versions, and what they own into a collection. Unknown objects do no harm. */
  fill(id: string, objects: readonly string[]): Promise<void>;
  /** Notes that everything that belongs into the collection is there. */
  filled(id: string): Promise<void>;
  /** Notes that other things belong into it than before: it wants filling again, and keeps what it has. */
  outgrown(id: string): Promise<void>;
}

export interface Job {
  readonly indicatorId: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  /** Proof of the lease: a completion with an outdated token changes nothing. */
  readonly token: number;
}

export interface JobCounts {
  /** Waiting or leased. */
  readonly pending: number;
  readonly dead: number;
  /** When the oldest pending job was queued. */
  readonly oldestQueuedAt?: Instant;
}

export interface DeadJob {
  readonly indicatorId: string;
  readonly attempts: number;
  readonly queuedAt: Instant;
  readonly error: string;
}

export interface JobReader {
  counts(): Promise<JobCounts>;
  /** When the next job is or was due; one that is leased or put back is due later. Cheap, whatever is queued. */
  nextDueAt(): Promise<Instant | undefined>;
  /** Whether a job queued at `queuedBy` or before is leased or due `now`: what is put back to a later time does not count. */
  areOutstanding(queuedBy: Instant, now: Instant): Promise<boolean>;
  dead(limit: number): Promise<readonly DeadJob[]>;
}

export interface IndicatorWrite {
  readonly record: IndicatorRecord;
  /** The ProtoJSON of `record.indicator`. */
  readonly document: string;
}

/** A stored answer to a request that carried a client-made id. */
export interface RememberedRequest {
  /** SHA-256 of the request, hex: the same id with another request is refused. */
  readonly fingerprint: string;
  readonly answer: string;
}

/** One line of the audit log: who did what to which resource. It never holds a secret or the text of a query. */
export interface AuditEntry {
  readonly at: Instant;
  /** Subject of a JWT, id of a key, or `cli`. */
  readonly actor: string;
  /** Such as `indicator.verify`, `key.create`, `key.revoke`. */
  readonly action: string;
  /** Id of the resource. */
  readonly target: string;
  readonly detail: Readonly<Record<string, string>>;
}

/** One atomic change. Valid only until the function given to `Stores.write` settles. */
export interface WriteTransaction {
  /**
   * Notes events as seen and says which had not been: `true` at the place of each new key.
   * A key given twice in one call is new once. Keys are 32 hex digits.
   */
  rememberEvents(keys: readonly string[], now: Instant): Promise<boolean[]>;
  /** Undoes rememberEvents. */
  forgetEvents(keys: readonly string[]): Promise<void>;
  forgetEventsBefore(instant: Instant, limit: number): Promise<number>;
  recallRequest(key: string): Promise<RememberedRequest | undefined>;
  rememberRequest(key: string, request: RememberedRequest, now: Instant): Promise<void>;
  forgetRequestsBefore(instant: Instant, limit: number): Promise<number>;

  /** Records by id; ids that are not there are missing from the map. No TLP ceiling: for the pipeline only. */
  load(ids: readonly string[]): Promise<Map<string, StoredRecord>>;
  /** The current revisions, by id: cheaper than loading when only a change since is asked for. */
  revisions(ids: readonly string[]): Promise<Map<string, number>>;
  /** The createdAt for indicators created in this transaction: `now`, or the newest createdAt when that is later. */
  creationInstant(now: Instant): Promise<Instant>;
  /** Inserts or replaces by `indicator.id`, keeping the place (seq) of what exists, and indexes it. */
  save(writes: readonly IndicatorWrite[]): Promise<void>;

  /** Queues a job per indicator; one that is queued or leased already will run once more after this change. */
  enqueue(indicatorIds: readonly string[], now: Instant): Promise<void>;
  /** Leases due jobs, oldest first. A lease that ran out is due again. */
  claim(limit: number, leaseMs: number, now: Instant): Promise<Job[]>;
  /** Ends jobs whose token still holds; one that was queued again meanwhile becomes due at once. */
  complete(jobs: readonly Job[]): Promise<void>;
  /** Puts a job back with one more attempt, due at `dueAt`; undefined makes it a dead letter. */
  fail(job: Job, error: string, dueAt: Instant | undefined): Promise<void>;
  /** Revives dead letters (all, or one) with their attempts at zero; returns how many. */
  revive(indicatorId: string | undefined, now: Instant): Promise<number>;

  /**
   * Appends versions when `work` has resolved, as the last act of the transaction, in the order of the calls. Each
   * version then gets its dateAdded. The order of the feed is the one thing that all writers share, so a driver may lock
   * it for this act alone. A version that the feed already holds (same id and version) is skipped.
   */
  append(changes: readonly FeedChange[], now: Instant): Promise<void>;
  readonly collections: CollectionWriter;
  /**
   * Deletes versions that were superseded before an instant, at most `limit`, oldest first; returns how many. The
   * newest version of an object stays, whatever its age.
   */
  compactFeed(before: Instant, limit: number): Promise<number>;

  readonly keys: ApiKeyWriter;
  audit(entry: AuditEntry): Promise<void>;
}

/** Made once when a store is created, and moving with it. */
export interface Installation {
  /** 32 bytes: the root of ids, page tokens and feed cursors. */
  readonly secret: Buffer;
  readonly createdAt: Instant;
}

export interface Stores {
  readonly installation: Installation;
  /** An answered request by its key, as long as it is remembered. */
  readonly recallRequest: (key: string) => Promise<RememberedRequest | undefined>;
  readonly indicators: IndicatorReader;
  readonly feed: FeedReader;
  readonly jobs: JobReader;
  readonly keys: ApiKeyReader;
  /**
   * Runs `work` in a write transaction that may be shared with other callers waiting at the same time (group
   * commit); a `work` that rejects is undone alone. `work` may be run again, so it must not have effects of its own.
   */
  write<Result>(work: (tx: WriteTransaction) => Promise<Result>): Promise<Result>;
  audit(limit: number): Promise<readonly AuditEntry[]>;
  close(): Promise<void>;
}
