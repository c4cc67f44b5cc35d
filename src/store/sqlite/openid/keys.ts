// Signing keys of the embedded OpenID provider in SQLite.

import type { JsonWebKey } from 'node:crypto';
import type { OpenidKey, OpenidKeyReader, OpenidKeyWriter } from '../../openid-key.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';

export function createOpenidKeyReader(connection: Connection): OpenidKeyReader {
  return {
    list: guarded(() =>
      connection
        .rows('select id, created_at, signs_from, jwk from openid_key order by created_at, id')
        .map(toKey),
    ),
  };
}

export function createOpenidKeyWriter(connection: Connection): OpenidKeyWriter {
  return {
    ...createOpenidKeyReader(connection),
    add: guarded(({ id, createdAt, signsFrom, jwk }: OpenidKey) => {
      connection.run(
        'insert into openid_key (id, created_at, signs_from, jwk) values (?, ?, ?, ?)',
        id,
        createdAt,
        signsFrom,
        JSON.stringify(jwk),
      );
    }),
    remove: guarded((id: string) => {
      connection.run('delete from openid_key where id = ?', id);
    }),
  };
}

function toKey([id, createdAt, signsFrom, jwk]: unknown[]): OpenidKey {
  return {
    id: id as string,
    createdAt: createdAt as number,
    signsFrom: signsFrom as number,
    jwk: JSON.parse(jwk as string) as JsonWebKey,
  };
}
