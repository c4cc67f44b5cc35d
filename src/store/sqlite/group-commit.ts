// Group commit: works that wait at the same time share one transaction and one fsync. Each of them fails alone.

import type { Connection } from './connection.ts';
import { asStoreError, isSyncFailure } from './store-errors.ts';

interface Waiting {
  readonly work: (connection: Connection) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Bound of works in one transaction, because the first one waits for the last one. */
const GROUP_LIMIT = 256;

export class GroupCommit {
  readonly #connection: Connection;
  readonly #waiting: Waiting[] = [];
  #running = false;
  /** The error of a failed fsync. */
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
        // Wait for the end of this turn of the event loop, so that calls of the same turn form one group.
        setImmediate(() => void this.#drain());
      }
    });
  }

  /** Resolves once no work is waiting or running. */
  async idle(): Promise<void> {
    while (this.#running) await new Promise((resolve) => setImmediate(resolve));
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commitGroup();
      // A caller that writes again as soon as it is answered must not block the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#running = false;
  }

  async #commitGroup(): Promise<void> {
    const connection = this.#connection;
    const done: (() => void)[] = [];
    const members: Waiting[] = [];
    try {
      connection.exec('begin immediate');
      while (members.length < GROUP_LIMIT) {
        const member = this.#waiting.shift();
        if (member === undefined) break;
        members.push(member);
        // A single work needs no savepoint: a rollback of the transaction undoes it.
        const shared = members.length > 1 || this.#waiting.length > 0;
        if (shared) connection.exec('savepoint member');
        try {
          const value = await member.work(connection);
          if (shared) connection.exec('release member');
          done.push(() => member.resolve(value));
        } catch (error) {
          if (!connection.database.isTransaction || connection.file.damage !== undefined) throw error;
          members.pop();
          member.reject(asStoreError(error));
          if (shared) {
            connection.exec('rollback to member; release member');
          } else {
            connection.rollBack();
            return;
          }
        }
      }
      connection.exec('commit');
      // A change in a file that has lost its name ends with the process.
      connection.file.look();
      connection.file.requireSound();
    } catch (error) {
      // Linux drops the pages of a failed fsync, and the next fsync succeeds without them. So after a failure nothing is
      // acknowledged any more, until a new process has read what is really on the disk.
      if (isSyncFailure(error)) this.#syncFailure = error;
      connection.rollBack();
      // Nothing of this group is durable. If the transaction did not begin, all waiting works fail.
      const failed = members.length > 0 ? members : this.#waiting.splice(0);
      for (const member of failed) member.reject(asStoreError(error));
      return;
    }
    for (const resolve of done) resolve();
  }
}
