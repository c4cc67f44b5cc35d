// The log: one JSON object a line on standard error, written by pino. The HTTP thread, the pipeline threads and the
// commands create their logs here, so all lines have the same form.
//
// A line holds only the members that its author named. Class instances, such as a request with its headers, are left
// out. Bindings must be plain values, because pino does not filter those of a child. Credentials are removed from the
// finished line. Characters that a terminal would obey are escaped.

import { type Level, type Logger, pino } from 'pino';
import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import { printableLines } from '../domain/printable.ts';

export type Log = Logger;

type Members = Readonly<Record<string, unknown>>;

export interface LogOptions {
  readonly level: Level | 'silent';
  readonly clock: Clock;
  /** Members of every line. */
  readonly bindings?: Members;
  /** Takes a line with its line break. By default the line goes to standard error. */
  readonly write?: (line: string) => void;
}

/** Length of the chain of causes that is logged for an error. */
const CAUSES = 3;

/**
 * API and sensor keys, JWTs, and the text after the name of an authentication scheme, in a finished JSON line. There a
 * credential may follow an escaped line break or tab, whose last character is a letter.
 */
const CREDENTIAL =
  /(?:(?<!\w)|(?<=\\[nrtbf]))(?:tiss?_[0-9A-Za-z]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|(?:Bearer|Basic|Token) [\w+/.~-]{8,})/gi;

/** Lines are held until the turn of the event loop ends, or until they have this many characters. */
const HELD_LIMIT = 65_536;

/**
 * Passes on the lines of one turn of the event loop together. This halves the CPU time of a line that goes to a pipe.
 */
export function linesByTurn(write: (text: string) => void): { write(line: string): void; flushSync(): void } {
  let held = '';
  const flush = () => {
    const text = held;
    held = '';
    if (text !== '') write(text);
  };
  return {
    write: (line) => {
      // The immediate keeps the process alive until the line is written.
      if (held === '') setImmediate(flush);
      held += line;
      if (held.length > HELD_LIMIT) flush();
    },
    // pino calls this after a fatal line.
    flushSync: flush,
  };
}

// All threads write through the stream of the main thread. A second writer on the same file descriptor could split a
// line, so pino's own destinations are not used.
const STANDARD_ERROR = linesByTurn((text) => void process.stderr.write(text));
process.once('exit', STANDARD_ERROR.flushSync);

export function createJsonLog({ level, clock, bindings = {}, write }: LogOptions): Log {
  const options = {
    level,
    base: bindings,
    timestamp: () => `,"time":${clock()}`,
    formatters: { log: loggedMembers },
    // `loggedMembers` has already rendered the error.
    serializers: { err: (error: unknown) => error },
    // No code logs a credential on purpose. The text of an error from a library may still hold one.
    hooks: { streamWrite: (line: string) => printableLines(line.replace(CREDENTIAL, '[redacted]')) },
  };
  return pino(options, write === undefined ? STANDARD_ERROR : { write });
}

function loggedMembers(members: object): Record<string, unknown> {
  if (!isPlain(members)) return {};
  const logged: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    if (value instanceof Error) logged[name] = errorMembers(value, CAUSES);
    else if (typeof value === 'bigint') logged[name] = String(value);
    else if (typeof value !== 'object' || Array.isArray(value) || value === null || isPlain(value))
      logged[name] = value;
  }
  return logged;
}

function isPlain(value: object): value is Members {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function errorMembers(error: Error, causes: number): Members {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const { cause } = error;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    // The result code of SQLite. Its messages do not contain it.
    ...(typeof errcode === 'number' ? { errcode } : {}),
    ...(error instanceof ServiceError ? operatorMembers(error) : {}),
    stack: error.stack,
    ...(cause === undefined || causes === 0
      ? {}
      : { cause: cause instanceof Error ? errorMembers(cause, causes - 1) : String(cause) }),
  };
}

function operatorMembers({ details: { reason, diagnosis } }: ServiceError): Members {
  return diagnosis === undefined ? { reason } : { reason, diagnosis };
}
