// Scopes: the rights of a credential, and the roles of people that stand for several of them.

export const SCOPES = [
  'indicators:read',
  'indicators:verify',
  'events:write',
  'feed:write',
  'keys:manage',
  'usage:read',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ['reader', 'analyst', 'key-manager', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

const READING: readonly Scope[] = ['indicators:read', 'usage:read'];

const GRANTS: Readonly<Record<Role, readonly Scope[]>> = {
  reader: READING,
  analyst: [...READING, 'indicators:verify'],
  'key-manager': [...READING, 'keys:manage', 'events:write'],
  administrator: ['admin'],
};

/** The scopes of all roles together, in the order of SCOPES. */
export function scopesOf(roles: readonly Role[]): readonly Scope[] {
  const granted = new Set(roles.flatMap((role) => GRANTS[role]));
  return SCOPES.filter((scope) => granted.has(scope));
}

/** Whether the scopes of a credential include one. `admin` includes all. */
export function includesScope(scopes: Iterable<string>, scope: Scope): boolean {
  for (const granted of scopes) if (granted === scope || granted === 'admin') return true;
  return false;
}
