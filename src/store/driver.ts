// What a store driver offers: opening the data of one installation, and maintaining it. One driver is made for one
// address. Every method rejects with a ServiceError only.

import type { Clock } from '../domain/instant.ts';
import type { Damage, Soundness } from './damage.ts';
import type { Stores } from './stores.ts';
import type { UsageReader, UsageStore } from './usage.ts';

export interface StoreDriver {
  readonly limits: StoreLimits;
  /** Whether the store was created. Creates nothing. */
  exists(): Promise<boolean>;
  /** The parts of the store that other users of the machine may read or write. A store that is elsewhere has none. */
  exposed(): Promise<readonly ExposedPath[]>;
  /**
   * Opens the store. Creates it if it does not exist, and brings its schema up to date. Several processes may have the
   * same store open.
   */
  openStores(clock: Clock, caches?: CacheSizes): Promise<Stores>;
  /** Opens metered use, in the same way as `openStores`. A store that once had metered use is refused without it. */
  openUsage(caches?: CacheSizes): Promise<UsageStore>;
  /** Opens metered use for reading only. Rejects with `unavailable` until some process has opened it for writing. */
  openUsageReader(caches?: CacheSizes): Promise<UsageReader & Soundness & Pick<UsageStore, 'close'>>;
  readonly inspection: Inspection;
  readonly maintenance: Maintenance;
}

/** The most that the caches of an open store take, in bytes. Default: what suits a process that does nothing else. */
export interface CacheSizes {
  readonly reading: number;
  readonly writing: number;
}

/** A quick look for damaged pages, beside a running service. */
export interface Inspection {
  /** Size of the store, in bytes: an inspection takes about 2 ms for each million. */
  bytes(): Promise<number>;
  /** Reads every page. Resolves to the first damage that it finds. */
  run(): Promise<Damage | undefined>;
}

/** A file or folder with rights for more users than its owner. */
export interface ExposedPath {
  readonly path: string;
  /** Permissions in octal, such as `755`. */
  readonly mode: string;
}

/** Bounds that only some drivers have. A member that is missing is no bound. */
export interface StoreLimits {
  /** How many collections can be declared in the lifetime of a store. Retired ones count. */
  readonly collections?: number;
}

/** Work of the operator on the whole store. It may run beside a running service, except for `restore`. */
export interface Maintenance {
  /** Creates the store or brings its schema up to date. */
  migrate(clock: Clock): Promise<void>;
  /**
   * Copies the whole store into a folder, as of one instant. The copy holds the installation secret.
   * @param to a folder that does not exist or is empty.
   */
  backUp(to: string, clock: Clock, onProgress?: OnProgress): Promise<Backup>;
  /** Copies a backup into this store, which has to be empty. Checks every byte. A run that fails leaves it empty. */
  restore(from: string, onProgress?: OnProgress): Promise<Backup>;
  /**
   * Starts metered use anew, where it is missing or damaged: what was recorded is lost. A damaged file is kept under
   * another name. Resolves to that name, if there was a file. Rejects with `failed_precondition` if use is in order.
   */
  renewUsage(clock: Clock): Promise<string | undefined>;
  /** Reads the whole store, as of one instant, and reports what is damaged or contradictory. */
  check(onProgress?: OnProgress): Promise<CheckReport>;
}

/** Takes the finished share of all work, from 0 to 1. */
export type OnProgress = (share: number) => void;

export interface Backup {
  /** RFC 3339: the backup holds everything that was acknowledged before. */
  readonly createdAt: string;
  readonly files: readonly BackupFile[];
}

export interface BackupFile {
  /** File name inside the backup folder. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** One thing that is wrong with a store. It names ids, rows and numbers only, and never a secret. */
export interface Problem {
  /** Name of the broken rule, such as `job-without-indicator`. */
  readonly rule: string;
  /** What breaks it: an id, a row, a file. */
  readonly subject: string;
}

export interface CheckReport {
  readonly ok: boolean;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly indicators: number;
  /** Indicators in the archive. */
  readonly archived: number;
  readonly feedVersions: number;
  readonly jobs: { readonly pending: number; readonly dead: number };
  /** The number of all problems; `problems` lists the first hundred. */
  readonly problemCount: number;
  readonly problems: readonly Problem[];
}
