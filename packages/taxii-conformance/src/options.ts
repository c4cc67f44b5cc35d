// The options of the command line.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ConformanceOptions, Waiver } from './conformance.ts';
import { basic, bearer, type Credential, token } from './credential.ts';
import { isObject, isText } from './json-value.ts';

export const USAGE = `Usage: taxii-conformance --url URL [options]

Tries the rules of TAXII 2.1 on a server, from outside, and prints a line for each.

  --url URL                  of the server, its discovery or an API root
  --key KEY                  sent as Authorization: Bearer KEY
  --token KEY                sent as Authorization: Token KEY
  --basic USER:PASSWORD      sent as Authorization: Basic
  --header 'NAME: VALUE'     sent as it is; may be repeated
  --collection ID            the collection to read (default: the first that is not empty)
  --collection-writable ID   a collection to write to (default: nothing is written)
  --limit N                  how many objects to read at most (default 1000)
  --timeout SECONDS          for each answer (default 10)
  --waivers FILE             JSON list of {"rule": TITLE, "reason": TEXT}: rules that may be broken
  --json                     prints one JSON object
  --help

Exit code: 0 every MUST holds that could be tried, 1 one is broken, 2 it could not be tried at all.
A private certificate authority is named by the environment variable NODE_EXTRA_CA_CERTS.
`;

/** What the words on the command line mean, or what is wrong with them. */
export class UsageError extends Error {}

export interface CommandLine {
  readonly options: ConformanceOptions;
  readonly json: boolean;
}

/** @throws UsageError. */
export function readCommandLine(words: readonly string[]): CommandLine | 'help' {
  const { values } = parsed(words);
  if (values.help === true) return 'help';
  const waivers = values.waivers === undefined ? [] : readWaivers(values.waivers);
  return {
    json: values.json === true,
    options: {
      url: urlOf(values.url),
      credential: credentialOf(values),
      collection: values.collection,
      writable: values['collection-writable'],
      limit: numberOf('--limit', values.limit, 1_000),
      timeoutMs: numberOf('--timeout', values.timeout, 10) * 1_000,
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
        waivers: text,
        json: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function urlOf(text: string | undefined): URL {
  if (text === undefined) throw new UsageError('--url is missing');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url: an http or https URL is wanted, not ${JSON.stringify(text)}`);
  return url;
}

function credentialOf(values: {
  readonly key?: string | undefined;
  readonly token?: string | undefined;
  readonly basic?: string | undefined;
  readonly header?: readonly string[] | undefined;
}): Credential {
  const schemes = [
    values.key === undefined ? [] : bearer(values.key),
    values.token === undefined ? [] : token(values.token),
    values.basic === undefined ? [] : basic(values.basic),
  ].flat();
  if (schemes.length > 1) throw new UsageError('only one of --key, --token and --basic can be given');
  const headers = (values.header ?? []).map((line) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`--header: 'NAME: VALUE' is wanted, not ${JSON.stringify(line)}`);
    return [name.toLowerCase(), value];
  });
  return { ...schemes[0], ...Object.fromEntries(headers) };
}

function numberOf(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new UsageError(`${name}: a whole number from 1 to 999999 is wanted`);
  return number;
}

function readWaivers(path: string): readonly Waiver[] {
  const isWaiver = (value: unknown): value is Waiver =>
    isObject(value) && isText(value.rule) && isText(value.reason);
  try {
    const list: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(list) && list.every(isWaiver)) return list;
  } catch (error) {
    throw new UsageError(`--waivers: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError('--waivers: a JSON list of objects with rule and reason is wanted');
}
