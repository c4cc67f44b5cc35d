// The meter: notes every search page before its answer leaves.
//
// Use of the same turn of the event loop goes to the store together, added up by credential, so that thousands of pages
// a second cost a few hundred messages. An answer waits until its use is durable: about one fsync.

import type { Clock } from '../domain/instant.ts';
import { bucketStart } from '../domain/usage-bucket.ts';
import type { Usage } from '../store/usage.ts';

/** One page that is about to be answered. */
export interface SearchUse {
  readonly account: string;
  /** Id of the key, or `issuer|subject` of a person. */
  readonly credential: string;
  /** Indicators on the page. */
  readonly returned: number;
}

export interface Meter {
  /**
   * Resolves once the use is durable: then, and only then, the page may be answered.
   * Rejects with ServiceError `unavailable` when it can not be noted: then it is not counted.
   */
  record(use: SearchUse): Promise<void>;
}

/** The use of one turn. */
interface Gathering {
  readonly uses: Map<string, Usage>;
  readonly noted: Promise<void>;
}

/** @param write makes use durable, all or nothing. */
export function createMeter(write: (uses: readonly Usage[]) => Promise<void>, clock: Clock): Meter {
  let gathering: Gathering | undefined;

  const begin = (): Gathering => {
    const uses = new Map<string, Usage>();
    const noted = new Promise<void>((resolve, reject) => {
      // Later in this turn, so that the pages of the same turn come together.
      setImmediate(() => {
        gathering = undefined;
        write([...uses.values()]).then(resolve, reject);
      });
    });
    return { uses, noted };
  };

  return {
    record: (use) => {
      gathering ??= begin();
      add(gathering.uses, use, clock());
      return gathering.noted;
    },
  };
}

function add(uses: Map<string, Usage>, { account, credential, returned }: SearchUse, now: number): void {
  const key = JSON.stringify([account, credential, bucketStart('HOUR', now)]);
  const before = uses.get(key);
  uses.set(key, {
    account,
    credential,
    at: Math.max(now, before?.at ?? now),
    searches: (before?.searches ?? 0) + 1,
    returned: (before?.returned ?? 0) + returned,
  });
}
