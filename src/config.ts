// Configuration: the only place that reads the environment. Pure: values in, a typed object or all faults out.

import { parseTlp } from './domain/tlp.ts';
import type { TlpMarking } from './domain/vocabulary.ts';

export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly accountClaim: string | undefined;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly publicUrl: string | undefined;
  /** Absent: no JWT is accepted. */
  readonly jwt: JwtConfig | undefined;
  readonly acceptPrivateAddresses: boolean;
  readonly defaultTlp: TlpMarking;
  readonly logLevel: LogLevel;
  /** Pipeline threads of `tis serve`; 0 leaves the queue to `tis work`. */
  readonly workers: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables this process was started with. */
export function environment(): Environment {
  return process.env;
}

/** All that is wrong with a configuration, a line each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * @param environment the variables, with flags of the same name laid over them.
 * @throws ConfigError with every fault at once.
 */
export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const text = (name: string) => {
    const value = environment[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  };
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    faults.push(`${name}: a whole number from ${min} to ${max} is wanted, not ${JSON.stringify(value)}`);
    return fallback;
  };
  const oneOf = <Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice) => {
    const value = text(name);
    if (value === undefined) return fallback;
    const choice = choices.find((candidate) => candidate === value.toLowerCase());
    if (choice === undefined)
      faults.push(`${name}: one of ${choices.join(', ')} is wanted, not ${JSON.stringify(value)}`);
    return choice ?? fallback;
  };
  const url = (name: string) => {
    const value = text(name);
    if (value !== undefined && !/^https?:/.test(URL.canParse(value) ? new URL(value).protocol : '')) {
      faults.push(`${name}: an http or https URL is wanted, not ${JSON.stringify(value)}`);
    }
    return value;
  };
  const tlp = (name: string, fallback: TlpMarking) => {
    const value = text(name);
    if (value === undefined) return fallback;
    const marking = parseTlp(value);
    if (marking === undefined)
      faults.push(`${name}: a TLP 2.0 marking is wanted, not ${JSON.stringify(value)}`);
    return marking ?? fallback;
  };

  if (text('TIS_DATABASE_URL') !== undefined) {
    faults.push(
      'TIS_DATABASE_URL: this version has the embedded store only; leave it empty and set TIS_DATA_DIR',
    );
  }
  const config: Config = {
    host: text('TIS_HOST') ?? '127.0.0.1',
    port: integer('TIS_PORT', 8080, 0, 65_535),
    dataDir: text('TIS_DATA_DIR') ?? './data',
    publicUrl: url('TIS_PUBLIC_URL'),
    jwt: readJwt(text, url, faults),
    acceptPrivateAddresses: oneOf('TIS_PRIVATE_ADDRESSES', ['refuse', 'accept'], 'refuse') === 'accept',
    defaultTlp: tlp('TIS_DEFAULT_TLP', 'GREEN'),
    logLevel: oneOf('TIS_LOG_LEVEL', LOG_LEVELS, 'info'),
    workers: integer('TIS_WORKERS', 1, 0, 64),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

/** Issuer, audience and key set come together: with one of them missing no token could be judged. */
function readJwt(
  text: (name: string) => string | undefined,
  url: (name: string) => string | undefined,
  faults: string[],
): JwtConfig | undefined {
  const issuer = text('TIS_JWT_ISSUER');
  const audience = text('TIS_JWT_AUDIENCE');
  const jwksUrl = url('TIS_JWT_JWKS_URL');
  if (issuer === undefined && audience === undefined && jwksUrl === undefined) return undefined;
  if (issuer === undefined || audience === undefined || jwksUrl === undefined) {
    faults.push('TIS_JWT_ISSUER, TIS_JWT_AUDIENCE and TIS_JWT_JWKS_URL: set all three or none');
    return undefined;
  }
  return { issuer, audience, jwksUrl, accountClaim: text('TIS_JWT_ACCOUNT_CLAIM') };
}
