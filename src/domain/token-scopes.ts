// What a token of the embedded OpenID provider may carry.

import { includesScope, SCOPES, type Scope } from './scope.ts';

/**
 * What a client may do by itself. It is no person, so it confirms nothing and administers nothing; and TAXII takes keys
 * only.
 */
const OF_MACHINES: readonly Scope[] = ['indicators:read', 'events:write', 'usage:read'];

/** The scopes of a client that it gets without a person. */
export function machineScopes(client: readonly Scope[]): readonly Scope[] {
  return OF_MACHINES.filter((scope) => includesScope(client, scope));
}

/** The wished scopes that everybody who has a say may give. `admin` includes all, and is given only where all have it. */
export function sharedScopes(
  wished: Iterable<string>,
  ...rights: readonly Iterable<string>[]
): readonly Scope[] {
  const names = new Set(wished);
  const given = rights.map((scopes) => [...scopes]);
  return SCOPES.filter((scope) => names.has(scope) && given.every((scopes) => includesScope(scopes, scope)));
}
