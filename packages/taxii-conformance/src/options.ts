// The options of the command line.

import { readFileSync } from 'node:fs';
import { validateHeaderValue } from 'node:http';
import { parseArgs } from 'node:util';
import type { ConformanceOptions } from './conformance.ts';
import { basic, bearer, type Credential, token } from './credential.ts';
import { isObject, isText, isTextList } from './json-value.ts';
import type { Waiver } from './waiver.ts';

export const USAGE = `Usage: taxii-conformance --url URL [options]

Tries the rules of TAXII 2.1 on a server, from outside, and prints a line for each.

  --url URL                  of the server, its discovery or an API root
  --key KEY                  sent as Authorization: Bearer KEY (or TAXII_KEY)
  --token KEY                sent as Authorization: Token KEY (or TAXII_TOKEN)
  --basic USER:PASSWORD      sent as Authorization: Basic (or TAXII_BASIC)
  --header 'NAME: VALUE'     sent as it is; may be repeated
  --collection ID            the collection to read (default: the first that is not empty)
  --collection-writable ID   a collection to write to (default: nothing is written)
  --limit N                  how many objects to read at most (default 1000)
  --timeout SECONDS          for each answer (default 10)
  --wait SECONDS             in all, for a server that says "later": 429, or 503 with Retry-After (default 60); when it
                             wants more, the run ends with exit code 2
  --waivers FILE             JSON list of rules that may be broken: {"rule": TITLE, "reason": TEXT} and, to excuse less,
                             "collection": ID, "seen": [FAULT, ...]
  --json                     prints one JSON object
  --help

Exit code: 0 every MUST holds that could be tried, 1 one is broken, 2 it was not tried to its end.
The environment variables TAXII_KEY, TAXII_TOKEN and TAXII_BASIC keep a credential out of the list of processes; a flag
wins over all of them. A private certificate authority is named by NODE_EXTRA_CA_CERTS.
`;

/** The parsed command line. */
export class UsageError extends Error {}

export interface CommandLine {
  readonly options: ConformanceOptions;
  readonly json: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param environment may hold a credential, which then does not appear on the command line.
 * @throws UsageError.
 */
export function readCommandLine(
  words: readonly string[],
  environment: Environment = {},
): CommandLine | 'help' {
  const { values } = parsed(words);
  if (values.help === true) return 'help';
  const waivers = values.waivers === undefined ? [] : readWaivers(values.waivers);
  return {
    json: values.json === true,
    options: {
      url: urlOf(values.url),
      credential: sendable({ ...schemeOf(values, environment), ...headersOf(values.header) }),
      collection: values.collection,
      writable: values['collection-writable'],
      limit: numberOf('--limit', values.limit, 1_000),
      timeoutMs: numberOf('--timeout', values.timeout, 10) * 1_000,
      waitSeconds: numberOf('--wait', values.wait, 60, 0),
      waivers,
    },
  };
}

function parsed(words: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    return parseArgs({
      args: [...words],
      options: {
        url: text,
        key: text,
        token: text,
        basic: text,
        header: { ...text, multiple: true },
        collection: text,
        'collection-writable': text,
        limit: text,
        timeout: text,
        wait: text,
        waivers: text,
        json: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError(problemOf(error as Error & { readonly code?: string }));
  }
}

/** Node's own message would show the argument, which may be a credential without its option or with a leading dash. */
function problemOf({ code, message }: Error & { readonly code?: string }): string {
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return 'there is an argument that belongs to no option';
  return message.replace(
    / argument is ambiguous.*/s,
    ': a value that begins with a dash is written --OPTION=VALUE',
  );
}

function urlOf(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('--url is missing');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError('--url: an http or https URL is wanted');
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url: a user name and a password are given with --basic');
  return url;
}

interface Schemes {
  readonly key?: string | undefined;
  readonly token?: string | undefined;
  readonly basic?: string | undefined;
}

/** A credential on the command line wins over one in the environment. */
function schemeOf({ key, token, basic }: Schemes, environment: Environment): Credential {
  const given = credentialsOf({ key, token, basic });
  if (given.length > 1) throw new UsageError('only one of --key, --token and --basic can be given');
  const set = credentialsOf({
    key: environment.TAXII_KEY || undefined,
    token: environment.TAXII_TOKEN || undefined,
    basic: environment.TAXII_BASIC || undefined,
  });
  if (given.length === 0 && set.length > 1)
    throw new UsageError('only one of TAXII_KEY, TAXII_TOKEN and TAXII_BASIC can be set');
  return given[0] ?? set[0] ?? {};
}

function credentialsOf(schemes: Schemes): readonly Credential[] {
  return [
    schemes.key === undefined ? [] : bearer(schemes.key),
    schemes.token === undefined ? [] : token(schemes.token),
    schemes.basic === undefined ? [] : basic(schemes.basic),
  ].flat();
}

/** Text from a file may end with a line break. */
function sendable(credential: Credential): Credential {
  for (const [name, value] of Object.entries(credential)) {
    try {
      validateHeaderValue(name, value);
    } catch {
      throw new UsageError(`what is to be sent as ${name} has a character that no header can have`);
    }
  }
  return credential;
}

/** The faulty text is not shown: it may be a credential. */
function headersOf(lines: readonly string[] = []): Credential {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.+)$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError("--header: 'NAME: VALUE' is wanted");
      return [name.toLowerCase(), value];
    }),
  );
}

function numberOf(name: string, text: string | undefined, fallback: number, least = 1): number {
  if (text === undefined) return fallback;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (number < least) throw new UsageError(`${name}: a whole number from ${least} to 999999 is wanted`);
  return number;
}

function readWaivers(path: string): readonly Waiver[] {
  try {
    const list: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(list) && list.every(isWaiver)) return list;
  } catch (error) {
    throw new UsageError(`--waivers: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError(
    '--waivers: a JSON list of objects with rule and reason, and no members but collection and seen, is wanted',
  );
}

/** A misspelled member would waive more than was meant. */
function isWaiver(value: unknown): value is Waiver {
  if (!isObject(value)) return false;
  const { rule, reason, collection, seen, ...others } = value;
  return (
    isText(rule) &&
    isText(reason) &&
    (collection === undefined || isText(collection)) &&
    (seen === undefined || isTextList(seen)) &&
    Object.keys(others).length === 0
  );
}
