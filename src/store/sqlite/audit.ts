// The audit log in SQLite.

import type { AuditEntry } from '../stores.ts';
import type { Connection } from './connection.ts';

export function writeAudit(connection: Connection, entry: AuditEntry): void {
  connection.run(
    'insert into audit (at, actor, action, target, detail) values (?, ?, ?, ?, ?)',
    entry.at,
    entry.actor,
    entry.action,
    entry.target,
    JSON.stringify(entry.detail),
  );
}

/** Newest first. */
export function readAudit(connection: Connection, limit: number): AuditEntry[] {
  return connection
    .rows('select at, actor, action, target, detail from audit order by seq desc limit ?', limit)
    .map(([at, actor, action, target, detail]) => ({
      at: at as number,
      actor: actor as string,
      action: action as string,
      target: target as string,
      detail: JSON.parse(detail as string) as Record<string, string>,
    }));
}
