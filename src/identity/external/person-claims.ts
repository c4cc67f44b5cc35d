// Who signed in, as the claims of an ID token say it (OpenID Connect Core §5.1).

export interface SignedInPerson {
  /** Unique and never reassigned at its issuer. All else can change. */
  readonly subject: string;
  /** The short name at the issuer. */
  readonly login?: string;
  readonly name?: string;
  /** Present only if the issuer says that it has verified the address. */
  readonly email?: string;
  /** The names in the claim of roles. Absent: the claim is not there, or none is configured. */
  readonly roles?: readonly string[];
  /** Whether no claim is missing that the issuer may give elsewhere. */
  readonly isComplete: boolean;
}

type Claims = Readonly<Record<string, unknown>>;

const MAX_TEXT = 200;
const MAX_ROLES = 1_000;

/** @param claims verified. @param rolesClaim claim that names roles; dots lead into it. */
export function signedInPerson(
  claims: Claims & { readonly sub: string },
  rolesClaim: string | undefined,
): SignedInPerson {
  const login = textOf(claims.preferred_username);
  const name = textOf(claims.name);
  const email = claims.email_verified === true ? textOf(claims.email) : undefined;
  const roles = rolesClaim === undefined ? undefined : rolesIn(claims, rolesClaim);
  return {
    subject: claims.sub,
    ...(login === undefined ? {} : { login }),
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(roles === undefined ? {} : { roles }),
    isComplete:
      (login ?? email) !== undefined &&
      name !== undefined &&
      (rolesClaim === undefined || roles !== undefined),
  };
}

/** Printable and not blank: it is shown to people and written to the audit log. */
function textOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string' || /\p{C}/u.test(claim)) return undefined;
  const text = claim.trim();
  return text === '' || text.length > MAX_TEXT ? undefined : text;
}

function rolesIn(claims: Claims, name: string): readonly string[] | undefined {
  const claim = Object.hasOwn(claims, name) ? claims[name] : within(claims, name.split('.'));
  if (typeof claim === 'string') return claim.split(' ').slice(0, MAX_ROLES);
  if (!Array.isArray(claim)) return undefined;
  return claim.filter((role) => typeof role === 'string').slice(0, MAX_ROLES);
}

/** The claim at the end of a path: own members only, so that no name reaches a prototype. */
function within(claims: unknown, path: readonly string[]): unknown {
  let at = claims;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Claims)[name];
  }
  return at;
}
