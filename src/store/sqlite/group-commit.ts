// One writer: changes that wait at the same time share one transaction and one fsync, yet fail alone.

import type { WriteTransaction } from '../stores.ts';
import { asStoreError, type Connection } from './connection.ts';

interface Waiting {
  readonly work: (tx: WriteTransaction) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** More changes than this are not put into one transaction: the first of them is waiting for its answer. */
const GROUP_LIMIT = 256;

export class GroupCommit {
  readonly #connection: Connection;
  readonly #transaction: WriteTransaction;
  readonly #waiting: Waiting[] = [];
  #running = false;

  constructor(connection: Connection, transaction: WriteTransaction) {
    this.#connection = connection;
    this.#transaction = transaction;
  }

  write<Result>(work: (tx: WriteTransaction) => Promise<Result>): Promise<Result> {
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
    while (this.#waiting.length > 0) await this.#commitGroup();
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
          const value = await member.work(this.#transaction);
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
      if (database.isOpen && database.isTransaction) database.exec('rollback');
      // Nothing of this group was made durable; if it never began, those still waiting fail with it.
      const failed = members.length > 0 ? members : this.#waiting.splice(0);
      for (const member of failed) member.reject(asStoreError(error));
      return;
    }
    for (const resolve of done) resolve();
  }
}
