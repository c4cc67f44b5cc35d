// Leaked keys: a key that a scanner found in a public place is revoked.

import type { Instant } from '../domain/instant.ts';
import type { ApiKey } from '../store/api-key.ts';
import type { AuditEntry, Stores } from '../store/stores.ts';
import { keyEntry } from './key-audit.ts';
import { parseKey } from './key-format.ts';
import { isLive } from './key-grantor.ts';
import { revokeWithOthers } from './key-tree.ts';

/** One find of a scanner. */
export interface LeakReport {
  /** The whole text that was found. */
  readonly token: string;
  /** Where it was found, such as a web address; empty if the scanner does not say. */
  readonly url: string;
  /** Kind of place, such as `commit`; empty if the scanner does not say. */
  readonly source: string;
}

const ACTOR = 'secret-scanning';
/** Characters of a place that the audit log keeps. */
const LONGEST_PLACE = 500;

/**
 * Revokes the keys that were found, and everything that ends with them (see endingWith). Resolves, for each report, to
 * whether the token is a key of this service. A key that has expired takes no other with it: it opens nothing, and
 * whoever kept its text must not be able to end its successors by publishing it. A revoked key is not changed.
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
      if (!isLive(key, now)) {
        await tx.keys.revoke(key.id, now);
        await tx.audit(leakEntry(key, report, now));
        return;
      }
      await revokeWithOthers(tx, key, now, (one, because) =>
        because === undefined
          ? leakEntry(one, report, now)
          : keyEntry('key.revoke', one, ACTOR, now, because),
      );
    });
  }
  return isOurs;
}

function leakEntry(
  { id, name, account }: ApiKey,
  { url, source, token }: LeakReport,
  at: Instant,
): AuditEntry {
  const place = { url: placeText(url, token), source: placeText(source, token) };
  return { at, actor: ACTOR, action: 'key.leaked', target: id, detail: { name, account, ...place } };
}

/** The audit log must not contain a key, so the key is cut out of the place. */
function placeText(text: string, token: string): string {
  return text.replaceAll(token, '…').slice(0, LONGEST_PLACE);
}
