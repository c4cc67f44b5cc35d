// The commands on API keys: issue, rotate, revoke. Each writes the audit log in its own transaction, and reads in it the
// keys that it depends on: its rights, the key, what descends from it.

import { randomUUID } from 'node:crypto';
import { ServiceError } from '../domain/errors.ts';
import { type Clock, DAY, HOUR, type Instant } from '../domain/instant.ts';
import { includesScope } from '../domain/scope.ts';
import type { ApiKey } from '../store/api-key.ts';
import { refuseRepeat } from '../store/rules/idempotency.ts';
import type { Stores, WriteTransaction } from '../store/stores.ts';
import type { Caller } from './caller.ts';
import { keyEntry } from './key-audit.ts';
import { generateKey, parseKey, shownParts } from './key-format.ts';
import { type Grantor, grantorOf, type Issuer, isLive } from './key-grantor.ts';
import { grantRights, type KeyRights, type KeySpec, LAST_INSTANT, requireWithin } from './key-spec.ts';
import { descendsFrom, findKey, lineOf, type RevokedKeys, revokeWithOthers } from './key-tree.ts';
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
  revokeKey(id: string, issuer: Caller): Promise<RevokedKeys>;
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

/** Live keys of an account. The keys that a revocation may end are read at once. */
export const MAX_LIVE_KEYS = 1_000;

/** Keys that the credentials of an account make in a day. Ended keys are kept, so that everything stays traceable. */
export const MAX_NEW_KEYS = 10_000;

/**
 * Creates a key, which is valid at once.
 * Rejects with ServiceError `invalid_argument` that names every fault, `permission_denied` for rights the issuer lacks,
 * `failed_precondition` for an account with MAX_LIVE_KEYS keys, `resource_exhausted` for one that got MAX_NEW_KEYS within a
 * day, or `already_exists` for a repeat.
 * @param requestId made by the client, so that a repeat is refused; empty for none.
 */
export function issueKey(
  stores: Stores,
  spec: KeySpec,
  issuer: Issuer,
  now: Instant,
  requestId = '',
): Promise<IssuedKey> {
  return stores.write(async (tx) => {
    const grantor = await grantorOf(tx, issuer, now);
    const made = mint(grantRights(spec, grantor, now), now, {
      createdBy: grantor?.id ?? 'cli',
      ...(grantor === undefined ? {} : { group: grantor.group }),
      ...(grantor?.line === undefined ? {} : { parentId: grantor.line }),
    });
    const { key } = made.issued;
    await refuseSecondKey(tx, 'key.create', issuer, requestId, key.id, now);
    await requireRoom(tx, key.account, grantor, now);
    await tx.keys.add(key, made.hash);
    await tx.audit(keyEntry('key.create', key, actorOf(issuer), now));
    return made.issued;
  });
}

/**
 * Issues a successor with the same rights and, if the old key expires, a lifetime of the same length. The successor ends
 * no later than a new key of the issuer and than the parent of the old key. The old key stays valid for `overlap`
 * milliseconds, but never beyond its own expiry.
 * Rejects with ServiceError `not_found` for a key that the issuer cannot see, `failed_precondition` for a key that is
 * revoked, expired or rotated, `permission_denied` when its rights go beyond the issuer's or the issuer may not speak in its
 * name, `already_exists` for a repeat.
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
  if (!Number.isSafeInteger(overlap) || overlap < 0) {
    throw new ServiceError('invalid_argument', 'overlap must be a whole number of milliseconds, 0 or more', {
      reason: 'INVALID_OVERLAP',
    });
  }
  return stores.write(async (tx) => {
    const grantor = await grantorOf(tx, issuer, now);
    const old = await findKey(tx.keys, id, grantor?.rights.account);
    if (grantor !== undefined) {
      requireWithin(old, grantor.rights);
      await requireIdentity(tx, old, grantor);
    }
    const end = await successorEnd(tx, old, grantor, now);
    const { parentId, group } = old;
    const { expiresAt: _, ...rights } = old;
    const made = mint({ ...rights, ...(end === undefined ? {} : { expiresAt: end }) }, now, {
      firstKeyId: lineOf(old),
      createdBy: grantor?.id ?? 'cli',
      ...(parentId === undefined ? {} : { parentId }),
      ...(group === undefined ? {} : { group }),
    });
    const { key } = made.issued;
    // Before the old key is judged: without an overlap, the first request has already ended it.
    await refuseSecondKey(tx, 'key.rotate', issuer, requestId, key.id, now);
    if (!isLive(old, now)) throw ended(id);
    if (old.successorId !== undefined) throw rotated(old.id, old.successorId);
    await tx.keys.supersede(id, key.id, Math.min(now + overlap, old.expiresAt ?? NEVER));
    // Without an overlap, the successor takes the room of the old key.
    await requireRoom(tx, key.account, grantor, now);
    await tx.keys.add(key, made.hash);
    await tx.audit(
      keyEntry('key.rotate', old, actorOf(issuer), now, { successor: key.id, overlap: String(overlap) }),
    );
    await tx.audit(keyEntry('key.create', key, actorOf(issuer), now));
    return made.issued;
  });
}

/**
 * Revokes a key and everything that ends with it (see endingWith). Every gateway refuses them within a second. A repeat
 * changes nothing.
 * Rejects with ServiceError `not_found` for a key that the issuer cannot see, `permission_denied` when its rights go beyond
 * the issuer's.
 */
export function revokeKey(stores: Stores, id: string, issuer: Issuer, now: Instant): Promise<RevokedKeys> {
  return stores.write(async (tx) => {
    const grantor = await grantorOf(tx, issuer, now);
    const asked = await findKey(tx.keys, id, grantor?.rights.account);
    if (grantor !== undefined) requireWithin(asked, grantor.rights);
    return revokeWithOthers(tx, asked, now, (key, because) =>
      keyEntry('key.revoke', key, actorOf(issuer), now, because),
    );
  });
}

/** The fields of a key that are no rights. */
type Origin = Pick<ApiKey, 'firstKeyId' | 'createdBy' | 'parentId' | 'group'>;

function mint(rights: KeyRights, now: Instant, origin: Origin): { issued: IssuedKey; hash: string } {
  const { name, account, sensor, scopes, tlpCeiling, reliability, sources, sourceRanges, expiresAt } = rights;
  const plaintext = generateKey(sensor ? 'sensor' : 'client');
  const parsed = parseKey(plaintext);
  if (parsed === undefined) throw new Error('a generated key does not parse');
  const key: ApiKey = {
    id: randomUUID(),
    ...origin,
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
  return { issued: { key, plaintext }, hash: parsed.hash };
}

/**
 * A successor speaks in the name of its line. So only the key itself may rotate it, whoever made it, and administrators.
 * @throws ServiceError `permission_denied` for anybody else.
 */
async function requireIdentity(tx: WriteTransaction, key: ApiKey, grantor: Grantor): Promise<void> {
  const { id, line, group, rights } = grantor;
  const isMaker = key.createdBy === id || (line === undefined && key.group === group);
  if (key.id === id || isMaker || includesScope(rights.scopes, 'admin')) return;
  if (line !== undefined && (await descendsFrom(tx.keys, key, line))) return;
  throw new ServiceError(
    'permission_denied',
    'only the key itself, whoever made it, or an administrator of the account may rotate it',
    { reason: 'IDENTITY_BEYOND_ISSUER', metadata: { id: key.id } },
  );
}

/** When a successor made now ends; undefined: never. */
async function successorEnd(
  tx: WriteTransaction,
  { account, parentId, createdAt, expiresAt }: ApiKey,
  grantor: Grantor | undefined,
  now: Instant,
): Promise<Instant | undefined> {
  const ends = [grantor?.latestEnd ?? NEVER, expiresAt === undefined ? NEVER : now + (expiresAt - createdAt)];
  if (parentId !== undefined) {
    const parents = (await tx.keys.live(account, now)).filter((key) => lineOf(key) === parentId);
    ends.push(Math.max(expiresAt ?? now, ...parents.map((parent) => parent.expiresAt ?? NEVER)));
  }
  const end = Math.min(...ends);
  return end === NEVER ? undefined : Math.min(end, LAST_INSTANT);
}

const NEVER = Number.POSITIVE_INFINITY;

/** Rejects when the account has or gets too many keys. The operator may make any number in a day. */
async function requireRoom(
  tx: WriteTransaction,
  account: string,
  grantor: Grantor | undefined,
  now: Instant,
): Promise<void> {
  const named = `the account ${JSON.stringify(account)}`;
  if ((await tx.keys.countLive(account, now)) >= MAX_LIVE_KEYS) {
    const message = `${named} has ${MAX_LIVE_KEYS} keys; revoke some before you make another`;
    throw new ServiceError('failed_precondition', message, {
      reason: 'TOO_MANY_KEYS',
      metadata: { account, limit: String(MAX_LIVE_KEYS) },
    });
  }
  if (grantor === undefined) return;
  const earlier = await tx.keys.createdAtOfNewest(account, MAX_NEW_KEYS);
  if (earlier === undefined || earlier <= now - DAY) return;
  throw new ServiceError('resource_exhausted', `${named} got ${MAX_NEW_KEYS} keys within a day`, {
    reason: 'TOO_MANY_NEW_KEYS',
    metadata: { subject: 'account', account, limit: String(MAX_NEW_KEYS) },
    retryAfterMs: earlier + DAY - now,
  });
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

function ended(id: string): ServiceError {
  return new ServiceError('failed_precondition', 'the key is revoked or expired', {
    reason: 'KEY_ENDED',
    metadata: { id },
  });
}

function rotated(id: string, successor: string): ServiceError {
  return new ServiceError(
    'failed_precondition',
    `the key was rotated before; rotate its successor ${successor}`,
    {
      reason: 'KEY_ROTATED',
      metadata: { id, successor },
    },
  );
}

function actorOf(issuer: Issuer): string {
  return issuer === 'cli' ? 'cli' : issuer.actor;
}
