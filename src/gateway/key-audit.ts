// The lines of the audit log about keys.

import type { Instant } from '../domain/instant.ts';
import type { ApiKey } from '../store/api-key.ts';
import type { AuditEntry } from '../store/stores.ts';

export function keyEntry(
  action: string,
  key: ApiKey,
  actor: string,
  now: Instant,
  detail: Readonly<Record<string, string>> = {},
): AuditEntry {
  return {
    at: now,
    actor,
    action,
    target: key.id,
    detail: {
      name: key.name,
      account: key.account,
      kind: key.sensor ? 'sensor' : 'client',
      scopes: key.scopes.join(' '),
      tlpCeiling: key.tlpCeiling,
      ...(key.sources.length === 0 ? {} : { sources: JSON.stringify(key.sources) }),
      ...(key.parentId === undefined ? {} : { parent: key.parentId }),
      ...detail,
    },
  };
}
