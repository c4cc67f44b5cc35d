// Sessions of people in SQLite. Those of sensors are in queue/sessions.ts.

import type { Session, SessionReader, SessionWriter } from '../../session.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';
import { PERSON_COLUMNS, toPerson } from './people.ts';

const COLUMNS =
  'person_session.id, person_session.person_id, person_session.created_at, person_session.last_used_at, person_session.expires_at, person_session.fields';
const WIDTH = 6;

/** The members of a session that no query uses. They are one JSON column. */
type Fields = Pick<Session, 'method' | 'address' | 'agent'>;

export function createSessionReader(connection: Connection): SessionReader {
  return {
    byHash: guarded((hash: string) => {
      const row = connection.row(
        `select ${COLUMNS}, ${PERSON_COLUMNS} from person_session
         join person on person.id = person_session.person_id where person_session.hash = ?`,
        Buffer.from(hash, 'hex'),
      );
      return row === undefined
        ? undefined
        : { session: toSession(row.slice(0, WIDTH)), person: toPerson(row.slice(WIDTH)) };
    }),
    ofPerson: guarded((personId: string) =>
      connection
        .rows(
          `select ${COLUMNS} from person_session where person_id = ? order by created_at desc, id`,
          personId,
        )
        .map(toSession),
    ),
  };
}

export function createSessionWriter(connection: Connection): SessionWriter {
  return {
    ...createSessionReader(connection),
    add: guarded(({ id, personId, createdAt, lastUsedAt, expiresAt, ...fields }: Session, hash: string) => {
      connection.run(
        `insert into person_session (id, person_id, created_at, last_used_at, expires_at, fields, hash)
         values (?, ?, ?, ?, ?, ?, ?)`,
        id,
        personId,
        createdAt,
        lastUsedAt,
        expiresAt,
        JSON.stringify(fields satisfies Fields),
        Buffer.from(hash, 'hex'),
      );
    }),
    touch: guarded((id: string, at: number) => {
      connection.run('update person_session set last_used_at = max(last_used_at, ?) where id = ?', at, id);
    }),
    remove: guarded(
      (personId: string, id: string) =>
        connection.run('delete from person_session where person_id = ? and id = ?', personId, id) > 0,
    ),
    removeOthers: guarded((personId: string, keptId = '') =>
      connection.run('delete from person_session where person_id = ? and id <> ?', personId, keptId),
    ),
    forgetExpired: guarded((now: number, limit: number) =>
      connection.run(
        `delete from person_session where id in
         (select id from person_session where expires_at <= ? order by expires_at limit ?)`,
        now,
        limit,
      ),
    ),
  };
}

/** Ends all sessions, one-time links, and sign-ins under way. */
export function endAllAccess(connection: Connection): void {
  connection.exec('delete from person_session; delete from sign_in_link; delete from openid_record');
}

function toSession(row: unknown[]): Session {
  const [id, personId, createdAt, lastUsedAt, expiresAt, fields] = row;
  return {
    ...(JSON.parse(fields as string) as Fields),
    id: id as string,
    personId: personId as string,
    createdAt: createdAt as number,
    lastUsedAt: lastUsedAt as number,
    expiresAt: expiresAt as number,
  };
}
