// Clients of the embedded OpenID provider in SQLite.

import type { OpenidClient, OpenidClientReader, OpenidClientWriter } from '../../openid-client.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';

const COLUMNS = 'id, account, created_at, revoked_at, fields';

/** The members of a client that no query uses. They are one JSON column. */
type Fields = Omit<OpenidClient, 'id' | 'account' | 'createdAt' | 'revokedAt'>;

export function createOpenidClientReader(connection: Connection): OpenidClientReader {
  return {
    byId: guarded((id: string) => {
      const row = connection.row(`select ${COLUMNS} from openid_client where id = ?`, id);
      return row === undefined ? undefined : toClient(row);
    }),
    secretHashOf: guarded((id: string) => {
      const [secret] = connection.row('select secret from openid_client where id = ?', id) ?? [];
      return secret instanceof Uint8Array ? Buffer.from(secret).toString('hex') : undefined;
    }),
    list: guarded((account?: string) =>
      (account === undefined
        ? connection.rows(`select ${COLUMNS} from openid_client order by created_at desc, id`)
        : connection.rows(
            `select ${COLUMNS} from openid_client where account = ? order by created_at desc, id`,
            account,
          )
      ).map(toClient),
    ),
  };
}

export function createOpenidClientWriter(connection: Connection): OpenidClientWriter {
  const { byId, list } = createOpenidClientReader(connection);
  return {
    byId,
    list,
    add: guarded((client: OpenidClient, secretHash: string | undefined) => {
      const { id, account, createdAt, revokedAt, ...fields } = client;
      connection.run(
        `insert into openid_client (${COLUMNS}, secret) values (?, ?, ?, ?, ?, ?)`,
        id,
        account,
        createdAt,
        revokedAt ?? null,
        JSON.stringify(fields satisfies Fields),
        secretHash === undefined ? null : Buffer.from(secretHash, 'hex'),
      );
    }),
    revoke: guarded((id: string, at: number) => {
      const row = connection.row(
        `update openid_client set revoked_at = coalesce(revoked_at, ?) where id = ? returning ${COLUMNS}`,
        at,
        id,
      );
      return row === undefined ? undefined : toClient(row);
    }),
  };
}

function toClient(row: unknown[]): OpenidClient {
  const [id, account, createdAt, revokedAt, fields] = row;
  return {
    ...(JSON.parse(fields as string) as Fields),
    id: id as string,
    account: account as string,
    createdAt: createdAt as number,
    ...(revokedAt === null ? {} : { revokedAt: revokedAt as number }),
  };
}
