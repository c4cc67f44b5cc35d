// What the claims of a genuine access token say about the caller.

import { SECOND } from '../domain/instant.ts';
import { parseTlp } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { DEFAULT_ACCOUNT, isAccount } from './account.ts';
import { type Caller, SCOPES } from './caller.ts';
import { DEFAULT_CEILING, DEFAULT_RELIABILITY } from './default-rights.ts';

export interface ClaimRules {
  /** Claim that names the account; without it, or in a token that lacks it, everybody is in `default`. */
  readonly accountClaim?: string | undefined;
  /** For tokens without the claim `tlp_ceiling`. Default AMBER_STRICT. */
  readonly ceiling?: TlpMarking | undefined;
}

export type Claims = Readonly<Record<string, unknown>>;

const CEILING_CLAIM = 'tlp_ceiling';
/** `scope` is RFC 8693 §4.2; `scp` and `permissions` are what large providers send beside it or instead. */
const SCOPE_CLAIMS = ['scope', 'scp', 'permissions'];
/** Claims of ID tokens (OpenID Connect Core §2, §3.3.2.11) and of logout tokens, which are no keys to anything. */
const FOREIGN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 'events'];
/** OpenID Connect Core §2. */
const MAX_SUBJECT_LENGTH = 255;

/** A claim that the service reads and can not make sense of: nothing is guessed in its place. */
export class ClaimError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ClaimError';
  }
}

/**
 * The caller of a token whose signature, issuer, audience and times have been judged.
 * @throws ClaimError
 */
export function callerOf(claims: Claims, rules: ClaimRules): Caller {
  for (const name of FOREIGN_CLAIMS) {
    if (claims[name] !== undefined) throw new ClaimError(`not an access token: it has the claim ${name}`);
  }
  const { iss, sub, exp } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH || /\p{C}/u.test(sub)) {
    throw new ClaimError('sub is not the name of a subject');
  }
  return {
    credential: 'jwt',
    id: `${String(iss)}|${sub}`,
    account: accountOf(claims, rules.accountClaim),
    actor: sub,
    name: sub,
    scopes: scopesOf(claims),
    ceiling: ceilingOf(claims, rules.ceiling ?? DEFAULT_CEILING),
    reliability: DEFAULT_RELIABILITY,
    expiresAt: Number(exp) * SECOND,
  };
}

/** The scopes of this service among those granted, by exact match. */
function scopesOf(claims: Claims): ReadonlySet<string> {
  const granted = new Set(SCOPE_CLAIMS.flatMap((name) => namesIn(claims[name])));
  return new Set(SCOPES.filter((scope) => granted.has(scope)));
}

function namesIn(claim: unknown): unknown[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim : [];
}

function accountOf(claims: Claims, name: string | undefined): string {
  const account = name !== undefined && Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (account === undefined) return DEFAULT_ACCOUNT;
  if (typeof account !== 'string' || !isAccount(account))
    throw new ClaimError(`${name} does not name an account`);
  return account;
}

/** The provider that grants scopes up to `admin` may set the ceiling as well, to either side of the default. */
function ceilingOf(claims: Claims, otherwise: TlpMarking): TlpMarking {
  const claim = claims[CEILING_CLAIM];
  if (claim === undefined) return otherwise;
  const ceiling = typeof claim === 'string' ? parseTlp(claim) : undefined;
  if (ceiling === undefined) throw new ClaimError(`${CEILING_CLAIM} is not a TLP marking`);
  return ceiling;
}
