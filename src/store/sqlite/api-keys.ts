// API keys in SQLite.

import type { ApiKey, ApiKeyReader, ApiKeyWriter } from '../api-key.ts';
import type { Connection } from './connection.ts';
import { guarded } from './store-errors.ts';

const COLUMNS = 'id, account, created_at, expires_at, revoked_at, successor_id, fields';

/** The expression of the index api_key_live. */
const LIVE = `account = ? and revoked_at is null and ifnull(expires_at, ${Number.MAX_SAFE_INTEGER}) > ?`;

/** The members of a key that no query uses. They are one JSON column. */
type Fields = Omit<ApiKey, 'id' | 'account' | 'createdAt' | 'expiresAt' | 'revokedAt' | 'successorId'>;

export function createApiKeyReader(connection: Connection): ApiKeyReader {
  return {
    byHash: guarded((hash: string) => {
      const row = connection.row(`select ${COLUMNS} from api_key where hash = ?`, Buffer.from(hash, 'hex'));
      return row === undefined ? undefined : toKey(row);
    }),
    byId: guarded((id: string) => {
      const row = connection.row(`select ${COLUMNS} from api_key where id = ?`, id);
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
    page: guarded((account: string, after: ApiKey | undefined, limit: number) =>
      (after === undefined
        ? connection.rows(
            `select ${COLUMNS} from api_key where account = ? order by created_at desc, id limit ?`,
            account,
            limit,
          )
        : connection.rows(
            `select ${COLUMNS} from api_key where account = ? and created_at <= ?
             and (created_at < ? or id > ?) order by created_at desc, id limit ?`,
            account,
            after.createdAt,
            after.createdAt,
            after.id,
            limit,
          )
      ).map(toKey),
    ),
    live: guarded((account: string, now: number) =>
      connection.rows(`select ${COLUMNS} from api_key where ${LIVE}`, account, now).map(toKey),
    ),
  };
}

export function createApiKeyWriter(connection: Connection): ApiKeyWriter {
  const { byId, live } = createApiKeyReader(connection);
  const set = (assignments: string, id: string, ...values: (string | number)[]): ApiKey | undefined => {
    const row = connection.row(
      `update api_key set ${assignments} where id = ? returning ${COLUMNS}`,
      ...values,
      id,
    );
    return row === undefined ? undefined : toKey(row);
  };
  return {
    byId,
    live,
    countLive: guarded((account: string, now: number) =>
      Number(connection.row(`select count(*) from api_key where ${LIVE}`, account, now)?.[0]),
    ),
    createdAtOfNewest: guarded((account: string, count: number) => {
      const row = connection.row(
        'select created_at from api_key where account = ? order by created_at desc limit 1 offset ?',
        account,
        count - 1,
      );
      return row?.[0] as number | undefined;
    }),
    add: guarded((key: ApiKey, hash: string) => {
      const { id, account, createdAt, expiresAt, revokedAt, successorId, ...fields } = key;
      connection.run(
        `insert into api_key (${COLUMNS}, hash) values (?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        account,
        createdAt,
        expiresAt ?? null,
        revokedAt ?? null,
        successorId ?? null,
        JSON.stringify(fields satisfies Fields),
        Buffer.from(hash, 'hex'),
      );
    }),
    revoke: guarded((id: string, at: number) => set('revoked_at = coalesce(revoked_at, ?)', id, at)),
    supersede: guarded((id: string, successorId: string, at: number) =>
      set('successor_id = ?, expires_at = ?', id, successorId, at),
    ),
  };
}

function toKey(row: unknown[]): ApiKey {
  const [id, account, createdAt, expiresAt, revokedAt, successorId, fields] = row;
  return {
    ...(JSON.parse(fields as string) as Fields),
    id: id as string,
    account: account as string,
    createdAt: createdAt as number,
    ...(expiresAt === null ? {} : { expiresAt: expiresAt as number }),
    ...(revokedAt === null ? {} : { revokedAt: revokedAt as number }),
    ...(successorId === null ? {} : { successorId: successorId as string }),
  };
}
