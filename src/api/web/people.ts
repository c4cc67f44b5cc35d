// /app/data/people: administrators list, invite, change and reset the people of their account.

import { toRfc3339 } from '../../domain/instant.ts';
import { parseTlp } from '../../domain/tlp.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import { requirePerson, requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Linked, PeopleCommands } from '../../identity/people-commands.ts';
import { newSecretToken } from '../../identity/secret-token.ts';
import type { Person } from '../../store/person.ts';
import type { Stores } from '../../store/stores.ts';
import type { DataRoute } from './data-routes.ts';
import { Fields } from './fields.ts';
import { markingInContract } from './marking-in-contract.ts';

export interface PeopleDeps {
  readonly stores: Pick<Stores, 'people'>;
  readonly commands: PeopleCommands;
}

const ID_LENGTH = 64;

export function peopleRoutes({ stores, commands }: PeopleDeps): DataRoute[] {
  return [
    {
      method: 'GET',
      path: '/people',
      authorize: (caller) => requireScope(caller, 'admin'),
      answer: async (input, { account }) => {
        new Fields(input).end();
        return { people: (await stores.people.list(account)).map(shown) };
      },
    },
    {
      method: 'POST',
      path: '/people',
      authorize: requireAdministrator,
      answer: async (input, caller) => {
        const fields = new Fields(input);
        const spec = { login: fields.text('login'), roles: fields.texts('roles'), ...optionalOf(fields) };
        fields.end();
        const { token, hash } = newSecretToken();
        return linked(await commands.invitePerson(spec, caller, hash), token);
      },
    },
    {
      method: 'POST',
      path: '/people/change',
      authorize: requireAdministrator,
      answer: async (input, caller) => {
        const fields = new Fields(input);
        const id = fields.text('id', ID_LENGTH);
        const roles = fields.optional('roles', (name) => fields.texts(name));
        const disabled = fields.optional('disabled', (name) => fields.flag(name));
        const change = {
          ...optionalOf(fields),
          ...(roles === undefined ? {} : { roles }),
          ...(disabled === undefined ? {} : { disabled }),
        };
        fields.end();
        return { person: shown(await commands.changePerson(id, change, caller)) };
      },
    },
    {
      method: 'POST',
      path: '/people/reset',
      authorize: requireAdministrator,
      answer: async (input, caller) => {
        const fields = new Fields(input);
        const id = fields.text('id', ID_LENGTH);
        fields.end();
        const { token, hash } = newSecretToken();
        return linked(await commands.resetPerson(id, caller, hash), token);
      },
    },
  ];
}

function requireAdministrator(caller: Caller): void {
  requireScope(caller, 'admin');
  requirePerson(caller);
}

function optionalOf(fields: Fields): { name?: string; account?: string; tlpCeiling?: TlpMarking } {
  const name = fields.optional('name', (field) => fields.text(field));
  const account = fields.optional('account', (field) => fields.text(field));
  const marking = fields.optional('tlpCeiling', (field) => fields.text(field));
  const tlpCeiling = marking === undefined ? undefined : parseTlp(marking);
  if (marking !== undefined && tlpCeiling === undefined) fields.fault('tlpCeiling', 'must be a marking');
  return {
    ...(name === undefined ? {} : { name }),
    ...(account === undefined ? {} : { account }),
    ...(tlpCeiling === undefined ? {} : { tlpCeiling }),
  };
}

/** The token is shown once. The page makes the link of it, since it knows its own address. */
function linked({ person, link }: Linked, token: string): object {
  return {
    person: shown(person),
    link: { path: `/app/welcome#${token}`, purpose: link.purpose, expireTime: toRfc3339(link.expiresAt) },
  };
}

function shown(person: Person): object {
  const { id, login, name, account, roles, tlpCeiling, createdAt, createdBy, disabledAt, lastSignInAt } =
    person;
  return {
    id,
    login,
    name,
    account,
    roles,
    tlpCeiling: markingInContract(tlpCeiling),
    external: person.external !== undefined,
    createdBy,
    createTime: toRfc3339(createdAt),
    ...(disabledAt === undefined ? {} : { disableTime: toRfc3339(disabledAt) }),
    ...(lastSignInAt === undefined ? {} : { lastSignInTime: toRfc3339(lastSignInAt) }),
  };
}
