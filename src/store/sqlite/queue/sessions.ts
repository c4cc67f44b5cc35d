// The sessions of sensors whose events name what belongs together, by a hash of reporter, sensor and session.

import type { SessionMember } from '../../../domain/evidence/session-members.ts';
import type { Connection } from '../connection.ts';

export function recallSessions(
  connection: Connection,
  keys: readonly string[],
): Map<string, readonly SessionMember[]> {
  const found = new Map<string, readonly SessionMember[]>();
  for (const key of keys) {
    const row = connection.row('select members from session_seen where key = ?', Buffer.from(key, 'hex'));
    if (row !== undefined) found.set(key, JSON.parse(row[0] as string));
  }
  return found;
}

export function rememberSession(
  connection: Connection,
  key: string,
  members: readonly SessionMember[],
  now: number,
): void {
  connection.run(
    `insert into session_seen (key, seen_at, members) values (?, ?, ?)
     on conflict (key) do update set seen_at = excluded.seen_at, members = excluded.members`,
    Buffer.from(key, 'hex'),
    now,
    JSON.stringify(members),
  );
}
