// Ends a statement that takes too long. `node:sqlite` cannot interrupt a statement, and ending a worker thread does not end
// the statement that it runs. A function of ours can: SQLite calls it for each row that is examined, and ends the statement
// when it throws.

import type { DatabaseSync } from 'node:sqlite';
import { outOfTime } from '../patience.ts';

/** A condition that always holds. It costs 40 ns a row. */
export const IN_TIME = 'tis_in_time()';

/** Reading the clock costs as much as the call. Rows between two looks at it. */
const ROWS = 32;

/**
 * How much longer than its patience a read may last while it waits for a processor or the disk. On a busy machine a quick
 * search would else count as a slow one. Milliseconds.
 */
const WAITING = 100;

export class Deadline {
  /** When the patience ends, by the clock. */
  #at = Number.POSITIVE_INFINITY;
  /** The processor time of this thread at which it ends. */
  #atWork = 0;
  #rows = 0;

  constructor(database: DatabaseSync) {
    database.function('tis_in_time', () => {
      if (this.#rows++ % ROWS === 0 && this.#isOver(performance.now())) throw outOfTime();
      return 1;
    });
  }

  #isOver(now: number): boolean {
    return now > this.#at && (now > this.#at + WAITING || workOfThread() > this.#atWork);
  }

  /**
   * Runs a read. Its statements with the condition `IN_TIME` fail as `outOfTime` does once it has worked too long.
   * @param patienceMs undefined: as long as it takes. Zero: it fails at the first row that is examined.
   */
  within<Result>(patienceMs: number | undefined, read: () => Result): Result {
    if (patienceMs === undefined) return read();
    this.#rows = 0;
    this.#at = patienceMs === 0 ? Number.NEGATIVE_INFINITY : performance.now() + patienceMs;
    this.#atWork = workOfThread() + patienceMs;
    try {
      return read();
    } finally {
      this.#at = Number.POSITIVE_INFINITY;
    }
  }
}

/** The processor time that this thread has used, in milliseconds. */
function workOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
