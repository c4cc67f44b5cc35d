// The interface of a store. Every driver passes the contract suite (contract/suite.ts).
//
// A read of indicators or feed objects takes a TLP ceiling. Anything above the ceiling does not exist for that reader.
// All writes happen inside `Stores.write`, which resolves once the change is durable. Every method rejects with a
// ServiceError only: `unavailable` when the store cannot be reached or written.

import type { IndicatorFilter } from '../domain/filter.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import type { Instant } from '../domain/instant.ts';
import type { TextTerm } from '../domain/text-query.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { ApiKeyReader, ApiKeyWriter } from './api-key.ts';

/** Position of an indicator in the order of creation. It never changes. */
export type Seq = number;

/** Microseconds since the epoch. It is unique and strictly increasing, so it is also the order of the feed. */
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
  /** Newest first, at most as many as the limit. */
  readonly rows: readonly SearchRow[];
  /** Whether there are more rows after the last one. */
  readonly more: boolean;
}

export interface StoredRecord {
  readonly record: IndicatorRecord;
  /** Grows with every write of this record. A writer that read an older revision must start again. */
  readonly revision: number;
}

export interface IndicatorReader {
  /** @param before the seq of the last row of the previous page: only rows with a smaller seq are given. */
  search(criteria: SearchCriteria, limit: number, before?: Seq): Promise<SearchResult>;
  /** The exact number of matches. Undefined if there are more than `bound`. */
  count(criteria: SearchCriteria, bound: number): Promise<number | undefined>;
  /** The document of an indicator. Undefined if there is none at or below the ceiling. */
  document(id: string, ceiling: TlpMarking): Promise<string | undefined>;
  record(id: string, ceiling: TlpMarking): Promise<StoredRecord | undefined>;
  /**
   * Streams every match in the order of creation, oldest first, for exports. It reads in batches of bounded size, and
   * writers do not wait for it. An indicator that exists when the walk begins, and matches when the walk reaches it, is
   * given exactly once, in its state of that moment. Indicators created later are left out, so the walk ends.
   */
  each(criteria: SearchCriteria): AsyncIterable<StoredRecord>;
}

export interface FeedEntry {
  readonly dateAdded: DateAdded;
}

/** An entry without the object itself. */
export interface FeedVersion extends FeedEntry {
  /** The STIX id. */
  readonly id: string;
  /** STIX `modified`, or `created` for objects without one, as written in the object. */
  readonly version: string;
}

/** An entry with the object itself. */
export interface FeedObject extends FeedEntry {
  /** The object as JSON. It never changes for one id and version. */
  readonly object: string;
}

/** Version selectors of TAXII 2.1 §3.4.1, applied to the versions at or before `until`. */
export type VersionMatch = 'last' | 'first' | 'all' | readonly string[];

export interface FeedQuery {
  /** Only entries that were added after this (exclusive). */
  readonly after?: DateAdded;
  /** Only entries that were added at or before this: the fixed upper bound of a page walk. */
  readonly until: DateAdded;
  readonly limit: number;
  readonly ceiling: TlpMarking;
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  /** Default `last`: the newest version of each object. */
  readonly versions?: VersionMatch;
  /** Id of a declared collection. Without it, the whole feed. A collection that was never declared is empty. */
  readonly collection?: string;
}

export interface FeedPage<Entry extends FeedEntry> {
  /** Ascending by dateAdded. */
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

/** `versions` and `objects` find the same entries for the same query. One read of both would cost 50 % more. */
export interface FeedReader {
  versions(query: FeedQuery): Promise<FeedPage<FeedVersion>>;
  objects(query: FeedQuery): Promise<FeedPage<FeedObject>>;
  /** The dateAdded of the newest entry. Undefined while the feed is empty. */
  last(): Promise<DateAdded | undefined>;
  /** The declared collections, without the retired ones, in the order of their first declaration. */
  collections(): Promise<readonly StoredCollection[]>;
}

export interface FeedAppend {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  /** The time of `version`. The dateAdded of the entry is never earlier. */
  readonly modified: Instant;
  /** The marking of this version, and from now on of all earlier versions of the object. */
  readonly tlp: TlpMarking;
  readonly object: string;
  /**
   * STIX id of the object that this one is about. All versions of an object have the same owner. The object is in the
   * collections of its owner, and its marking is at least as restrictive as the newest marking of the owner.
   */
  readonly owner?: string;
  /**
   * Ids of the declared collections that hold the object besides the whole feed. `every` stands for all collections,
   * including later ones. An object never leaves a collection: its later versions and the objects it owns are in it too.
   */
  readonly collections?: readonly string[] | 'every';
  /** Append only if this adds the object to a collection. */
  readonly onlyToJoin?: true;
}

/** Raises the marking of an object and of all objects it owns, without a new version: a revoked object gets none. */
export interface FeedRaise {
  readonly id: string;
  readonly tlp: TlpMarking;
}

export type FeedChange = FeedAppend | FeedRaise;

/** A part of the feed. The store keeps the definition, so that all processes share it, and does not interpret it. */
export interface StoredCollection {
  readonly id: string;
  readonly definition: string;
}

/** Declaring and filling collections. A driver may bound their number: `StoreDriver.limits`. */
export interface CollectionWriter {
  /** As `FeedReader.collections`, within this transaction. */
  declared(): Promise<readonly StoredCollection[]>;
  /**
   * Declares a collection, or replaces the definition of a declared one. Versions can be appended to it from now on.
   * Resolves to whether the collection is filled. Rejects with `failed_precondition` if there are too many.
   */
  declare(collection: StoredCollection): Promise<boolean>;
  /** Retires all other collections. A retired collection needs filling if it is declared again. */
  retire(keep: readonly string[]): Promise<void>;
  /** Adds objects, with all their versions and all objects they own, to a collection. Unknown ids are ignored. */
  fill(id: string, objects: readonly string[]): Promise<void>;
  /** Marks a collection as filled. */
  filled(id: string): Promise<void>;
  /** Marks a collection as not filled, because its filter changed. It keeps its objects. */
  outgrown(id: string): Promise<void>;
}

export interface Job {
  readonly indicatorId: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  /** Proves the lease: a completion with an old token changes nothing. */
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
  /** When the next job is due, which may be in the past. Cheap, however many jobs there are. */
  nextDueAt(): Promise<Instant | undefined>;
  /** Whether a job that was queued at or before `queuedBy` is leased or due `now`. A job that waits for a retry is not. */
  areOutstanding(queuedBy: Instant, now: Instant): Promise<boolean>;
  dead(limit: number): Promise<readonly DeadJob[]>;
}

export interface IndicatorWrite {
  readonly record: IndicatorRecord;
  /** The ProtoJSON of `record.indicator`. */
  readonly document: string;
}

/** The stored answer to a request with an idempotency key. */
export interface RememberedRequest {
  /** SHA-256 of the request, hex. The same key with another request is refused. */
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

/** One atomic change. It may be used only until `work` settles. */
export interface WriteTransaction {
  /**
   * Remembers events by their keys of 32 hex digits. Resolves to `true` at the index of each new key. A key that
   * occurs twice in one call is new at its first index.
   */
  rememberEvents(keys: readonly string[], now: Instant): Promise<boolean[]>;
  /** Undoes `rememberEvents`. */
  forgetEvents(keys: readonly string[]): Promise<void>;
  forgetEventsBefore(instant: Instant, limit: number): Promise<number>;
  recallRequest(key: string): Promise<RememberedRequest | undefined>;
  rememberRequest(key: string, request: RememberedRequest, now: Instant): Promise<void>;
  forgetRequestsBefore(instant: Instant, limit: number): Promise<number>;

  /** Records by id. Unknown ids are missing from the map. Only the pipeline may use it, because it has no TLP ceiling. */
  load(ids: readonly string[]): Promise<Map<string, StoredRecord>>;
  /** The current revisions by id. Cheaper than `load` for a check whether a record has changed. */
  revisions(ids: readonly string[]): Promise<Map<string, number>>;
  /** The createdAt for indicators of this transaction: `now`, or the newest createdAt in the store if that is later. */
  creationInstant(now: Instant): Promise<Instant>;
  /** Inserts or replaces indicators by id, and indexes them. An existing indicator keeps its seq. */
  save(writes: readonly IndicatorWrite[]): Promise<void>;

  /** Queues a job for each indicator. A leased job runs once more after its lease, so that it sees this change. */
  enqueue(indicatorIds: readonly string[], now: Instant): Promise<void>;
  /** Leases due jobs, oldest first. A job whose lease has expired is due again. */
  claim(limit: number, leaseMs: number, now: Instant): Promise<Job[]>;
  /** Ends jobs whose token is still valid. A job that was queued again during its lease becomes due immediately. */
  complete(jobs: readonly Job[]): Promise<void>;
  /** Counts a failed attempt and makes the job due at `dueAt`. Without `dueAt` it becomes a dead letter. */
  fail(job: Job, error: string, dueAt: Instant | undefined): Promise<void>;
  /** Queues one dead letter, or all of them, again with no attempts. Resolves to the number of revived jobs. */
  revive(indicatorId: string | undefined, now: Instant): Promise<number>;

  /**
   * Appends versions to the feed, in the order of the calls. The append takes place after `work` has resolved, as the
   * last act of the transaction: all writers share the order of the feed, so a driver locks it last and briefly. Each
   * version then gets its dateAdded. A version that the feed already holds (same id and version) is skipped.
   */
  append(changes: readonly FeedChange[], now: Instant): Promise<void>;
  readonly collections: CollectionWriter;
  /**
   * Deletes at most `limit` versions that were superseded before an instant, oldest first. Resolves to the number of
   * deleted versions. It never deletes the newest version of an object.
   */
  compactFeed(before: Instant, limit: number): Promise<number>;

  readonly keys: ApiKeyWriter;
  audit(entry: AuditEntry): Promise<void>;
}

/** Made once, when the store is created. A restored backup has the same one. */
export interface Installation {
  /** 32 bytes. Ids, page tokens and feed cursors are derived from it. */
  readonly secret: Buffer;
  readonly createdAt: Instant;
}

export interface Stores {
  readonly installation: Installation;
  /** The answer to a request, by its idempotency key. Undefined if it is unknown or forgotten. */
  readonly recallRequest: (key: string) => Promise<RememberedRequest | undefined>;
  readonly indicators: IndicatorReader;
  readonly feed: FeedReader;
  readonly jobs: JobReader;
  readonly keys: ApiKeyReader;
  /**
   * Runs `work` in a transaction and resolves to its result once everything is durable. If `work` rejects, nothing of
   * it is kept; works of other callers are not affected, even if a driver commits several works together.
   *
   * Writers may run at the same time. After a conflict between them a driver runs `work` again, so `work` must have no
   * effects besides the transaction. If the conflicts do not end, the call rejects with `unavailable`.
   */
  write<Result>(work: (tx: WriteTransaction) => Promise<Result>): Promise<Result>;
  audit(limit: number): Promise<readonly AuditEntry[]>;
  close(): Promise<void>;
}
