// `tis keys`: API keys and sensor keys of the operator's own store.

import { Command } from 'commander';
import { ServiceError } from '../domain/errors.ts';
import { type Instant, toRfc3339 } from '../domain/instant.ts';
import { parseTlp } from '../domain/tlp.ts';
import { issueKey, revokeKey, rotateKey } from '../gateway/key-commands.ts';
import { parseDuration, parseExpiry } from '../gateway/key-spec.ts';
import { previewRevocation } from '../gateway/key-tree.ts';
import { openClock } from '../service/clock.ts';
import { systemClock, withNewStores, withStores, withUsage } from '../service/stores.ts';
import type { ApiKey } from '../store/api-key.ts';
import { configOf, withStoreSettings } from './settings.ts';
import {
  CliError,
  CommandFailure,
  confirm,
  printJson,
  printLine,
  printMessage,
  printTable,
} from './terminal.ts';

interface CreateOptions {
  readonly name: string;
  readonly scope?: string[];
  readonly sensor?: boolean;
  readonly tlpCeiling?: string;
  readonly reliability?: string;
  readonly expires?: string;
  readonly account?: string;
  readonly source?: string[];
  readonly range?: string[];
  readonly json?: boolean;
}

/** The flag of each field of a key. */
const FLAGS: Readonly<Record<string, string>> = {
  name: '--name',
  account: '--account',
  scopes: '--scope',
  reliability: '--reliability',
  expiresAt: '--expires',
  sources: '--source',
  sourceRanges: '--range',
};

export function keysCommand(): Command {
  return new Command('keys')
    .description('issue, list, rotate and revoke API keys and sensor keys')
    .addCommand(create())
    .addCommand(list())
    .addCommand(rotate())
    .addCommand(revoke());
}

function create(): Command {
  return withStoreSettings(new Command('create'))
    .description('issue a key and print it; it is never shown again')
    .requiredOption(
      '--name <name>',
      'purpose of the key; readers see it as the name of the source that reports with the key',
    )
    .option('--scope <scope>', 'may be repeated (default indicators:read)', append, undefined)
    .option('--sensor', 'make a sensor key: it can send events and read nothing')
    .option('--tlp-ceiling <marking>', 'highest marking that the key sees and submits (default AMBER_STRICT)')
    .option('--reliability <0..1>', 'highest reliability of its reports (default 0.7, sensor keys 0.9)')
    .option('--expires <when>', 'a duration (90d, 12h, 30m, 60s) or an RFC 3339 time')
    .option('--account <account>', 'account that owns the key (default: the account named default)')
    .option('--range <cidr>', 'address range that may use the key; may be repeated', append, undefined)
    .option(
      '--source <id>',
      'source for which its events may speak; may be repeated; * is every name (default: the key itself)',
      append,
      undefined,
    )
    .option('--json', 'print one JSON object with id and key')
    .action(async (options: CreateOptions, command: Command) => {
      const tlpCeiling = options.tlpCeiling === undefined ? undefined : parseTlp(options.tlpCeiling);
      if (options.tlpCeiling !== undefined && tlpCeiling === undefined) {
        throw new CliError(
          `--tlp-ceiling: ${JSON.stringify(options.tlpCeiling)} is not a TLP 2.0 marking (CLEAR, GREEN, AMBER, AMBER_STRICT, RED)`,
        );
      }
      const endOf = (now: Instant) =>
        options.expires === undefined ? undefined : parseExpiry(options.expires, now, '--expires');
      // A wrong value must not create a store.
      endOf(systemClock());
      const reliability = options.reliability === undefined ? undefined : numberOf(options.reliability);
      await withNewStores(configOf(command), async (stores) => {
        const now = (await openClock(stores)).expiry();
        const expiresAt = endOf(now);
        const { key, plaintext } = await issueKey(
          stores,
          {
            name: options.name,
            sensor: options.sensor === true,
            ...(options.scope === undefined ? {} : { scopes: options.scope }),
            ...(tlpCeiling === undefined ? {} : { tlpCeiling }),
            ...(reliability === undefined ? {} : { reliability }),
            ...(expiresAt === undefined ? {} : { expiresAt }),
            ...(options.account === undefined ? {} : { account: options.account }),
            ...(options.source === undefined ? {} : { sources: options.source }),
            ...(options.range === undefined ? {} : { sourceRanges: options.range }),
          },
          'cli',
          now,
        ).catch((error: unknown) => {
          throw namedByFlags(error);
        });
        show(key, plaintext, options.json === true);
      });
    });
}

/** Names each fault by its flag, as the operator typed it. */
function namedByFlags(error: unknown): unknown {
  const violations = error instanceof ServiceError ? (error.details.violations ?? []) : [];
  if (violations.length === 0) return error;
  const lines = violations.map(({ field, description }) => {
    const name = field.replace(/\[.*/, '');
    return `${FLAGS[name] ?? name}: ${description}`;
  });
  return new CliError(...lines);
}

function list(): Command {
  return withStoreSettings(new Command('list'))
    .description('print the keys, never their secrets')
    .option('--account <account>', 'only keys of this account')
    .option('--json', 'print JSON')
    .action(async (options: { account?: string; json?: boolean }, command: Command) => {
      const config = configOf(command);
      await withStores(config, async (stores) => {
        const keys = await stores.keys.list(options.account);
        const lastUses = await withUsage(config, (usage) => usage.lastUses(keys.map(({ id }) => id)));
        if (options.json === true) {
          printJson(
            keys.map((key) => {
              const at = lastUses.get(key.id);
              return at === undefined ? toJson(key) : { ...toJson(key), lastUsedAt: toRfc3339(at) };
            }),
          );
          return;
        }
        printTable([
          ['id', 'name', 'key', 'scopes', 'ceiling', 'state', 'last used', 'made by'],
          ...keys.map((key) => [
            key.id,
            key.name,
            `${key.prefix}…${key.lastFour}`,
            rightsOf(key),
            key.tlpCeiling,
            stateOf(key),
            lastUseText(lastUses.get(key.id)),
            key.createdBy,
          ]),
        ]);
      });
    });
}

function rotate(): Command {
  return withStoreSettings(new Command('rotate'))
    .description('issue a successor with the same rights; the old key ends after an overlap')
    .argument('<id>', 'id of the key')
    .option('--overlap <duration>', 'how long the old key still works', '24h')
    .option('--json', 'print one JSON object with id and key')
    .action(async (id: string, options: { overlap: string; json?: boolean }, command: Command) => {
      const overlap = parseDuration(options.overlap);
      if (overlap === undefined) {
        throw new CliError(
          `--overlap: ${JSON.stringify(options.overlap)} is not a duration (90d, 24h, 30m, 60s)`,
        );
      }
      await withStores(configOf(command), async (stores) => {
        const now = (await openClock(stores)).expiry();
        const { key, plaintext } = await rotateKey(stores, id, overlap, 'cli', now);
        show(key, plaintext, options.json === true);
      });
    });
}

interface RevokeOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

function revoke(): Command {
  return withStoreSettings(new Command('revoke'))
    .description('end a key and every key made with it now; a running service refuses them within a second')
    .argument('<id>', 'id of the key')
    .option('--dry-run', 'only list what would end')
    .option('--yes', 'do not ask; without a terminal the command never asks')
    .option('--json', 'print the key as JSON, with the ids of the other keys in alsoRevoked')
    .action(async (id: string, options: RevokeOptions, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        const now = (await openClock(stores)).expiry();
        const [key, ...others] = await previewRevocation(stores.keys, id, undefined, now);
        if (options.dryRun === true) {
          showEnding([key, ...others], options.json === true);
          return;
        }
        const asks = others.length > 0 && options.yes !== true && process.stdin.isTTY;
        if (others.length > 0 && (asks || options.json !== true)) {
          printMessage(`${othersText(others)} with ${id}:`);
          for (const other of others) printMessage(`  ${titleOf(other)}`);
        }
        if (asks && !(await confirm('Revoke them all?'))) throw new CommandFailure('nothing was revoked');
        const revoked = await revokeKey(stores, id, 'cli', now);
        if (options.json === true) {
          printJson({ ...toJson(revoked.key), alsoRevoked: revoked.others.map((other) => other.id) });
        } else {
          printLine(`${titleOf(revoked.key)} is revoked`);
        }
      });
    });
}

function showEnding([key, ...others]: readonly [ApiKey, ...ApiKey[]], json: boolean): void {
  if (json) printJson({ ...toJson(key), alsoRevoked: others.map(({ id }) => id) });
  else
    for (const one of [key, ...others])
      printLine(`${titleOf(one)} ${one.revokedAt === undefined ? 'would be' : 'is already'} revoked`);
}

function othersText(others: readonly ApiKey[]): string {
  return others.length === 1 ? 'one other key ends' : `${others.length} other keys end`;
}

function titleOf({ id, name }: ApiKey): string {
  return `${id} (${name})`;
}

/** `Number('')` is 0, and 0 is a valid reliability. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function append(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function show(key: ApiKey, plaintext: string, json: boolean): void {
  if (json) {
    printJson({ ...toJson(key), key: plaintext });
    return;
  }
  printLine(plaintext);
  printMessage(`key ${key.id} (${key.name}); it is not shown again`);
}

function toJson(key: ApiKey): Record<string, unknown> {
  const { createdAt, expiresAt, revokedAt, ...fields } = key;
  return {
    ...fields,
    createdAt: toRfc3339(createdAt),
    ...(expiresAt === undefined ? {} : { expiresAt: toRfc3339(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: toRfc3339(revokedAt) }),
  };
}

function rightsOf({ sensor, scopes, sources }: ApiKey): string {
  const rights = sensor ? '(sensor)' : scopes.join(' ');
  return sources.length === 0 ? rights : `${rights}, speaks for ${sources.join(', ')}`;
}

function stateOf(key: ApiKey): string {
  if (key.revokedAt !== undefined) return `revoked ${toRfc3339(key.revokedAt)}`;
  return key.expiresAt === undefined ? 'valid' : `until ${toRfc3339(key.expiresAt)}`;
}

function lastUseText(at: number | undefined): string {
  return at === undefined ? 'never' : toRfc3339(at);
}
