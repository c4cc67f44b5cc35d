// The interface of a store. Every driver passes the contract suite (contract/suite.ts).
//
// A read of indicators or feed objects takes a TLP ceiling. Anything above the ceiling does not exist for that reader.
// All writes happen inside `Stores.write`, which resolves once the change is durable. Every method rejects with a
// ServiceError only: `unavailable` when the store cannot be reached or written.

import type { KeptEvidence } from '../domain/evidence/kept-evidence.ts';
import type { SessionMember } from '../domain/evidence/session-members.ts';
import type { Growth } from '../domain/indicator/growth.ts';
import type { Views } from '../domain/indicator/views.ts';
import type { Instant } from '../domain/instant.ts';
import type { ServiceTimes } from '../domain/service-times.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { ActivityCount, ActivityReader } from './activity.ts';
import type { ApiKeyReader, ApiKeyWriter } from './api-key.ts';
import type { ArchiveReader, ArchiveWrite } from './archive.ts';
import type { Soundness } from './damage.ts';
import type { CollectionWriter, FeedChange, FeedReader } from './feed.ts';
import type { EvidenceWrite, IndicatorReader, IndicatorWrite, StoredView, ViewKey } from './indicators.ts';
import type { Job, JobReader } from './jobs.ts';
import type { OpenidClientReader, OpenidClientWriter } from './openid-client.ts';
import type { OpenidKeyReader, OpenidKeyWriter } from './openid-key.ts';
import type { OpenidRecordReader, OpenidRecordWriter } from './openid-record.ts';
import type { PasskeyReader, PasskeyWriter } from './passkey.ts';
import type { PersonReader, PersonWriter } from './person.ts';
import type { SessionReader, SessionWriter } from './session.ts';
import type { SignInLinkReader, SignInLinkWriter } from './sign-in-link.ts';

/** The stored answer to a request with an idempotency key. */
export interface RememberedRequest {
  /** SHA-256 of the request, hex. The same key with another request is refused. */
  readonly fingerprint: string;
  readonly answer: string;
}

/** One line of the audit log: who did what to which resource. It never holds a secret or the text of a query. */
export interface AuditEntry {
  readonly at: Instant;
  /** Subject of a JWT, id of a key, login of a person, or `cli`. */
  readonly actor: string;
  /** Such as `indicator.verify`, `key.create`, `key.revoke`. */
  readonly action: string;
  /** Id of the resource. */
  readonly target: string;
  readonly detail: Readonly<Record<string, string>>;
}

/** A line as it was written. */
export interface AuditRecord extends AuditEntry {
  /** Its place in the log: later lines have greater numbers. */
  readonly number: number;
}

/** Lines that have all the given members. */
export interface AuditSearch {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  /** Only lines with a smaller number. */
  readonly before?: number;
}

/** A step of a compaction. A version goes that no ceiling has any more. The newest one of an object never goes. */
export interface Compaction {
  readonly deleted: number;
  /** Whether the step reached its limit, so that there may be more to do. */
  readonly more: boolean;
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

  /** The members of sessions of sensors, by their keys of 32 hex digits. An unknown session is missing from the map. */
  recallSessions(keys: readonly string[]): Promise<Map<string, readonly SessionMember[]>>;
  rememberSession(key: string, members: readonly SessionMember[], now: Instant): Promise<void>;
  /** Forgets sessions that have no member since an instant, oldest first. */
  forgetSessionsBefore(instant: Instant, limit: number): Promise<number>;

  /** What a reporter, and all reporters together, added to the store on a UTC day. */
  growthOn(day: number, reporter: string): Promise<{ readonly own: Growth; readonly all: Growth }>;
  /** Counts what a reporter added on a UTC day. */
  addGrowth(day: number, reporter: string, growth: Growth): Promise<void>;
  forgetGrowthBefore(day: number): Promise<void>;

  /** Counts events that are taken in now. */
  addActivity(counts: readonly ActivityCount[], now: Instant): Promise<void>;
  /** Forgets minutes before an instant, and sensors that are silent since before another one. */
  forgetActivity(minutesBefore: Instant, sensorsBefore: Instant): Promise<void>;

  /**
   * All views by id, archived ones too. Unknown ids are missing from the map. Only the pipeline may use it, because it has
   * no TLP ceiling.
   */
  load(ids: readonly string[]): Promise<Map<string, Views>>;
  /** Single views, in the order of the keys. Undefined for one that does not exist or is archived. For the pipeline only. */
  loadViews(keys: readonly ViewKey[]): Promise<(StoredView | undefined)[]>;
  /** The current revisions, as `loadViews`. Cheaper for a check whether a view has changed. */
  revisions(keys: readonly ViewKey[]): Promise<(number | undefined)[]>;
  /** The createdAt for indicators of this transaction: `now`, or the newest createdAt in the store if that is later. */
  creationInstant(now: Instant): Promise<Instant>;
  /**
   * Inserts or replaces views by id and marking, and indexes them. An existing view keeps its seq. An archived one leaves
   * the archive and gets its seq again.
   */
  save(writes: readonly IndicatorWrite[]): Promise<void>;
  /** All kept evidence of these indicators, by marking. An indicator without evidence is missing from the map. */
  loadEvidence(ids: readonly string[]): Promise<Map<string, ReadonlyMap<TlpMarking, KeptEvidence>>>;
  /**
   * Replaces the evidence of single markings. A write is left out if readers of its marking cannot see the indicator, so
   * it comes after `save`.
   */
  saveEvidence(writes: readonly EvidenceWrite[]): Promise<void>;
  /** Deletes all kept evidence of an indicator. */
  removeEvidence(id: string): Promise<void>;
  /** Removes the views of an indicator with these markings, archived ones too. At least one other view must remain. */
  removeViews(id: string, markings: readonly TlpMarking[]): Promise<void>;

  /**
   * Does a part of what keeps searches quick after many writes, so little that no other writer waits for long.
   * @param begun whether an earlier call has begun and resolved to true.
   * @returns whether there is more to do.
   */
  tidySearch(begun: boolean): Promise<boolean>;

  /**
   * Moves views into the archive, in place of their records, without the evidence of their marking. Leaves out views with a job and unknown ones. Resolves to
   * the keys of those that were moved.
   */
  archive(writes: readonly ArchiveWrite[], now: Instant): Promise<readonly ViewKey[]>;
  /**
   * Deletes from the feed the objects of at most `limit` views that were archived before an instant, oldest first, with
   * all objects they own, for the readers of these views. Resolves to the number of these views.
   */
  forgetArchivedInFeed(before: Instant, limit: number): Promise<number>;

  /** Queues a job for each view. A leased job runs once more after its lease, so that it sees this change. */
  enqueue(views: readonly ViewKey[], now: Instant): Promise<void>;
  /** Whether each view has a job, also a leased one or a dead letter. In the order of the keys. */
  haveJobs(views: readonly ViewKey[]): Promise<boolean[]>;
  /**
   * Leases due jobs, those of the oldest minute first, and within a minute in the order of creation of their views. A job
   * whose lease has expired is due again.
   */
  claim(limit: number, leaseMs: number, now: Instant): Promise<Job[]>;
  /** Ends jobs whose token is still valid. A job that was queued again during its lease becomes due immediately. */
  complete(jobs: readonly Job[]): Promise<void>;
  /** Counts a failed attempt and makes the job due at `dueAt`. Without `dueAt` it becomes a dead letter. */
  fail(job: Job, error: string, dueAt: Instant | undefined): Promise<void>;
  /** Queues the dead letters of one indicator, or all, again with no attempts. Resolves to the number of revived jobs. */
  revive(indicatorId: string | undefined, now: Instant): Promise<number>;
  /**
   * Queues a job for up to `limit` views, the newest first, and remembers how far it is. A higher generation than before
   * begins with the newest view again. A lower one queues nothing.
   * @returns whether there are more views to queue.
   */
  requeue(generation: number, limit: number, now: Instant): Promise<boolean>;
  /** Makes jobs due that would be due later than `latest`, also leased ones. Resolves to their number. */
  hastenJobs(latest: Instant, now: Instant): Promise<number>;

  /**
   * Appends versions to the feed, in the order of the calls. The append takes place after `work` has resolved, as the
   * last act of the transaction: all writers share the order of the feed, so a driver locks it last and briefly. Each
   * version then gets its dateAdded. A version that the feed already holds (same id and version) is skipped.
   */
  append(changes: readonly FeedChange[], now: Instant): Promise<void>;
  readonly collections: CollectionWriter;
  /** Takes versions that were superseded before an instant from the readers for whom they were, oldest first. */
  compactFeed(before: Instant, limit: number): Promise<Compaction>;

  readonly keys: ApiKeyWriter;
  readonly people: PersonWriter;
  /** Of people who are signed in. */
  readonly sessions: SessionWriter;
  readonly links: SignInLinkWriter;
  readonly passkeys: PasskeyWriter;
  readonly openidClients: OpenidClientWriter;
  readonly openidKeys: OpenidKeyWriter;
  readonly openidRecords: OpenidRecordWriter;
  /** The stored times, as of this transaction. */
  times(): Promise<ServiceTimes | undefined>;
  /** Replaces the stored times. The instants are whole milliseconds. */
  saveTimes(times: ServiceTimes): Promise<void>;
  audit(entry: AuditEntry): Promise<void>;
}

/** Made once, when the store is created. A restored backup has the same one. */
export interface Installation {
  /** 32 bytes. Ids, page tokens and feed cursors are derived from it. */
  readonly secret: Buffer;
  readonly createdAt: Instant;
}

export interface Stores extends Soundness {
  readonly installation: Installation;
  /** The answer to a request, by its idempotency key. Undefined if it is unknown or forgotten. */
  readonly recallRequest: (key: string) => Promise<RememberedRequest | undefined>;
  readonly indicators: IndicatorReader;
  readonly archive: ArchiveReader;
  readonly feed: FeedReader;
  readonly jobs: JobReader;
  readonly activity: ActivityReader;
  readonly keys: ApiKeyReader;
  readonly people: PersonReader;
  /** Of people who are signed in. */
  readonly sessions: SessionReader;
  readonly links: SignInLinkReader;
  readonly passkeys: PasskeyReader;
  readonly openidClients: OpenidClientReader;
  readonly openidKeys: OpenidKeyReader;
  readonly openidRecords: OpenidRecordReader;
  /** The times of the service; undefined in a store that no service has used yet. */
  readonly times: () => Promise<ServiceTimes | undefined>;
  /**
   * Runs `work` in a transaction and resolves to its result once everything is durable. If `work` rejects, nothing of
   * it is kept; works of other callers are not affected, even if a driver commits several works together.
   *
   * Writers may run at the same time. After a conflict between them a driver runs `work` again, so `work` must have no
   * effects besides the transaction. If the conflicts do not end, the call rejects with `unavailable`.
   */
  write<Result>(work: (tx: WriteTransaction) => Promise<Result>): Promise<Result>;
  /** The newest lines first. */
  audit(limit: number, search?: AuditSearch): Promise<readonly AuditRecord[]>;
  close(): Promise<void>;
}
