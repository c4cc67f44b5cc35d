// The caller that the claims of a verified access token describe.

import { DEFAULT_ACCOUNT, isAccount } from '../domain/account.ts';
import { SECOND } from '../domain/instant.ts';
import { SCOPES } from '../domain/scope.ts';
import { parseTlp } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { type Caller, DEFAULT_CEILING, DEFAULT_RELIABILITY } from './caller.ts';

export interface ClaimRules {
  /** Claim that names the account. The account is `default` without this setting, and for a token without the claim. */
  readonly accountClaim?: string | undefined;
  /** For tokens without the claim `tlp_ceiling`. Default AMBER_STRICT. */
  readonly ceiling?: TlpMarking | undefined;
}

export type Claims = Readonly<Record<string, unknown>>;

const CEILING_CLAIM = 'tlp_ceiling';
/** `scope` is RFC 8693 §4.2. Large providers send `scp` or `permissions` besides it or instead. */
const SCOPE_CLAIMS = ['scope', 'scp', 'permissions'];
/** Claims of ID tokens (OpenID Connect Core §2, §3.3.2.11) and of logout tokens, which grant no access. */
const FOREIGN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 'events'];
/** OpenID Connect Core §2. */
const MAX_SUBJECT_LENGTH = 255;

/** A claim has a value that the service cannot use. The token is refused; no default takes the place of the claim. */
export class ClaimError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ClaimError';
  }
}

/**
 * The caller of a token whose signature, issuer, audience and times are verified.
 * @throws ClaimError for claims that contradict the rules.
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

/** The granted scopes that this service knows, by exact match. */
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

/** The provider may grant every scope up to `admin`, so it may also set any ceiling. */
function ceilingOf(claims: Claims, otherwise: TlpMarking): TlpMarking {
  const claim = claims[CEILING_CLAIM];
  if (claim === undefined) return otherwise;
  const ceiling = typeof claim === 'string' ? parseTlp(claim) : undefined;
  if (ceiling === undefined) throw new ClaimError(`${CEILING_CLAIM} is not a TLP marking`);
  return ceiling;
}
