// Short-lived records of the embedded OpenID provider in SQLite.

import type { OpenidRecord, OpenidRecordReader, OpenidRecordWriter } from '../../openid-record.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';

export function createOpenidRecordReader(connection: Connection): OpenidRecordReader {
  return {
    byKey: guarded((key: string) => {
      const row = connection.row(
        'select payload, expires_at, consumed_at from openid_record where key = ?',
        Buffer.from(key, 'hex'),
      );
      if (row === undefined) return undefined;
      const [payload, expiresAt, consumedAt] = row;
      return {
        payload: payload as string,
        expiresAt: expiresAt as number,
        ...(consumedAt === null ? {} : { consumedAt: consumedAt as number }),
      };
    }),
  };
}

export function createOpenidRecordWriter(connection: Connection): OpenidRecordWriter {
  return {
    ...createOpenidRecordReader(connection),
    put: guarded((kind: string, key: string, { payload, expiresAt, consumedAt }: OpenidRecord) => {
      connection.run(
        `insert into openid_record (kind, key, expires_at, consumed_at, payload) values (?, ?, ?, ?, ?)
         on conflict (key) do update set
           expires_at = excluded.expires_at, consumed_at = excluded.consumed_at, payload = excluded.payload`,
        kind,
        Buffer.from(key, 'hex'),
        expiresAt,
        consumedAt ?? null,
        payload,
      );
    }),
    consume: guarded(
      (key: string, at: number) =>
        connection.run(
          'update openid_record set consumed_at = ? where key = ? and consumed_at is null',
          at,
          Buffer.from(key, 'hex'),
        ) > 0,
    ),
    remove: guarded((key: string) => {
      connection.run('delete from openid_record where key = ?', Buffer.from(key, 'hex'));
    }),
    forgetExpired: guarded((now: number, limit: number) =>
      connection.run(
        `delete from openid_record where seq in
         (select seq from openid_record where expires_at <= ? order by expires_at limit ?)`,
        now,
        limit,
      ),
    ),
    keepNewest: guarded((kind: string, kept: number) =>
      connection.run(
        `delete from openid_record where kind = ? and seq <=
         (select seq from openid_record where kind = ? order by seq desc limit 1 offset ?)`,
        kind,
        kind,
        kept,
      ),
    ),
  };
}
