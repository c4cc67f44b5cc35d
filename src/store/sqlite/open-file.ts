// A file of the data folder while this thread has it open: whether it is still the same file, and whether it is damaged.
//
// Never open such a file by other means than SQLite while the process uses it. Closing it would drop the locks that SQLite
// holds for the whole process (sqlite.org/howtocorrupt.html).

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { ServiceError } from '../../domain/errors.ts';
import { type Damage, type DamageKind, storeDamaged } from '../damage.ts';
import { asStoreError, damageShownBy, describeDamage } from './store-errors.ts';

/** The process still has the content of a file that has lost its name. */
const RESCUE =
  'do not stop the service before you have copied the file from it: docs/operating.md, "When the store is damaged"';

/** What distinguishes a file from another one of the same name. */
interface Identity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
}

export class OpenFile {
  readonly path: string;
  readonly #seen = new Map<string, Identity>();
  #damage: Damage | undefined;

  constructor(path: string) {
    this.path = path;
  }

  get damage(): Damage | undefined {
    return this.#damage;
  }

  /** From now on every statement fails, if the damage is that of this file or of its log. The first damage stays. */
  condemn(damage: Damage): void {
    if (damage.file.startsWith(basename(this.path))) this.#damage ??= damage;
  }

  /**
   * Compares the file and its log with those that were opened: three calls of stat, some microseconds. SQLite itself goes
   * on with a file that has no name any more, and all of its changes are lost with the process.
   */
  look(): Damage | undefined {
    if (this.#damage === undefined) {
      try {
        for (const path of [this.path, `${this.path}-wal`, `${this.path}-shm`]) this.#compare(path);
      } catch {
        // The folder may not be entered at the moment. The open file is the same.
      }
    }
    return this.#damage;
  }

  #compare(path: string): void {
    const before = this.#seen.get(path);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) {
      if (before !== undefined) this.#note('MISSING', path, 'it was removed while it was open', RESCUE);
      return;
    }
    const now = { device: stats.dev, inode: stats.ino, size: stats.size };
    this.#seen.set(path, now);
    if (before === undefined) return;
    if (before.device !== now.device || before.inode !== now.inode)
      this.#note('REPLACED', path, undefined, RESCUE);
    // The service never shrinks a database. It shrinks the log.
    else if (path === this.path && now.size < before.size) {
      this.#note('TRUNCATED', path, `${now.size} bytes instead of ${before.size}`);
    }
  }

  #note(problem: DamageKind, path: string, seen?: string, remedy?: string): void {
    this.condemn(describeDamage(path, problem, seen, remedy));
  }

  /** Fails like a damaged file, once it is known to be damaged. */
  requireSound(): void {
    if (this.#damage !== undefined) throw storeDamaged(this.#damage);
  }

  /** Condemns the file for damage that SQLite cannot see. Returns the error to throw. */
  corrupt(seen: string): ServiceError {
    this.#note('CORRUPT', this.path, seen);
    return storeDamaged(this.#damage ?? describeDamage(this.path, 'CORRUPT', seen));
  }

  /** The error to throw instead of that of a statement. One that proves damage condemns the file. */
  failure(error: unknown): ServiceError {
    const problem = damageShownBy(error);
    if (problem === undefined) return asStoreError(error, this.path);
    const seen = error instanceof Error ? error.message : undefined;
    // A file that was cut off or replaced says more than the error that follows from it.
    this.look();
    this.#note(problem, this.path, seen);
    return storeDamaged(this.#damage ?? describeDamage(this.path, problem, seen), error);
  }
}
