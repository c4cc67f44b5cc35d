// `tis clients`: dashboards and services that get tokens from the embedded OpenID provider.

import { Command } from 'commander';
import { ServiceError } from '../domain/errors.ts';
import { toRfc3339 } from '../domain/instant.ts';
import { parseTlp } from '../domain/tlp.ts';
import { createClient, revokeClient } from '../identity/provider/client-commands.ts';
import { openClock } from '../service/clock.ts';
import { withNewStores, withStores } from '../service/stores.ts';
import type { OpenidClient } from '../store/openid-client.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { CliError, printJson, printLine, printMessage, printTable } from './terminal.ts';

interface CreateOptions {
  readonly name: string;
  readonly confidential?: boolean;
  readonly redirectUri?: string[];
  readonly postLogoutRedirectUri?: string[];
  readonly scope?: string[];
  readonly tlpCeiling?: string;
  readonly reliability?: string;
  readonly account?: string;
  readonly owner?: string;
  readonly json?: boolean;
}

/** The flag of each field of a client. */
const FLAGS: Readonly<Record<string, string>> = {
  name: '--name',
  redirectUris: '--redirect-uri',
  postLogoutRedirectUris: '--post-logout-redirect-uri',
  scopes: '--scope',
  reliability: '--reliability',
  account: '--account',
  owner: '--owner',
};

export function clientsCommand(): Command {
  return new Command('clients')
    .description('register, list and revoke clients of the embedded OpenID provider')
    .addCommand(create())
    .addCommand(list())
    .addCommand(revoke());
}

function create(): Command {
  return withStoreSettings(new Command('create'))
    .description('register a client and print its id; the secret of a confidential one is never shown again')
    .requiredOption('--name <name>', 'what people are asked to give a token to')
    .option('--confidential', 'give it a secret; it can then also get tokens for itself')
    .option(
      '--redirect-uri <uri>',
      'where people return to, compared exactly; may be repeated',
      append,
      undefined,
    )
    .option(
      '--post-logout-redirect-uri <uri>',
      'the same after signing out; may be repeated',
      append,
      undefined,
    )
    .option(
      '--scope <scope>',
      'the most its tokens carry; may be repeated (default indicators:read)',
      append,
      undefined,
    )
    .option('--tlp-ceiling <marking>', 'highest marking that its tokens see (default AMBER_STRICT)')
    .option('--reliability <0..1>', 'highest reliability of reports with its tokens (default 0.7)')
    .option(
      '--account <account>',
      'account that owns it (default: that of the owner, or the one named default)',
    )
    .option('--owner <login>', 'person who answers for it; without a person it may do no more than the owner')
    .option('--json', 'print one JSON object with id and secret')
    .action(async (options: CreateOptions, command: Command) => {
      const { tlpCeiling: marking, reliability, ...given } = options;
      const tlpCeiling = marking === undefined ? undefined : parseTlp(marking);
      if (marking !== undefined && tlpCeiling === undefined)
        throw new CliError(
          `--tlp-ceiling: ${JSON.stringify(marking)} is not a TLP 2.0 marking (CLEAR, GREEN, AMBER, AMBER_STRICT, RED)`,
        );
      await withNewStores(configOf(command), async (stores) => {
        const now = (await openClock(stores)).service();
        const { client, secret } = await createClient(
          stores,
          {
            name: given.name,
            confidential: given.confidential === true,
            ...(given.redirectUri === undefined ? {} : { redirectUris: given.redirectUri }),
            ...(given.postLogoutRedirectUri === undefined
              ? {}
              : { postLogoutRedirectUris: given.postLogoutRedirectUri }),
            ...(given.scope === undefined ? {} : { scopes: given.scope }),
            ...(tlpCeiling === undefined ? {} : { tlpCeiling }),
            // `Number('')` is 0, and 0 is a valid reliability.
            ...(reliability === undefined
              ? {}
              : { reliability: reliability.trim() === '' ? Number.NaN : Number(reliability) }),
            ...(given.account === undefined ? {} : { account: given.account }),
            ...(given.owner === undefined ? {} : { owner: given.owner }),
          },
          now,
        ).catch((error: unknown) => {
          throw namedByFlags(error);
        });
        if (options.json === true) {
          printJson({ ...toJson(client), ...(secret === undefined ? {} : { secret }) });
          return;
        }
        printLine(`client id: ${client.id}`);
        if (secret !== undefined) printLine(`secret:    ${secret}`);
        if (secret !== undefined) printMessage('the secret is not shown again');
      });
    });
}

function list(): Command {
  return withStoreSettings(new Command('list'))
    .description('print the clients, never their secrets')
    .option('--account <account>', 'only clients of this account')
    .option('--json', 'print JSON')
    .action(async (options: { account?: string; json?: boolean }, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        const clients = await stores.openidClients.list(options.account);
        if (options.json === true) {
          printJson(clients.map(toJson));
          return;
        }
        printTable([
          ['id', 'name', 'kind', 'scopes', 'ceiling', 'state', 'returns to'],
          ...clients.map((client) => [
            client.id,
            client.name,
            client.confidential ? 'confidential' : 'public',
            client.scopes.join(' '),
            client.tlpCeiling,
            client.revokedAt === undefined ? 'valid' : `revoked ${toRfc3339(client.revokedAt)}`,
            client.redirectUris.join(' '),
          ]),
        ]);
      });
    });
}

function revoke(): Command {
  return withStoreSettings(new Command('revoke'))
    .description('end a client; a running service refuses its tokens within a second')
    .argument('<id>', 'id of the client')
    .option('--json', 'print the client as JSON')
    .action(async (id: string, options: { json?: boolean }, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        const client = await revokeClient(stores, id, (await openClock(stores)).service());
        if (options.json === true) printJson(toJson(client));
        else printLine(`${client.id} (${client.name}) is revoked`);
      });
    });
}

/** Names each fault by its flag, as the operator typed it. */
function namedByFlags(error: unknown): unknown {
  const violations = error instanceof ServiceError ? (error.details.violations ?? []) : [];
  if (violations.length === 0) return error;
  return new CliError(
    ...violations.map(({ field, description }) => {
      const name = field.replace(/\[.*/, '');
      return `${FLAGS[name] ?? name}: ${description}`;
    }),
  );
}

function append(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function toJson({ createdAt, revokedAt, ...fields }: OpenidClient): Record<string, unknown> {
  return {
    ...fields,
    createdAt: toRfc3339(createdAt),
    ...(revokedAt === undefined ? {} : { revokedAt: toRfc3339(revokedAt) }),
  };
}
