// Leaked keys: a key that a scanner found in a public place is revoked.

import type { Instant } from '../domain/instant.ts';
import type { Stores } from '../store/stores.ts';
import { parseKey } from './key-format.ts';

/** One find of a scanner. */
export interface LeakReport {
  /** The whole text that was found. */
  readonly token: string;
  /** Where it was found, such as a web address; empty if the scanner does not say. */
  readonly url: string;
  /** Kind of place, such as `commit`; empty if the scanner does not say. */
  readonly source: string;
}

/** Characters of a place that the audit log keeps. */
const LONGEST_PLACE = 500;

/**
 * Revokes the keys that were found. Resolves, for each report, to whether the token is a key of this service. A key that is
 * already revoked is not changed.
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

/** The audit log must not contain a key, so the key is cut out of the place. */
function placeText(text: string, token: string): string {
  return text.replaceAll(token, '…').slice(0, LONGEST_PLACE);
}
