// The audit log in SQLite.

import type { AuditEntry, AuditRecord, AuditSearch } from '../stores.ts';
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

/** The members that a search can name. Each has an index, so that no search reads the whole log. */
const SEARCHED = ['actor', 'action', 'target'] as const;

/** Newest first. */
export function readAudit(
  connection: Connection,
  limit: number,
  { before, ...named }: AuditSearch = {},
): AuditRecord[] {
  const conditions = ['seq < ?'];
  const values: (string | number)[] = [before ?? Number.MAX_SAFE_INTEGER];
  for (const member of SEARCHED) {
    const value = named[member];
    if (value === undefined) continue;
    conditions.push(`${member} = ?`);
    values.push(value);
  }
  return connection
    .rows(
      `select seq, at, actor, action, target, detail from audit where ${conditions.join(' and ')}
       order by seq desc limit ?`,
      ...values,
      limit,
    )
    .map(([seq, at, actor, action, target, detail]) => ({
      number: seq as number,
      at: at as number,
      actor: actor as string,
      action: action as string,
      target: target as string,
      detail: JSON.parse(detail as string) as Record<string, string>,
    }));
}
