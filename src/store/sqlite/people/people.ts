// People in SQLite.

import type { ExternalIdentity, Person, PersonReader, PersonWriter, StoredPassword } from '../../person.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';

export const PERSON_COLUMNS =
  'person.id, person.login, person.account, person.created_at, person.disabled_at, person.last_sign_in_at, person.issuer, person.subject, person.fields';

/** The members of a person that no query uses. They are one JSON column. */
type Fields = Pick<Person, 'name' | 'roles' | 'tlpCeiling' | 'reliability' | 'createdBy'>;

export function createPersonReader(connection: Connection): PersonReader {
  const one = (condition: string, ...values: string[]): Person | undefined => {
    const row = connection.row(`select ${PERSON_COLUMNS} from person where ${condition}`, ...values);
    return row === undefined ? undefined : toPerson(row);
  };
  return {
    byId: guarded((id: string) => one('id = ?', id)),
    byLogin: guarded((login: string) => one('login = ?', login)),
    byExternal: guarded(({ issuer, subject }: ExternalIdentity) =>
      one('issuer = ? and subject = ?', issuer, subject),
    ),
    list: guarded((account?: string) =>
      (account === undefined
        ? connection.rows(`select ${PERSON_COLUMNS} from person order by login`)
        : connection.rows(`select ${PERSON_COLUMNS} from person where account = ? order by login`, account)
      ).map(toPerson),
    ),
    passwordOf: guarded((id: string) => {
      const [password] = connection.row('select password from person where id = ?', id) ?? [];
      return typeof password === 'string' ? (JSON.parse(password) as StoredPassword) : undefined;
    }),
    anySignIn: guarded(
      () => connection.row('select 1 from person where last_sign_in_at is not null limit 1') !== undefined,
    ),
  };
}

export function createPersonWriter(connection: Connection): PersonWriter {
  const { byId, byLogin, byExternal, list, passwordOf } = createPersonReader(connection);
  return {
    byId,
    byLogin,
    byExternal,
    list,
    passwordOf,
    add: guarded((person: Person) => {
      connection.run(
        `insert into person (id, login, account, created_at, disabled_at, last_sign_in_at, issuer, subject, fields)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        person.id,
        person.login,
        person.account,
        person.createdAt,
        ...changeable(person),
      );
    }),
    update: guarded((person: Person) => {
      connection.run(
        `update person set account = ?, disabled_at = ?, last_sign_in_at = ?, issuer = ?, subject = ?, fields = ?
         where id = ?`,
        person.account,
        ...changeable(person),
        person.id,
      );
    }),
    setPassword: guarded((id: string, password: StoredPassword) => {
      connection.run('update person set password = ? where id = ?', JSON.stringify(password), id);
    }),
  };
}

function changeable(person: Person): (string | number | null)[] {
  const { name, roles, tlpCeiling, reliability, createdBy, disabledAt, lastSignInAt, external } = person;
  return [
    disabledAt ?? null,
    lastSignInAt ?? null,
    external?.issuer ?? null,
    external?.subject ?? null,
    JSON.stringify({ name, roles, tlpCeiling, reliability, createdBy } satisfies Fields),
  ];
}

/** @param row the values of PERSON_COLUMNS. */
export function toPerson(row: unknown[]): Person {
  const [id, login, account, createdAt, disabledAt, lastSignInAt, issuer, subject, fields] = row;
  return {
    ...(JSON.parse(fields as string) as Fields),
    id: id as string,
    login: login as string,
    account: account as string,
    createdAt: createdAt as number,
    ...(disabledAt === null ? {} : { disabledAt: disabledAt as number }),
    ...(lastSignInAt === null ? {} : { lastSignInAt: lastSignInAt as number }),
    ...(issuer === null ? {} : { external: { issuer: issuer as string, subject: subject as string } }),
  };
}
