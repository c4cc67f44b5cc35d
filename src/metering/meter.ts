// The meter: records every search page before it is answered.
//
// Pages of one turn of the event loop go to the store together, added up by credential, so thousands of pages a second take a
// few hundred messages. An answer waits until its usage is durable, which takes about one fsync.

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
   * Resolves once the usage is durable. The page must not be answered before.
   * Rejects with ServiceError `unavailable` when the usage cannot be recorded; then it is not counted.
   */
  record(use: SearchUse): Promise<void>;
}

/** The usage of one turn. */
interface Gathering {
  readonly uses: Map<string, Usage>;
  readonly recorded: Promise<void>;
}

/** @param write makes usage durable, all or nothing. */
export function createMeter(write: (uses: readonly Usage[]) => Promise<void>, clock: Clock): Meter {
  let gathering: Gathering | undefined;

  const begin = (): Gathering => {
    const uses = new Map<string, Usage>();
    const recorded = new Promise<void>((resolve, reject) => {
      // At the end of the turn, so that the pages of one turn are written together.
      setImmediate(() => {
        gathering = undefined;
        write([...uses.values()]).then(resolve, reject);
      });
    });
    return { uses, recorded };
  };

  return {
    record: (use) => {
      gathering ??= begin();
      add(gathering.uses, use, clock());
      return gathering.recorded;
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
