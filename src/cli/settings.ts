// Flags that replace environment variables: `--data-dir` replaces TIS_DATA_DIR.

import type { Command } from 'commander';
import { type Config, environment, readConfig } from '../config.ts';
import { ConfigError } from '../variables.ts';

interface Setting {
  readonly flag: string;
  readonly variable: string;
  readonly says: string;
}

const STORE_SETTINGS: readonly Setting[] = [
  {
    flag: '--data-dir <folder>',
    variable: 'TIS_DATA_DIR',
    says: 'folder of the embedded store (default ./data)',
  },
  {
    flag: '--log-level <level>',
    variable: 'TIS_LOG_LEVEL',
    says: 'fatal, error, warn, info, debug, trace or silent',
  },
];

const SERVER_SETTINGS: readonly Setting[] = [
  { flag: '--host <address>', variable: 'TIS_HOST', says: 'address to listen on (default 127.0.0.1)' },
  {
    flag: '--port <number>',
    variable: 'TIS_PORT',
    says: 'port to listen on (default 8080; 0 = any free one)',
  },
  {
    flag: '--admin-port <number>',
    variable: 'TIS_ADMIN_PORT',
    says: 'port for metrics, on loopback (default 8081; 0 = any free one; off = none)',
  },
  {
    flag: '--http-threads <number>',
    variable: 'TIS_HTTP_THREADS',
    says: 'threads that answer HTTP (default: one less than cores)',
  },
  { flag: '--workers <number>', variable: 'TIS_WORKERS', says: 'pipeline threads (default 1; 0 = none)' },
];

const FEED_SETTINGS: readonly Setting[] = [
  {
    flag: '--keep-days <days>',
    variable: 'TIS_FEED_KEEP_DAYS',
    says: 'days that superseded versions are kept (default TIS_FEED_KEEP_DAYS)',
  },
];

const SETTINGS = [...STORE_SETTINGS, ...SERVER_SETTINGS, ...FEED_SETTINGS];

/** Adds the flags of a command that opens the store. */
export function withStoreSettings(command: Command): Command {
  return add(command, STORE_SETTINGS);
}

/** Adds the flags of a command that listens. */
export function withServerSettings(command: Command): Command {
  return add(withStoreSettings(command), SERVER_SETTINGS);
}

/** Adds the flags of a command that shortens the feed. */
export function withFeedSettings(command: Command): Command {
  return add(withStoreSettings(command), FEED_SETTINGS);
}

function add(command: Command, settings: readonly Setting[]): Command {
  for (const { flag, says } of settings) command.option(flag, says);
  return command;
}

/**
 * Reads the configuration of a command. A flag wins over its environment variable.
 * @throws ConfigError that names the flag or the variable of each fault.
 */
export function configOf(command: Command, overrides: Readonly<Record<string, string>> = {}): Config {
  const flags: Record<string, string> = {};
  const names: Record<string, string> = {};
  const given: Record<string, unknown> = command.opts();
  for (const { flag, variable } of SETTINGS) {
    const name = flag.replace(/ <.*$/, '');
    const value = given[name.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value !== 'string') continue;
    flags[variable] = value;
    names[variable] = name;
  }
  try {
    return readConfig({ ...environment(), ...flags, ...overrides });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(
      error.faults.map((fault) => fault.replace(/^\w+(?=:)/, (variable) => names[variable] ?? variable)),
    );
  }
}
