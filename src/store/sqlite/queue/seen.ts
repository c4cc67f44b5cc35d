// Keys that were seen before: of events, for de-duplication, and of requests with an idempotency key.

import type { RememberedRequest } from '../../stores.ts';
import type { Connection } from '../connection.ts';

export function rememberEvents(connection: Connection, keys: readonly string[], now: number): boolean[] {
  return keys.map(
    (key) =>
      connection.run(
        'insert into event_seen (key, seen_at) values (?, ?) on conflict do nothing',
        Buffer.from(key, 'hex'),
        now,
      ) === 1,
  );
}

export function forgetEvents(connection: Connection, keys: readonly string[]): void {
  for (const key of keys) connection.run('delete from event_seen where key = ?', Buffer.from(key, 'hex'));
}

export function recallRequest(connection: Connection, key: string): RememberedRequest | undefined {
  const row = connection.row('select fingerprint, answer from request_seen where key = ?', key);
  return row === undefined ? undefined : { fingerprint: row[0] as string, answer: row[1] as string };
}

export function rememberRequest(
  connection: Connection,
  key: string,
  request: RememberedRequest,
  now: number,
): void {
  connection.run(
    'insert into request_seen (key, fingerprint, answer, seen_at) values (?, ?, ?, ?)',
    key,
    request.fingerprint,
    request.answer,
    now,
  );
}

/** Deletes the oldest first, at most `limit`, so that the transaction stays short. */
export function forgetBefore(
  connection: Connection,
  table: 'event_seen' | 'request_seen' | 'session_seen',
  instant: number,
  limit: number,
): number {
  return connection.run(
    `delete from ${table} where key in (select key from ${table} where seen_at < ? order by seen_at limit ?)`,
    instant,
    limit,
  );
}
