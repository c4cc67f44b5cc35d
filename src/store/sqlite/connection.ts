// One SQLite connection with its pragmas and its prepared statements.

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ServiceError } from '../../domain/errors.ts';

/** How long a writer waits for another process to let go of the database. */
const BUSY_TIMEOUT_MS = 10_000;

/** Prepared statements kept for SQL that is put together from parts; beyond this the oldest is dropped. */
const STATEMENT_LIMIT = 256;

export class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: { readonly readOnly: boolean }) {
    this.database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: BUSY_TIMEOUT_MS });
    this.database.exec('pragma cache_size = -65536; pragma temp_store = memory');
    if (!options.readOnly) {
      // full: a commit is on the disk before it is acknowledged. Large pages and rare checkpoints: a batch rewrites
      // many pages of the search index, and copying them into the file once a batch cost a quarter of all ingest.
      this.database.exec(
        `pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full;
         pragma wal_autocheckpoint = 8192; pragma journal_size_limit = 67108864`,
      );
    }
  }

  /** The statement for this SQL, prepared once. Rows come back as arrays. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      statement.setReturnArrays(true);
      if (this.#statements.size >= STATEMENT_LIMIT) {
        const oldest = this.#statements.keys().next().value;
        if (oldest !== undefined) this.#statements.delete(oldest);
      }
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  rows(sql: string, ...values: SQLInputValue[]): unknown[][] {
    return this.prepare(sql).all(...values) as unknown as unknown[][];
  }

  /** Row by row, for what does not fit into memory. */
  each(sql: string, ...values: SQLInputValue[]): Iterable<unknown[]> {
    return this.prepare(sql).iterate(...values) as unknown as Iterable<unknown[]>;
  }

  row(sql: string, ...values: SQLInputValue[]): unknown[] | undefined {
    return this.prepare(sql).get(...values) as unknown as unknown[] | undefined;
  }

  /** Runs a statement and answers how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  /** Runs several reads on one state of the database. */
  snapshot<Result>(read: () => Result): Result {
    this.prepare('begin').run();
    try {
      return read();
    } finally {
      // Some failures end it by themselves.
      if (this.database.isTransaction) this.prepare('commit').run();
    }
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }
}

/** What SQLite threw, as the error the callers of a store know. */
export function asStoreError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isUnavailable(error)) {
    return new ServiceError('unavailable', 'the store cannot be reached at the moment', {
      reason: 'STORE_UNAVAILABLE',
      retryAfterMs: 5_000,
      cause: error,
    });
  }
  return new ServiceError('internal', 'internal error', { reason: 'INTERNAL', cause: error });
}

/** A synchronous read as a promise that rejects with a ServiceError only. */
export function guarded<Arguments extends unknown[], Result>(
  read: (...given: Arguments) => Result,
): (...given: Arguments) => Promise<Result> {
  return async (...given) => {
    try {
      return read(...given);
    } catch (error) {
      throw asStoreError(error);
    }
  };
}

/** Result codes that speak of the file, not of the statement: busy, locked, read-only, I/O, full, no file, no database. */
const UNAVAILABLE = new Set([5, 6, 8, 10, 13, 14, 26]);

/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. */
const SYNC_FAILURES = new Set([1_034, 1_290]);

/** Whether the disk could not say that what was written is kept. */
export function isSyncFailure(error: unknown): boolean {
  return error instanceof Error && SYNC_FAILURES.has((error as { errcode?: number }).errcode ?? 0);
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, code, syscall } = error as { errcode?: number; code?: string; syscall?: string };
  // The low byte of an extended code is its kind. A closed connection is ERR_INVALID_STATE; a folder that cannot be
  // made is an error of the system.
  return UNAVAILABLE.has((errcode ?? 0) & 0xff) || code === 'ERR_INVALID_STATE' || syscall !== undefined;
}
