// One SQLite connection with its pragmas and its prepared statements.

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Deadline } from './deadline.ts';
import type { OpenFile } from './open-file.ts';
import { type Recognisable, recognise } from './recognise.ts';

/** How long a writer waits for the lock of another process. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_RETRY_MS = 10;
const SQLITE_BUSY = 5;

/** Bound of the cache of prepared statements: some SQL is composed, so its variants are many. */
const STATEMENT_LIMIT = 256;

/** Of a connection that nobody gave a size: those of commands and of maintenance. */
const DEFAULT_CACHE_BYTES = 64 * 1_024 ** 2;

export interface ConnectionOptions {
  readonly readOnly: boolean;
  /** Of the file, where it is to be made or may be another one: a foreign file is refused and left as it is. */
  readonly schema?: Recognisable;
  /** The most that the page cache takes. */
  readonly cacheBytes?: number | undefined;
}

export class Connection {
  readonly file: OpenFile;
  readonly database: DatabaseSync;
  readonly deadline: Deadline;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: OpenFile, options: ConnectionOptions) {
    this.file = file;
    this.database = this.#attempt(
      () => new DatabaseSync(file.path, { readOnly: options.readOnly, timeout: BUSY_TIMEOUT_MS }),
    );
    this.deadline = new Deadline(this.database);
    try {
      // SQLite of Node counts no memory (DEFAULT_MEMSTATUS=0), so its limit for a whole process has no effect.
      const kibibytes = Math.ceil((options.cacheBytes ?? DEFAULT_CACHE_BYTES) / 1_024);
      this.exec(`pragma cache_size = -${kibibytes}; pragma temp_store = memory`);
      this.#attempt(() =>
        untilFree(() => {
          if (options.schema !== undefined) recognise(this.database, file.path, options.schema);
          if (!options.readOnly) this.database.exec(WRITE_AHEAD_LOG);
        }),
      );
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  #attempt<Result>(act: () => Result): Result {
    this.file.requireSound();
    try {
      return act();
    } catch (error) {
      throw this.file.failure(error);
    }
  }

  /** The prepared statement for this SQL, from the cache. Its rows are arrays. */
  #prepare(sql: string): StatementSync {
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

  /** Runs statements that are not worth keeping. */
  exec(sql: string): void {
    this.#attempt(() => this.database.exec(sql));
  }

  rows(sql: string, ...values: SQLInputValue[]): unknown[][] {
    return this.#attempt(() => this.#prepare(sql).all(...values) as unknown as unknown[][]);
  }

  /** Gives row by row, for results that do not fit into memory. Fails with the errors of SQLite. */
  *each(sql: string, ...values: SQLInputValue[]): Iterable<unknown[]> {
    const statement = this.#attempt(() => this.#prepare(sql));
    try {
      yield* statement.iterate(...values) as unknown as Iterable<unknown[]>;
    } catch (error) {
      // Node does not reset the statement, so its next use would fail with the same error.
      this.#statements.delete(sql);
      throw error;
    }
  }

  row(sql: string, ...values: SQLInputValue[]): unknown[] | undefined {
    return this.#attempt(() => this.#prepare(sql).get(...values) as unknown as unknown[] | undefined);
  }

  /** Runs a statement. Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#attempt(() => this.#prepare(sql).run(...values)).changes);
  }

  /** Inserts a row. Returns its rowid. */
  insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#attempt(() => this.#prepare(sql).run(...values)).lastInsertRowid);
  }

  /** Runs several reads on one snapshot of the database. */
  snapshot<Result>(read: () => Result): Result {
    this.run('begin');
    try {
      return read();
    } finally {
      // Some failures end the transaction by themselves.
      if (this.database.isTransaction) this.run('commit');
    }
  }

  /** Undoes the transaction, also of a damaged file. */
  rollBack(): void {
    try {
      if (this.database.isOpen && this.database.isTransaction) this.database.exec('rollback');
    } catch (error) {
      const failure = this.file.failure(error);
      if (this.file.damage === undefined) throw failure;
    }
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }
}

/**
 * The log and the durability of a writing connection. synchronous=full: a commit is on the disk before it is acknowledged.
 * Large pages and rare checkpoints: a batch rewrites many pages of the search index, and a checkpoint after each batch took
 * a quarter of the ingest time.
 */
const WRITE_AHEAD_LOG = `pragma page_size = 4096; pragma journal_mode = wal; pragma synchronous = full;
  pragma wal_autocheckpoint = 16384; pragma journal_size_limit = 67108864`;

/**
 * When several processes open a new file at the same time, SQLite fails with SQLITE_BUSY instead of waiting until another
 * one has changed the journal mode. So this waits itself.
 */
function untilFree(act: () => void): void {
  const giveUpAt = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      act();
      return;
    } catch (error) {
      const { errcode = 0 } = error as { errcode?: number };
      if ((errcode & 0xff) !== SQLITE_BUSY || performance.now() >= giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS);
    }
  }
}
