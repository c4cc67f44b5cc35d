// The meter: records every search page and every lookup before it is answered.
//
// Pages of one turn of the event loop go to the store together, added up by credential, so thousands of pages a second take a
// few hundred messages. An answer waits until its usage is durable, which takes about one fsync.

import type { Clock } from '../domain/instant.ts';
import { bucketStart } from '../domain/usage-bucket.ts';
import type { Usage, UsageAmounts } from '../store/usage.ts';

/** What is about to be answered. Amounts that are left out are 0. */
export interface MeteredUse extends Partial<UsageAmounts> {
  readonly account: string;
  /** Id of the key, or `issuer|subject` of a person. */
  readonly credential: string;
}

export interface Meter {
  /**
   * Resolves once the usage is durable. The use must not be answered before.
   * Rejects with ServiceError `unavailable` when the usage cannot be recorded; then it is not counted.
   */
  record(use: MeteredUse): Promise<void>;
}

/** The usage of one turn, or of several while MOST_WRITES are under way. */
interface Gathering {
  readonly uses: Map<string, Usage>;
  readonly recorded: Promise<void>;
  readonly write: () => void;
}

/**
 * Writes under way at a time. Each is a message to another thread and a commit, which cost more than the page. With two,
 * the next one is prepared while the disk writes.
 */
const MOST_WRITES = 2;

/** @param write makes usage durable, all or nothing. */
export function createMeter(write: (uses: readonly Usage[]) => Promise<void>, clock: Clock): Meter {
  let gathering: Gathering | undefined;
  let isTurnOver = false;
  let underWay = 0;

  const begin = (): Gathering => {
    const uses = new Map<string, Usage>();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    isTurnOver = false;
    // At the end of the turn, so that the pages of one turn are written together.
    setImmediate(() => {
      isTurnOver = true;
      writeNext();
    });
    return {
      uses,
      recorded: promise,
      write: () =>
        void write([...uses.values()])
          .then(resolve, reject)
          .then(ended),
    };
  };

  const writeNext = (): void => {
    if (gathering === undefined || !isTurnOver || underWay >= MOST_WRITES) return;
    const { write } = gathering;
    gathering = undefined;
    underWay += 1;
    write();
  };

  const ended = (): void => {
    underWay -= 1;
    writeNext();
  };

  return {
    record: (use) => {
      gathering ??= begin();
      add(gathering.uses, use, clock());
      return gathering.recorded;
    },
  };
}

function add(uses: Map<string, Usage>, use: MeteredUse, now: number): void {
  const { account, credential } = use;
  const key = JSON.stringify([account, credential, bucketStart('HOUR', now)]);
  const before = uses.get(key);
  const sum = (amount: keyof UsageAmounts) => (before?.[amount] ?? 0) + (use[amount] ?? 0);
  uses.set(key, {
    account,
    credential,
    at: Math.max(now, before?.at ?? now),
    searches: sum('searches'),
    returned: sum('returned'),
    lookups: sum('lookups'),
    lookupRequests: sum('lookupRequests'),
  });
}
