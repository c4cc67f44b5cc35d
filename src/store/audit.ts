// The audit log: who did what to which resource. Never a secret, never a query text.

import type { Instant } from '../domain/instant.ts';

export interface AuditEntry {
  readonly at: Instant;
  /** Subject of a JWT, id of a key, or `cli`. */
  readonly actor: string;
  /** Such as `indicator.verify`, `key.create`, `key.revoke`. */
  readonly action: string;
  /** Id of the resource. */
  readonly target: string;
  readonly detail: Readonly<Record<string, string>>;
}
