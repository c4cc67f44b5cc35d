// Which keys end with a key, and their end.
//
// A key and its successors are a line: one holder in several texts. The keys that a line makes are its children. Whoever
// held the text of a key may know every key that was made with it, so these end together.

import { ServiceError } from '../domain/errors.ts';
import type { Instant } from '../domain/instant.ts';
import type { ApiKey, ApiKeyReader } from '../store/api-key.ts';
import type { AuditEntry, WriteTransaction } from '../store/stores.ts';

/** The id of the first key of the line. */
export function lineOf({ id, firstKeyId = id }: Pick<ApiKey, 'id' | 'firstKeyId'>): string {
  return firstKeyId;
}

/**
 * The live keys that end when a key is revoked, beginning with the key itself:
 * - every key that was made with one of them, children and successors alike;
 * - with the newest key of a line, its predecessors in their overlap and all children of the line.
 *
 * A successor that somebody else made stays: the holder of the revoked key does not know it.
 * @param live keys of the account.
 */
function endingWith(key: ApiKey, live: readonly ApiKey[]): readonly [ApiKey, ...ApiKey[]] {
  const ending = new Map([[key.id, key]]);
  // The iteration also visits the keys that are added meanwhile.
  for (const one of ending.values()) {
    const line = one.successorId === undefined ? lineOf(one) : undefined;
    for (const other of live) {
      const endsToo =
        other.createdBy === one.id ||
        (line !== undefined && (other.parentId === line || lineOf(other) === line));
      if (endsToo && !ending.has(other.id)) ending.set(other.id, other);
    }
  }
  const [, ...others] = ending.values();
  return [key, ...others];
}

/**
 * What a revocation would end now (see endingWith).
 * @param account undefined for all accounts. Rejects with ServiceError `not_found` for a key that is not there.
 */
export async function previewRevocation(
  keys: Pick<ApiKeyReader, 'byId' | 'live'>,
  id: string,
  account: string | undefined,
  now: Instant,
): Promise<readonly [ApiKey, ...ApiKey[]]> {
  const key = await findKey(keys, id, account);
  return endingWith(key, await keys.live(key.account, now));
}

export interface RevokedKeys {
  readonly key: ApiKey;
  /** The other keys that ended with it. */
  readonly others: readonly ApiKey[];
}

/**
 * Revokes a key and the others that end with it.
 * @param entryOf makes the audit entry of each key; of the others with the reason.
 */
export async function revokeWithOthers(
  tx: WriteTransaction,
  key: ApiKey,
  now: Instant,
  entryOf: (key: ApiKey, because?: { readonly because: string }) => AuditEntry,
): Promise<RevokedKeys> {
  const revoke = async ({ id, revokedAt }: ApiKey): Promise<ApiKey> => {
    const revoked = await tx.keys.revoke(id, now);
    if (revoked === undefined) throw new Error('a key has gone');
    // A repeat is no act. Otherwise the audit log could be filled with one key.
    if (revokedAt === undefined)
      await tx.audit(entryOf(revoked, id === key.id ? undefined : { because: `key ${key.id} was revoked` }));
    return revoked;
  };
  const [, ...others] = endingWith(key, await tx.keys.live(key.account, now));
  const revokedKey = await revoke(key);
  const revokedOthers: ApiKey[] = [];
  for (const other of others) revokedOthers.push(await revoke(other));
  return { key: revokedKey, others: revokedOthers };
}

/** Rejects with ServiceError `not_found` for a key of another account too. @param account undefined for all accounts. */
export async function findKey(
  keys: Pick<ApiKeyReader, 'byId'>,
  id: string,
  account: string | undefined,
): Promise<ApiKey> {
  const key = await keys.byId(id);
  if (key !== undefined && (account === undefined || key.account === account)) return key;
  throw new ServiceError('not_found', 'no such key', {
    reason: 'KEY_NOT_FOUND',
    metadata: { id: id.slice(0, 64) },
  });
}

/** Whether a line made the key, directly or through keys that it made. */
export async function descendsFrom(
  keys: Pick<ApiKeyReader, 'byId'>,
  { parentId }: ApiKey,
  line: string,
): Promise<boolean> {
  // A key is older than the keys that its line makes, so the walk ends.
  for (let above = parentId; above !== undefined; above = (await keys.byId(above))?.parentId) {
    if (above === line) return true;
  }
  return false;
}
