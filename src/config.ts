// Configuration: the only place that reads the environment. Pure: values in, a typed object or all faults out.

import { parseAddress } from './domain/observable/address.ts';
import { parseTlp } from './domain/tlp.ts';
import type { TlpMarking } from './domain/vocabulary.ts';
import type { RateLimit } from './gateway/rate-limit.ts';
import { canonicalSourceRange } from './gateway/source-ranges.ts';

export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly accountClaim: string | undefined;
}

/** What enrichment reads besides the evidence. Nothing here is needed. */
export interface EnrichmentConfig {
  /** Paths of mmdb files. */
  readonly geoDatabases: readonly string[];
  /** Paths of mmdb files. */
  readonly asnDatabases: readonly string[];
  /** Folders with lists in the MISP format. */
  readonly warningLists: readonly string[];
  /** Files of clusters of malware in the format of MISP galaxies, or folders of such. */
  readonly galaxies: readonly string[];
  /** Absent: no name is asked for. Its resolvers, empty for those of the machine. */
  readonly reverseDns: { readonly servers: readonly string[] } | undefined;
}

/** A billing system that is told of use, as CloudEvents. */
export interface UsageSinkConfig {
  readonly url: string;
  readonly token?: string;
  /** Names this installation. */
  readonly source: string;
}

export interface TaxiiConfig {
  /** Path of the file that declares collections. Absent: those of the last file stay. */
  readonly collections: string | undefined;
  /** Whether markings of TLP 1 are named beside those of TLP 2. */
  readonly withTlp1: boolean;
  /** How long superseded versions stay when the feed is compacted, in days. Absent: for ever. */
  readonly keepDays: number | undefined;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  readonly host: string;
  readonly port: number;
  /** On loopback; undefined: there is none. */
  readonly adminPort: number | undefined;
  readonly dataDir: string;
  readonly publicUrl: string | undefined;
  /** Absent: no JWT is accepted. */
  readonly jwt: JwtConfig | undefined;
  /** Of one credential. */
  readonly rateLimit: RateLimit;
  /** CIDR ranges of the proxies whose word on the address of a client counts. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the service; none means that no browser page may. */
  readonly corsOrigins: readonly string[];
  readonly acceptPrivateAddresses: boolean;
  readonly defaultTlp: TlpMarking;
  readonly enrichment: EnrichmentConfig;
  readonly taxii: TaxiiConfig;
  /** Absent: nobody is told of use. */
  readonly usageSink: UsageSinkConfig | undefined;
  /** Path or https URL of the public keys of a secret scanner. Absent: no report of leaked keys is taken. */
  readonly secretScanningKeys: string | undefined;
  readonly logLevel: LogLevel;
  /** A due job that waits longer than this makes the service unready. */
  readonly readyBacklogSeconds: number;
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
  const list = (name: string, wanted: string, read: (item: string) => string | undefined) =>
    (text(name) ?? '').split(',').flatMap((item) => {
      if (item.trim() === '') return [];
      const value = read(item.trim());
      if (value === undefined)
        faults.push(`${name}: ${wanted} is wanted, not ${JSON.stringify(item.trim())}`);
      return value ?? [];
    });
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
  const port = integer('TIS_PORT', 8080, 0, 65_535);
  const config: Config = {
    host: text('TIS_HOST') ?? '127.0.0.1',
    port,
    adminPort:
      text('TIS_ADMIN_PORT')?.toLowerCase() === 'off'
        ? undefined
        : // Whoever leaves the port to chance, such as a test, means this one too.
          integer('TIS_ADMIN_PORT', port === 0 ? 0 : 8081, 0, 65_535),
    dataDir: text('TIS_DATA_DIR') ?? './data',
    publicUrl: readPublicUrl(url('TIS_PUBLIC_URL'), faults),
    jwt: readJwt(text, url, faults),
    rateLimit: {
      perMinute: integer('TIS_RATE_LIMIT_PER_MINUTE', 6_000, 1, 60_000_000),
      burst: integer('TIS_RATE_LIMIT_BURST', 2_000, 1, 10_000_000),
    },
    trustedProxies: list('TIS_TRUSTED_PROXIES', 'an address or a CIDR range', canonicalSourceRange),
    corsOrigins: list('TIS_CORS_ORIGINS', 'an origin such as https://soc.example.org', readOrigin),
    acceptPrivateAddresses: oneOf('TIS_PRIVATE_ADDRESSES', ['refuse', 'accept'], 'refuse') === 'accept',
    defaultTlp: tlp('TIS_DEFAULT_TLP', 'GREEN'),
    enrichment: {
      geoDatabases: list('TIS_GEO_DB', 'the path of an mmdb file', (path) => path),
      asnDatabases: list('TIS_ASN_DB', 'the path of an mmdb file', (path) => path),
      warningLists: list('TIS_WARNINGLISTS', 'the path of a folder', (path) => path),
      galaxies: list('TIS_GALAXY', 'the path of a file or folder', (path) => path),
      reverseDns: readReverseDns(text('TIS_REVERSE_DNS'), list),
    },
    taxii: {
      collections: text('TIS_COLLECTIONS'),
      withTlp1: oneOf('TIS_TAXII_TLP1', ['on', 'off'], 'off') === 'on',
      // A walk that began before a version was superseded may still want it: walks are over within a day.
      keepDays:
        text('TIS_FEED_KEEP_DAYS') === undefined ? undefined : integer('TIS_FEED_KEEP_DAYS', 1, 1, 36_500),
    },
    usageSink: readUsageSink(text, url, faults),
    secretScanningKeys: readScanningKeys(text('TIS_SECRET_SCANNING_KEYS'), faults),
    logLevel: oneOf('TIS_LOG_LEVEL', LOG_LEVELS, 'info'),
    readyBacklogSeconds: integer('TIS_READY_BACKLOG_SECONDS', 300, 1, 999_999_999),
    workers: integer('TIS_WORKERS', 1, 0, 64),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

function readReverseDns(
  value: string | undefined,
  list: (name: string, wanted: string, read: (item: string) => string | undefined) => string[],
): EnrichmentConfig['reverseDns'] {
  if (value === undefined || /^off$/i.test(value)) return undefined;
  if (/^on$/i.test(value)) return { servers: [] };
  return { servers: list('TIS_REVERSE_DNS', '`on`, `off` or the address of a resolver', readResolver) };
}

/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
function readResolver(text: string): string | undefined {
  const [, ipv6, ipv4, port = '53'] = /^(?:\[(.+)\]|([0-9.]+))(?::([0-9]{1,5}))?$/.exec(text) ?? [];
  const known =
    parseAddress(ipv6 ?? ipv4 ?? text) !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
  return known ? text : undefined;
}

/** An origin as browsers write it. There is no sign for "all": whoever may call is named. */
function readOrigin(text: string): string | undefined {
  const url = URL.canParse(text) && !text.includes('*') ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text ? text : undefined;
}

/** It is shown to everybody in the TAXII discovery, with the path of the API root behind it (TAXII 2.1 §4.1.1). */
function readPublicUrl(value: string | undefined, faults: string[]): string | undefined {
  if (value === undefined || !URL.canParse(value)) return value;
  const { username, password, search, hash, pathname } = new URL(value);
  if (`${username}${password}${search}${hash}` !== '' || /[?#]/.test(value))
    faults.push('TIS_PUBLIC_URL: it is public, so no user, password, query or fragment may be in it');
  if (/\/taxii2\/*$/.test(pathname))
    faults.push('TIS_PUBLIC_URL: the address of the service is wanted, without the /taxii2/ below it');
  return value;
}

function readUsageSink(
  text: (name: string) => string | undefined,
  url: (name: string) => string | undefined,
  faults: string[],
): UsageSinkConfig | undefined {
  const sink = url('TIS_USAGE_SINK_URL');
  const token = text('TIS_USAGE_SINK_TOKEN');
  if (sink === undefined) {
    if (token !== undefined) faults.push('TIS_USAGE_SINK_TOKEN: needs TIS_USAGE_SINK_URL');
    return undefined;
  }
  const source = text('TIS_PUBLIC_URL') ?? 'threat-indicator-service';
  return { url: sink, source, ...(token === undefined ? {} : { token }) };
}

/** Over plain http anybody on the way could put in a key of their own. */
function readScanningKeys(value: string | undefined, faults: string[]): string | undefined {
  if (value?.startsWith('http:')) faults.push('TIS_SECRET_SCANNING_KEYS: a path or an https URL is wanted');
  return value;
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
