// API keys in SQLite.

import type { ApiKey, ApiKeyReader, ApiKeyWriter } from '../api-key.ts';
import type { Connection } from './connection.ts';
import { guarded } from './store-errors.ts';

const COLUMNS = 'id, account, created_at, expires_at, revoked_at, fields';

/** The members of a key that no query uses. They are one JSON column. */
type Fields = Omit<ApiKey, 'id' | 'account' | 'createdAt' | 'expiresAt' | 'revokedAt'>;

export function createApiKeyReader(connection: Connection): ApiKeyReader {
  return {
    byHash: guarded((hash: string) => {
      const row = connection.row(`select ${COLUMNS} from api_key where hash = ?`, Buffer.from(hash, 'hex'));
      return row === undefined ? undefined : toKey(row);
    }),
    list: guarded((account?: string) =>
      (account === undefined
        ? connection.rows(`select ${COLUMNS} from api_key order by created_at desc, id`)
        : connection.rows(
            `select ${COLUMNS} from api_key where account = ? order by created_at desc, id`,
            account,
          )
      ).map(toKey),
    ),
  };
}

export function createApiKeyWriter(connection: Connection): ApiKeyWriter {
  const set = (column: 'revoked_at' | 'expires_at', id: string, at: number): ApiKey | undefined => {
    const value = column === 'revoked_at' ? 'coalesce(revoked_at, ?)' : '?';
    const row = connection.row(
      `update api_key set ${column} = ${value} where id = ? returning ${COLUMNS}`,
      at,
      id,
    );
    return row === undefined ? undefined : toKey(row);
  };
  return {
    add: guarded((key: ApiKey, hash: string) => {
      const { id, account, createdAt, expiresAt, revokedAt, ...fields } = key;
      connection.run(
        `insert into api_key (${COLUMNS}, hash) values (?, ?, ?, ?, ?, ?, ?)`,
        id,
        account,
        createdAt,
        expiresAt ?? null,
        revokedAt ?? null,
        JSON.stringify(fields satisfies Fields),
        Buffer.from(hash, 'hex'),
      );
    }),
    revoke: guarded((id: string, at: number) => set('revoked_at', id, at)),
    expire: guarded((id: string, at: number) => set('expires_at', id, at)),
  };
}

function toKey(row: unknown[]): ApiKey {
  const [id, account, createdAt, expiresAt, revokedAt, fields] = row;
  return {
    ...(JSON.parse(fields as string) as Fields),
    id: id as string,
    account: account as string,
    createdAt: createdAt as number,
    ...(expiresAt === null ? {} : { expiresAt: expiresAt as number }),
    ...(revokedAt === null ? {} : { revokedAt: revokedAt as number }),
  };
}
