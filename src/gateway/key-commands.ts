// The commands on API keys: issue, rotate, revoke. Each writes the audit log in its own transaction.

import { randomUUID } from 'node:crypto';
import { ServiceError } from '../domain/errors.ts';
import { type Clock, HOUR, type Instant } from '../domain/instant.ts';
import type { ApiKey } from '../store/api-key.ts';
import { refuseRepeat } from '../store/rules/idempotency.ts';
import type { AuditEntry, Stores, WriteTransaction } from '../store/stores.ts';
import { requireScope } from './authorize.ts';
import type { Caller } from './caller.ts';
import { generateKey, parseKey, shownParts } from './key-format.ts';
import { grantRights, type Issuer, type KeyRights, type KeySpec, requireGrantable } from './key-spec.ts';
import { type LeakReport, revokeLeaked } from './leaked-keys.ts';

/**
 * The commands that a running service carries out. Arguments and answers are plain values, so that a command can run in the
 * thread that owns the writing connection.
 */
export interface KeyCommands {
  /** @see issueKey */
  issueKey(spec: KeySpec, issuer: Caller, requestId: string): Promise<IssuedKey>;
  /** @see rotateKey */
  rotateKey(id: string, overlap: number, issuer: Caller, requestId: string): Promise<IssuedKey>;
  /** @see revokeKey */
  revokeKey(id: string, issuer: Caller): Promise<ApiKey>;
  /** @see revokeLeaked */
  revokeLeaked(reports: readonly LeakReport[]): Promise<boolean[]>;
}

export function createKeyCommands(stores: Stores, clock: Clock): KeyCommands {
  return {
    issueKey: (spec, issuer, requestId) => issueKey(stores, spec, issuer, clock(), requestId),
    rotateKey: (id, overlap, issuer, requestId) => rotateKey(stores, id, overlap, issuer, clock(), requestId),
    revokeKey: (id, issuer) => revokeKey(stores, id, issuer, clock()),
    revokeLeaked: (reports) => revokeLeaked(stores, reports, clock()),
  };
}

export interface IssuedKey {
  readonly key: ApiKey;
  /** The key itself. It is stored nowhere, so it can be shown only now. */
  readonly plaintext: string;
}

/** How long a rotated key still works. */
export const DEFAULT_OVERLAP = 24 * HOUR;

/**
 * Creates a key, which is valid at once.
 * Rejects with ServiceError `invalid_argument` that names every fault, `permission_denied` for rights the issuer lacks, or
 * `already_exists` for a repeat.
 * @param requestId made by the client, so that a repeat is refused; empty for none.
 */
export async function issueKey(
  stores: Stores,
  spec: KeySpec,
  issuer: Issuer,
  now: Instant,
  requestId = '',
): Promise<IssuedKey> {
  const { issued, add } = mint(grantRights(spec, issuer, now), now);
  await stores.write(async (tx) => {
    await refuseSecondKey(tx, 'key.create', issuer, requestId, issued.key.id, now);
    await add(tx);
    await tx.audit(entry('key.create', issued.key, issuer, now));
  });
  return issued;
}

/**
 * Issues a successor with the same rights and, if the old key expires, a lifetime of the same length. The old key stays
 * valid for `overlap` milliseconds, but never beyond its own expiry.
 * Rejects with ServiceError `not_found` for a key that the issuer cannot see, `failed_precondition` for a revoked or expired
 * key, `permission_denied` when its rights go beyond the issuer's, `already_exists` for a repeat.
 * @param requestId made by the client, so that a repeat is refused; empty for none.
 */
export async function rotateKey(
  stores: Stores,
  id: string,
  overlap: number,
  issuer: Issuer,
  now: Instant,
  requestId = '',
): Promise<IssuedKey> {
  requireManager(issuer);
  if (!Number.isSafeInteger(overlap) || overlap < 0) {
    throw new ServiceError('invalid_argument', 'overlap must be a whole number of milliseconds, 0 or more', {
      reason: 'INVALID_OVERLAP',
    });
  }
  const old = (await stores.keys.list(accountOf(issuer))).find((key) => key.id === id);
  if (old === undefined) throw notFound(id);
  requireGrantable(old, issuer);

  const { expiresAt } = old;
  const rights: KeyRights = {
    ...old,
    ...(expiresAt === undefined ? {} : { expiresAt: now + (expiresAt - old.createdAt) }),
  };
  const { issued, add } = mint(rights, now, old.firstKeyId ?? old.id);
  const end = Math.min(now + overlap, expiresAt ?? Number.POSITIVE_INFINITY);
  await stores.write(async (tx) => {
    // Before the old key is judged: without an overlap, the first request has already ended it.
    await refuseSecondKey(tx, 'key.rotate', issuer, requestId, issued.key.id, now);
    requireAlive(old, now);
    // If the key was revoked since it was read, the whole transaction is undone.
    const expiring = await tx.keys.expire(id, end);
    if (expiring === undefined || expiring.revokedAt !== undefined) throw ended(id);
    await add(tx);
    await tx.audit(
      entry('key.rotate', old, issuer, now, { successor: issued.key.id, overlap: String(overlap) }),
    );
    await tx.audit(entry('key.create', issued.key, issuer, now));
  });
  return issued;
}

/**
 * Revokes a key. Every gateway refuses it within a second. A repeat changes nothing.
 * Rejects with ServiceError `not_found` for a key that the issuer cannot see.
 */
export async function revokeKey(stores: Stores, id: string, issuer: Issuer, now: Instant): Promise<ApiKey> {
  requireManager(issuer);
  const account = accountOf(issuer);
  return stores.write(async (tx) => {
    const key = await tx.keys.revoke(id, now);
    // The rejection undoes the revocation of a key of another account.
    if (key === undefined || (account !== undefined && key.account !== account)) throw notFound(id);
    await tx.audit(entry('key.revoke', key, issuer, now));
    return key;
  });
}

/**
 * A new key with these rights, and the write that stores it, which may run more than once.
 * @param firstKeyId the first key of the rotation, for a successor.
 */
function mint(
  rights: KeyRights,
  now: Instant,
  firstKeyId?: string,
): { issued: IssuedKey; add: (tx: WriteTransaction) => Promise<void> } {
  const { name, account, sensor, scopes, tlpCeiling, reliability, sources, sourceRanges, expiresAt } = rights;
  const plaintext = generateKey(sensor ? 'sensor' : 'client');
  const parsed = parseKey(plaintext);
  if (parsed === undefined) throw new Error('a generated key does not parse');
  const key: ApiKey = {
    id: randomUUID(),
    ...(firstKeyId === undefined ? {} : { firstKeyId }),
    name,
    account,
    sensor,
    scopes,
    tlpCeiling,
    reliability,
    sources,
    sourceRanges,
    ...shownParts(plaintext),
    createdAt: now,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return { issued: { key, plaintext }, add: (tx) => tx.keys.add(key, parsed.hash) };
}

/** Rejects a repeat with ServiceError `already_exists`, which names the key that the first request made. */
async function refuseSecondKey(
  tx: WriteTransaction,
  act: string,
  issuer: Issuer,
  requestId: string,
  keyId: string,
  now: Instant,
): Promise<void> {
  if (requestId === '' || issuer === 'cli') return;
  const request = { scope: [act, issuer.account, issuer.id], requestId };
  await refuseRepeat(
    tx,
    request,
    keyId,
    now,
    (firstKeyId) =>
      new ServiceError('already_exists', 'a request with this requestId has made a key already', {
        reason: 'REQUEST_REPEATED',
        metadata: { requestId, keyId: firstKeyId },
      }),
  );
}

function requireManager(issuer: Issuer): void {
  if (issuer !== 'cli') requireScope(issuer, 'keys:manage');
}

/** The account whose keys the issuer sees; undefined for all accounts. */
function accountOf(issuer: Issuer): string | undefined {
  return issuer === 'cli' ? undefined : issuer.account;
}

function requireAlive(key: ApiKey, now: Instant): void {
  if (key.revokedAt !== undefined || (key.expiresAt !== undefined && key.expiresAt <= now))
    throw ended(key.id);
}

function ended(id: string): ServiceError {
  return new ServiceError('failed_precondition', 'the key is revoked or expired', {
    reason: 'KEY_ENDED',
    metadata: { id },
  });
}

function notFound(id: string): ServiceError {
  return new ServiceError('not_found', 'no such key', {
    reason: 'KEY_NOT_FOUND',
    metadata: { id: id.slice(0, 64) },
  });
}

function entry(
  action: string,
  key: ApiKey,
  issuer: Issuer,
  now: Instant,
  detail: Readonly<Record<string, string>> = {},
): AuditEntry {
  return {
    at: now,
    actor: issuer === 'cli' ? 'cli' : issuer.actor,
    action,
    target: key.id,
    detail: {
      name: key.name,
      account: key.account,
      kind: key.sensor ? 'sensor' : 'client',
      scopes: key.scopes.join(' '),
      tlpCeiling: key.tlpCeiling,
      ...(key.sources.length === 0 ? {} : { sources: JSON.stringify(key.sources) }),
      ...detail,
    },
  };
}
