// Passkeys in SQLite.

import type { Passkey, PasskeyReader, PasskeyWriter } from '../../passkey.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';

const COLUMNS = 'id, person_id, created_at, last_used_at, counter, fields';

/** The members of a passkey that never change. They are one JSON column. */
type Fields = Pick<Passkey, 'publicKey' | 'transports' | 'name' | 'synced'>;

export function createPasskeyReader(connection: Connection): PasskeyReader {
  return {
    byId: guarded((id: string) => {
      const row = connection.row(`select ${COLUMNS} from passkey where id = ?`, id);
      return row === undefined ? undefined : toPasskey(row);
    }),
    ofPerson: guarded((personId: string) =>
      connection
        .rows(`select ${COLUMNS} from passkey where person_id = ? order by created_at, id`, personId)
        .map(toPasskey),
    ),
  };
}

export function createPasskeyWriter(connection: Connection): PasskeyWriter {
  return {
    ...createPasskeyReader(connection),
    add: guarded(({ id, personId, createdAt, lastUsedAt, counter, ...fields }: Passkey) => {
      connection.run(
        `insert into passkey (${COLUMNS}) values (?, ?, ?, ?, ?, ?)`,
        id,
        personId,
        createdAt,
        lastUsedAt ?? null,
        counter,
        JSON.stringify(fields satisfies Fields),
      );
    }),
    used: guarded((id: string, counter: number, at: number) => {
      connection.run('update passkey set counter = ?, last_used_at = ? where id = ?', counter, at, id);
    }),
    remove: guarded(
      (personId: string, id: string) =>
        connection.run('delete from passkey where person_id = ? and id = ?', personId, id) > 0,
    ),
    removeAll: guarded((personId: string) => {
      connection.run('delete from passkey where person_id = ?', personId);
    }),
  };
}

function toPasskey(row: unknown[]): Passkey {
  const [id, personId, createdAt, lastUsedAt, counter, fields] = row;
  return {
    ...(JSON.parse(fields as string) as Fields),
    id: id as string,
    personId: personId as string,
    createdAt: createdAt as number,
    ...(lastUsedAt === null ? {} : { lastUsedAt: lastUsedAt as number }),
    counter: counter as number,
  };
}
