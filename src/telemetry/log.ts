// The log: one JSON object a line, in the form of pino (numeric levels, `time`, `msg`, `err`), which collectors and
// pino's own tools read. One class for the HTTP thread, pipeline threads and commands, so that all lines look alike.
//
// A line holds what its writer named and nothing else: objects that are not plain, such as a request with its headers,
// are left out, and credentials are cut from the text (redact.ts).

import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import { redact } from './redact.ts';

const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity } as const;
export type LogLevel = keyof typeof LEVELS;

/** Causes that are told of an error, each the cause of the one before. */
const CAUSES = 3;

type Members = Readonly<Record<string, unknown>>;

export interface LogOptions {
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Takes whole lines, with their line break; what is an error or worse is urgent. */
  readonly write: (line: string, urgent: boolean) => void;
  /** Members of every line. */
  readonly bindings?: Members;
}

export class Log {
  readonly level: LogLevel;
  readonly #options: LogOptions;
  readonly #parent: Log | undefined;
  readonly #bindings: Members;
  #prefix: string | undefined;

  constructor(options: LogOptions, parent?: Log) {
    this.level = options.level;
    this.#options = options;
    this.#parent = parent;
    this.#bindings = options.bindings ?? {};
  }

  /** @param first a message, an Error, or the members of the line; then the message comes second. */
  fatal(first: unknown, message?: unknown): void {
    this.#log('fatal', first, message);
  }

  error(first: unknown, message?: unknown): void {
    this.#log('error', first, message);
  }

  warn(first: unknown, message?: unknown): void {
    this.#log('warn', first, message);
  }

  info(first: unknown, message?: unknown): void {
    this.#log('info', first, message);
  }

  debug(first: unknown, message?: unknown): void {
    this.#log('debug', first, message);
  }

  trace(first: unknown, message?: unknown): void {
    this.#log('trace', first, message);
  }

  /** A level that says nothing: for those who name a level to switch lines off. */
  silent(): void {}

  isEnabled(level: LogLevel): boolean {
    return LEVELS[level] >= LEVELS[this.level];
  }

  /** A log with more members in every line. Cheap, since the server makes one for each request. */
  child(bindings: Members, options: { readonly level?: string } = {}): Log {
    const level = isLevel(options.level) ? options.level : this.level;
    return new Log({ ...this.#options, level, bindings }, this);
  }

  #log(level: LogLevel, first: unknown, second: unknown): void {
    if (!this.isEnabled(level)) return;
    const { clock, write } = this.#options;
    const { members, message } = partsOf(first, second);
    const text = message === undefined ? '' : `,"msg":${JSON.stringify(message)}`;
    const line = `{"level":${LEVELS[level]},"time":${clock()}${this.#bound()}${render(members)}${text}}\n`;
    write(redact(line), LEVELS[level] >= LEVELS.error);
  }

  #bound(): string {
    this.#prefix ??= `${this.#parent === undefined ? '' : this.#parent.#bound()}${render(this.#bindings)}`;
    return this.#prefix;
  }
}

function isLevel(level: string | undefined): level is LogLevel {
  return level !== undefined && Object.hasOwn(LEVELS, level);
}

function partsOf(first: unknown, second: unknown): { members: Members; message: string | undefined } {
  const message = typeof second === 'string' ? second : undefined;
  if (typeof first === 'string') return { members: {}, message: first };
  if (first instanceof Error) return { members: { err: first }, message: message ?? first.message };
  return { members: isPlain(first) ? first : {}, message };
}

/** Each member with a comma in front. */
function render(members: Members): string {
  let text = '';
  for (const name in members) {
    const value = members[name];
    const json = value instanceof Error ? errorText(value, CAUSES) : valueText(value);
    if (json !== undefined) text += `,${JSON.stringify(name)}:${json}`;
  }
  return text;
}

/** Undefined for what is not said: functions, and objects that somebody's class made. */
function valueText(value: unknown): string | undefined {
  if (typeof value === 'bigint') return `"${value}"`;
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlain(value))
    return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function errorText(error: Error, causes: number): string {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const known: Record<string, unknown> = {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    // The number of SQLite, which its texts do not tell.
    ...(typeof errcode === 'number' ? { errcode } : {}),
    ...(error instanceof ServiceError ? { reason: error.details.reason } : {}),
    stack: error.stack,
  };
  const text = render(known).slice(1);
  const { cause } = error;
  if (cause === undefined || causes === 0) return `{${text}}`;
  const told = cause instanceof Error ? errorText(cause, causes - 1) : JSON.stringify(String(cause));
  return `{${text},"cause":${told}}`;
}
