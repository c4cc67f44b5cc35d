// `tis users`: the people who may sign in, in the operator's own store.

import { Command } from 'commander';
import { ServiceError } from '../domain/errors.ts';
import { toRfc3339 } from '../domain/instant.ts';
import { parseTlp } from '../domain/tlp.ts';
import { changePerson, invitePerson, type Linked, resetPerson } from '../identity/people-commands.ts';
import { canonicalLogin } from '../identity/person-spec.ts';
import { newSecretToken } from '../identity/secret-token.ts';
import { openClock } from '../service/clock.ts';
import { withNewStores, withStores } from '../service/stores.ts';
import type { Person } from '../store/person.ts';
import type { Stores } from '../store/stores.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { CliError, printJson, printLine, printMessage, printTable } from './terminal.ts';
import { siteUrlOf, welcomeUrl } from './welcome.ts';

interface CreateOptions {
  readonly name?: string;
  readonly role?: string[];
  readonly tlpCeiling?: string;
  readonly account?: string;
  readonly json?: boolean;
}

export function usersCommand(): Command {
  return new Command('users')
    .description('invite, list, disable and reset the people who may sign in')
    .addCommand(create())
    .addCommand(list())
    .addCommand(disable())
    .addCommand(reset());
}

function create(): Command {
  return withStoreSettings(new Command('create'))
    .description('add a person and print an invitation link, with which the person chooses a password')
    .argument('<login>', 'what the person signs in with, such as an e-mail address')
    .option('--name <name>', 'name that others see (default: the login)')
    .option(
      '--role <role>',
      'reader, analyst, key-manager or administrator; may be repeated (default analyst)',
      append,
      undefined,
    )
    .option('--tlp-ceiling <marking>', 'highest marking that the person sees (default AMBER_STRICT)')
    .option('--account <account>', 'account of the person (default: the account named default)')
    .option('--json', 'print one JSON object with id and link')
    .action(async (login: string, options: CreateOptions, command: Command) => {
      const tlpCeiling = options.tlpCeiling === undefined ? undefined : parseTlp(options.tlpCeiling);
      if (options.tlpCeiling !== undefined && tlpCeiling === undefined) {
        throw new CliError(
          `--tlp-ceiling: ${JSON.stringify(options.tlpCeiling)} is not a TLP 2.0 marking (CLEAR, GREEN, AMBER, AMBER_STRICT, RED)`,
        );
      }
      const spec = {
        login,
        roles: options.role ?? ['analyst'],
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(options.account === undefined ? {} : { account: options.account }),
        ...(tlpCeiling === undefined ? {} : { tlpCeiling }),
      };
      const config = configOf(command);
      const { token, hash } = newSecretToken();
      const linked = await withNewStores(config, async (stores) =>
        invitePerson(stores, spec, 'cli', hash, await now(stores)),
      ).catch((error: unknown) => {
        throw namedByFlags(error);
      });
      show(linked, welcomeUrl(siteUrlOf(config), token), options.json === true);
    });
}

function list(): Command {
  return withStoreSettings(new Command('list'))
    .description('print the people')
    .option('--account <account>', 'only people of this account')
    .option('--json', 'print JSON')
    .action(async (options: { account?: string; json?: boolean }, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        const people = await stores.people.list(options.account);
        if (options.json === true) {
          printJson(people.map(toJson));
          return;
        }
        printTable([
          ['id', 'login', 'name', 'account', 'roles', 'ceiling', 'state', 'last sign-in'],
          ...people.map((person) => [
            person.id,
            person.login,
            person.name,
            person.account,
            person.roles.join(' '),
            person.tlpCeiling,
            person.disabledAt === undefined ? 'active' : `disabled ${toRfc3339(person.disabledAt)}`,
            person.lastSignInAt === undefined ? 'never' : toRfc3339(person.lastSignInAt),
          ]),
        ]);
      });
    });
}

function disable(): Command {
  return withStoreSettings(new Command('disable'))
    .description('end the sessions of a person within a second, and refuse new ones')
    .argument('<person>', 'login or id')
    .option('--undo', 'let the person sign in again')
    .option('--json', 'print the person as JSON')
    .action(async (who: string, options: { undo?: boolean; json?: boolean }, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        const { id } = await find(stores, who);
        const disabled = options.undo !== true;
        const person = await changePerson(stores, id, { disabled }, 'cli', await now(stores));
        if (options.json === true) printJson(toJson(person));
        else printLine(`${person.login} ${disabled ? 'is disabled' : 'may sign in again'}`);
      });
    });
}

function reset(): Command {
  return withStoreSettings(new Command('reset'))
    .description(
      'print a link with which a person sets a new password; it ends the old one with all passkeys',
    )
    .argument('<person>', 'login or id')
    .option('--json', 'print one JSON object with id and link')
    .action(async (who: string, options: { json?: boolean }, command: Command) => {
      const config = configOf(command);
      const { token, hash } = newSecretToken();
      const linked = await withStores(config, async (stores) => {
        const { id } = await find(stores, who);
        return resetPerson(stores, id, 'cli', hash, await now(stores));
      });
      show(linked, welcomeUrl(siteUrlOf(config), token), options.json === true);
    });
}

async function now(stores: Stores): Promise<number> {
  return (await openClock(stores)).expiry();
}

async function find({ people }: Stores, who: string): Promise<Person> {
  const person = (await people.byLogin(canonicalLogin(who))) ?? (await people.byId(who));
  if (person !== undefined) return person;
  throw new ServiceError('not_found', 'no such person', { reason: 'PERSON_NOT_FOUND' });
}

/** Names each fault by its flag, as the operator typed it. */
function namedByFlags(error: unknown): unknown {
  const violations = error instanceof ServiceError ? (error.details.violations ?? []) : [];
  if (violations.length === 0) return error;
  return new CliError(
    ...violations.map(({ field, description }) => {
      const flag = field.startsWith('roles') ? '--role' : `--${field}`;
      return `${field === 'login' ? 'login' : flag}: ${description}`;
    }),
  );
}

function append(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function show({ person, link }: Linked, url: string, json: boolean): void {
  const expiresAt = toRfc3339(link.expiresAt);
  if (json) {
    printJson({ ...toJson(person), link: url, linkExpiresAt: expiresAt });
    return;
  }
  printLine(url);
  printMessage(`${link.purpose} of ${person.login}; the link works once, until ${expiresAt}`);
}

function toJson(person: Person): Record<string, unknown> {
  const { createdAt, disabledAt, lastSignInAt, ...fields } = person;
  return {
    ...fields,
    createdAt: toRfc3339(createdAt),
    ...(disabledAt === undefined ? {} : { disabledAt: toRfc3339(disabledAt) }),
    ...(lastSignInAt === undefined ? {} : { lastSignInAt: toRfc3339(lastSignInAt) }),
  };
}
