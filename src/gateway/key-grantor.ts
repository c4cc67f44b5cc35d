// The grantor of a key: who makes, rotates or revokes it, with the rights that he has at that instant.

import { DAY, type Instant } from '../domain/instant.ts';
import { scopesOf } from '../domain/scope.ts';
import type { ApiKey, ApiKeyReader } from '../store/api-key.ts';
import type { PersonReader } from '../store/person.ts';
import { requireScope } from './authorize.ts';
import type { Caller } from './caller.ts';
import { credentialInvalid } from './credential.ts';
import { lineOf } from './key-tree.ts';

/** The operator at the command line has all rights. */
export type Issuer = 'cli' | Caller;

/** What a key is compared with, and what it can inherit. */
export type Rights = Pick<
  ApiKey,
  'account' | 'sensor' | 'scopes' | 'tlpCeiling' | 'reliability' | 'sources' | 'sourceRanges' | 'expiresAt'
>;

export interface Grantor {
  /** As in `ApiKey.createdBy`. */
  readonly id: string;
  /** The line of a key. A person has none. */
  readonly line?: string;
  /** Independence group of the keys that it makes. */
  readonly group: string;
  readonly rights: Rights;
  /** When the keys that it makes end at the latest, and when they end unless asked. Undefined: never. */
  readonly latestEnd: Instant | undefined;
  readonly usualEnd: Instant | undefined;
}

/**
 * Lifetimes of the keys that a person makes. The token of a person ends within minutes, and the service never hears that
 * a person has left.
 */
const LONGEST_BY_PERSON = 365 * DAY;
const USUAL_BY_PERSON = 90 * DAY;

/**
 * Undefined for the operator. Rejects with ServiceError `permission_denied` without the scope `keys:manage`, and with
 * `unauthenticated` for a key that has ended, or a person who was disabled, since the gateway let them in. Otherwise a key
 * that is revoked could still make others, which the revocation did not see.
 * @param tx reads as of the transaction.
 */
export async function grantorOf(
  { keys, people }: GrantorReaders,
  issuer: Issuer,
  now: Instant,
): Promise<Grantor | undefined> {
  if (issuer === 'cli') return undefined;
  requireScope(issuer, 'keys:manage');
  if (issuer.credential === 'session') return personal(await signedIn(people, issuer), now);
  return issuer.credential === 'jwt' ? personal(issuer, now) : ofKey(await keys.byId(issuer.id), now);
}

export interface GrantorReaders {
  readonly keys: Pick<ApiKeyReader, 'byId'>;
  readonly people: Pick<PersonReader, 'byLogin'>;
}

/** The caller with the rights that the person has now. */
async function signedIn(people: GrantorReaders['people'], caller: Caller): Promise<Caller> {
  const person = await people.byLogin(caller.actor);
  if (person === undefined || person.disabledAt !== undefined)
    throw credentialInvalid('the person has just been disabled');
  const { account, roles, tlpCeiling, reliability } = person;
  const now = { ...caller, account, scopes: new Set(scopesOf(roles)), ceiling: tlpCeiling, reliability };
  requireScope(now, 'keys:manage');
  return now;
}

function ofKey(key: ApiKey | undefined, now: Instant): Grantor {
  if (key === undefined || !isLive(key, now)) throw credentialInvalid('the API key has just ended');
  const { id, group, expiresAt } = key;
  const line = lineOf(key);
  return { id, line, group: group ?? line, rights: key, latestEnd: expiresAt, usualEnd: expiresAt };
}

function personal(person: Caller, now: Instant): Grantor {
  const { id, account, scopes, ceiling, reliability, sources = [] } = person;
  return {
    id,
    group: id,
    rights: {
      account,
      sensor: false,
      scopes: [...scopes],
      tlpCeiling: ceiling,
      reliability,
      sources,
      sourceRanges: [],
    },
    latestEnd: now + LONGEST_BY_PERSON,
    usualEnd: now + USUAL_BY_PERSON,
  };
}

/** Neither revoked nor expired. */
export function isLive({ revokedAt, expiresAt }: ApiKey, now: Instant): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now);
}
