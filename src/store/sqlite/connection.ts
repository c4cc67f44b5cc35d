// One SQLite connection with its pragmas and its prepared statements.

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ServiceError } from '../../domain/errors.ts';

/** How long a writer waits for the lock of another process. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_RETRY_MS = 10;
const SQLITE_BUSY = 5;

/** Bound of the cache of prepared statements: some SQL is composed, so its variants are many. */
const STATEMENT_LIMIT = 256;

export class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: { readonly readOnly: boolean }) {
    this.database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: BUSY_TIMEOUT_MS });
    this.database.exec('pragma cache_size = -65536; pragma temp_store = memory');
    if (!options.readOnly) useWriteAheadLog(this.database);
  }

  /** The prepared statement for this SQL, from the cache. Its rows are arrays. */
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

  /** Gives row by row, for results that do not fit into memory. */
  each(sql: string, ...values: SQLInputValue[]): Iterable<unknown[]> {
    return this.prepare(sql).iterate(...values) as unknown as Iterable<unknown[]>;
  }

  row(sql: string, ...values: SQLInputValue[]): unknown[] | undefined {
    return this.prepare(sql).get(...values) as unknown as unknown[] | undefined;
  }

  /** Runs a statement. Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  /** Runs several reads on one snapshot of the database. */
  snapshot<Result>(read: () => Result): Result {
    this.prepare('begin').run();
    try {
      return read();
    } finally {
      // Some failures end the transaction by themselves.
      if (this.database.isTransaction) this.prepare('commit').run();
    }
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }
}

/**
 * Sets the log and the durability of a writing connection. When several processes open a new file at the same time, SQLite
 * fails with SQLITE_BUSY instead of waiting until another one has changed the journal mode. So this waits itself.
 */
function useWriteAheadLog(database: DatabaseSync): void {
  const giveUpAt = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      // synchronous=full: a commit is on the disk before it is acknowledged. Large pages and rare checkpoints: a batch
      // rewrites many pages of the search index, and a checkpoint after each batch took a quarter of the ingest time.
      database.exec(
        `pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full;
         pragma wal_autocheckpoint = 8192; pragma journal_size_limit = 67108864`,
      );
      return;
    } catch (error) {
      const { errcode = 0 } = error as { errcode?: number };
      if ((errcode & 0xff) !== SQLITE_BUSY || performance.now() >= giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS);
    }
  }
}

/** Turns what SQLite threw into the error of the store interface. */
export function asStoreError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isUnavailable(error)) {
    return new ServiceError('unavailable', 'the store is unavailable at the moment; try again later', {
      reason: 'STORE_UNAVAILABLE',
      retryAfterMs: 5_000,
      cause: error,
    });
  }
  return new ServiceError('internal', 'internal error', { reason: 'INTERNAL', cause: error });
}

/** Makes a synchronous function asynchronous. The promise rejects with a ServiceError only. */
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

/** Result codes about the file, not the statement: busy, locked, read-only, I/O, full, cannot open, not a database. */
const UNAVAILABLE = new Set([5, 6, 8, 10, 13, 14, 26]);

/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. */
const SYNC_FAILURES = new Set([1_034, 1_290]);

/** Whether an fsync failed: the disk did not confirm the write. */
export function isSyncFailure(error: unknown): boolean {
  return error instanceof Error && SYNC_FAILURES.has((error as { errcode?: number }).errcode ?? 0);
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, code, syscall } = error as { errcode?: number; code?: string; syscall?: string };
  // The low byte of an extended code is the primary code. A closed connection gives ERR_INVALID_STATE. An error with a
  // `syscall` comes from the file system.
  return UNAVAILABLE.has((errcode ?? 0) & 0xff) || code === 'ERR_INVALID_STATE' || syscall !== undefined;
}
