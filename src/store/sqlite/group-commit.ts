// One writer: changes that wait at the same time share one transaction and one fsync, yet fail alone.

import { asStoreError, type Connection, isSyncFailure } from './connection.ts';

interface Waiting {
  readonly work: (connection: Connection) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** More changes than this are not put into one transaction: the first of them is waiting for its answer. */
const GROUP_LIMIT = 256;

export class GroupCommit {
  readonly #connection: Connection;
  readonly #waiting: Waiting[] = [];
  #running = false;
  /** What the disk said when it could not promise to keep what it had been given. */
  #syncFailure: unknown;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  write<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    if (this.#syncFailure !== undefined) return Promise.reject(asStoreError(this.#syncFailure));
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (!this.#running) {
        this.#running = true;
        // Later in this turn of the event loop, so that calls of the same turn come together.
        setImmediate(() => void this.#drain());
      }
    });
  }

  /** Resolves once everything written so far has been carried out. */
  async idle(): Promise<void> {
    while (this.#running) await new Promise((resolve) => setImmediate(resolve));
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commitGroup();
      // Who writes again as soon as it is answered must not keep the event loop of this thread from turning.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#running = false;
  }

  async #commitGroup(): Promise<void> {
    const { database } = this.#connection;
    const done: (() => void)[] = [];
    const members: Waiting[] = [];
    try {
      database.exec('begin immediate');
      while (members.length < GROUP_LIMIT) {
        const member = this.#waiting.shift();
        if (member === undefined) break;
        members.push(member);
        // A change that is alone needs no savepoint: undoing it undoes the transaction.
        const shared = members.length > 1 || this.#waiting.length > 0;
        if (shared) database.exec('savepoint member');
        try {
          const value = await member.work(this.#connection);
          if (shared) database.exec('release member');
          done.push(() => member.resolve(value));
        } catch (error) {
          if (!database.isTransaction) throw error;
          members.pop();
          member.reject(asStoreError(error));
          if (shared) {
            database.exec('rollback to member; release member');
          } else {
            database.exec('rollback');
            return;
          }
        }
      }
      database.exec('commit');
    } catch (error) {
      // A second fsync may succeed though the first one lost the pages (Linux drops them): after one that failed nothing
      // is acknowledged any more, until a new process has read back what is really there.
      if (isSyncFailure(error)) this.#syncFailure = error;
      if (database.isOpen && database.isTransaction) database.exec('rollback');
      // Nothing of this group was made durable; if it never began, those still waiting fail with it.
      const failed = members.length > 0 ? members : this.#waiting.splice(0);
      for (const member of failed) member.reject(asStoreError(error));
      return;
    }
    for (const resolve of done) resolve();
  }
}
