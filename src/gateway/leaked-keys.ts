// Keys that somebody else found in a public place: they are revoked, since whoever can read them can use them.

import type { Instant } from '../domain/instant.ts';
import type { Stores } from '../store/stores.ts';
import { parseKey } from './key-format.ts';

/** What a scanner of public sources says of one find. */
export interface LeakReport {
  /** What was found, whole. */
  readonly token: string;
  /** Where, such as a web address; empty when it is not said. */
  readonly url: string;
  /** Kind of place, such as `commit`; empty when it is not said. */
  readonly source: string;
}

/** Of what a report says about the place, for the audit log. */
const LONGEST_PLACE = 500;

/**
 * Revokes the keys that were found and says of each token whether it is a key of this service, revoked earlier or now.
 * A key that was revoked already is left as it is.
 */
export async function revokeLeaked(
  stores: Stores,
  reports: readonly LeakReport[],
  now: Instant,
): Promise<boolean[]> {
  const isOurs: boolean[] = [];
  for (const report of reports) {
    const hash = parseKey(report.token)?.hash;
    const key = hash === undefined ? undefined : await stores.keys.byHash(hash);
    isOurs.push(key !== undefined);
    if (key === undefined || key.revokedAt !== undefined) continue;
    await stores.write(async (tx) => {
      await tx.keys.revoke(key.id, now);
      await tx.audit({
        at: now,
        actor: 'secret-scanning',
        action: 'key.leaked',
        target: key.id,
        detail: {
          name: key.name,
          account: key.account,
          url: placeText(report.url, report.token),
          source: placeText(report.source, report.token),
        },
      });
    });
  }
  return isOurs;
}

/** The audit log holds no key, so not the place either where that repeats it. */
function placeText(text: string, token: string): string {
  return text.replaceAll(token, '…').slice(0, LONGEST_PLACE);
}
