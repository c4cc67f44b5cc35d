// Configuration: the only file that reads the environment. `readConfig` is pure: it takes variables and returns a typed
// object or all faults. It uses no schema library, because every command reads the configuration and zod would add 40 ms
// to the 75 ms of CPU time of a short command (docs/decisions/0001-runtime-and-tooling.md).

import { availableParallelism } from 'node:os';
import { parseAddress } from './domain/observable/address.ts';
import { parseTlp } from './domain/tlp.ts';
import type { TlpMarking } from './domain/vocabulary.ts';
import type { RateLimit } from './gateway/rate-limit.ts';
import { canonicalSourceRange } from './gateway/source-ranges.ts';
import type { QuotaLimits } from './pipeline/quota.ts';

export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly accountClaim: string | undefined;
}

/** Data sources of the enrichers. All of them are optional. */
export interface EnrichmentConfig {
  /** Paths of mmdb files. */
  readonly geoDatabases: readonly string[];
  /** Paths of mmdb files. */
  readonly asnDatabases: readonly string[];
  /** Folders with lists in the MISP format. */
  readonly warningLists: readonly string[];
  /** Cluster files of MISP galaxies, or folders of such files. */
  readonly galaxies: readonly string[];
  /** Undefined: no reverse DNS. No servers: the resolvers of the machine. */
  readonly reverseDns: { readonly servers: readonly string[] } | undefined;
}

/** Paths of PEM files. The service speaks TLS with them. */
export interface TlsConfig {
  /** The certificate of the service, then those that lead to a root. */
  readonly certificate: string;
  readonly key: string;
}

/** A billing system that receives usage as CloudEvents. */
export interface UsageSinkConfig {
  readonly url: string;
  readonly token?: string;
  /** The CloudEvents source: it identifies this installation. */
  readonly source: string;
}

export interface TaxiiConfig {
  /** Path of the file that declares collections. Undefined: the collections of the last file stay. */
  readonly collections: string | undefined;
  /** Whether objects carry the markings of TLP 1 beside those of TLP 2. */
  readonly withTlp1: boolean;
  /** Days that superseded versions are kept when the feed is compacted. Undefined: for ever. */
  readonly keepDays: number | undefined;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config {
  readonly host: string;
  readonly port: number;
  /** On loopback. Undefined: no admin server. */
  readonly adminPort: number | undefined;
  /** Undefined: plain HTTP. The admin port is always plain. */
  readonly tls: TlsConfig | undefined;
  readonly dataDir: string;
  readonly publicUrl: string | undefined;
  /** Undefined: no JWT is accepted. */
  readonly jwt: JwtConfig | undefined;
  /** The limit of one credential. */
  readonly rateLimit: RateLimit;
  /** What one credential may send in a minute: events, and bytes of request bodies. */
  readonly volumeLimit: { readonly eventsPerMinute: number; readonly bytesPerMinute: number };
  /** Bytes that `tis serve` may take in all. */
  readonly memoryBudget: number;
  /** Open connections of one port. Trusted proxies have no limit by address. */
  readonly connections: { readonly total: number; readonly perAddress: number };
  /** CIDR ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins whose web pages may call the service. */
  readonly corsOrigins: readonly string[];
  readonly acceptPrivateAddresses: boolean;
  readonly defaultTlp: TlpMarking;
  /** Ranges with fewer fixed bits are refused. */
  readonly minPrefixIpv4: number;
  readonly minPrefixIpv6: number;
  /** What keys and persons may add to the store in a day. */
  readonly quota: QuotaLimits;
  readonly enrichment: EnrichmentConfig;
  readonly taxii: TaxiiConfig;
  /** Undefined: usage is not exported. */
  readonly usageSink: UsageSinkConfig | undefined;
  /** Path or https URL of the public keys of a secret scanner. Undefined: no report of leaked keys is accepted. */
  readonly secretScanningKeys: string | undefined;
  readonly logLevel: LogLevel;
  /** The service is unready while a due job waits longer than this. */
  readonly readyBacklogSeconds: number;
  /** Threads of `tis serve` that answer HTTP. */
  readonly httpThreads: number;
  /** Pipeline threads of `tis serve`; 0 leaves the queue to `tis work`. */
  readonly workers: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables of this process. */
export function environment(): Environment {
  return process.env;
}

/** All faults of a configuration, one a line. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** A kind of value that a variable can have. */
interface Kind<Value> {
  /** Completes `"x" is not …`. */
  readonly expected: string;
  /** Undefined if the text is not such a value. */
  readonly parse: (text: string) => Value | undefined;
}

const TEXT: Kind<string> = { expected: 'a text', parse: (text) => text };
const HOST: Kind<string> = {
  expected: 'a host name or an address',
  parse: (text) => (/[\s/@]/.test(text) ? undefined : text),
};
const SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i;
/** Files are not fetched. */
const PATH: Kind<string> = {
  expected: 'a path',
  parse: (text) => (SCHEME.test(text) ? undefined : text),
};
const PORT: Kind<number> = { ...integer(0, 65_535), expected: 'a port (0 to 65535)' };
const ADMIN_PORT: Kind<number | 'off'> = {
  expected: 'a port (0 to 65535) or `off`',
  parse: (text) => (text.toLowerCase() === 'off' ? 'off' : PORT.parse(text)),
};
const HTTP_URL: Kind<string> = {
  expected: 'an http or https URL',
  parse: (text) => (/^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined),
};
/** Anybody on the path of a plain http request could add a key. */
const PATH_OR_HTTPS_URL: Kind<string> = {
  expected: 'a path or an https URL',
  parse: (text) => {
    if (!SCHEME.test(text) && !/^https?:/i.test(text)) return text;
    return text.startsWith('https://') && URL.canParse(text) ? text : undefined;
  },
};
const TLP: Kind<TlpMarking> = {
  expected: 'a TLP 2.0 marking (CLEAR, GREEN, AMBER, AMBER_STRICT, RED)',
  parse: parseTlp,
};
const SOURCE_RANGE: Kind<string> = { expected: 'an address or a CIDR range', parse: canonicalSourceRange };
/** An origin as browsers write it. A wildcard is not allowed: the operator names every origin. */
const ORIGIN: Kind<string> = {
  expected: 'an origin such as https://soc.example.org',
  parse: (text) => {
    const url = URL.canParse(text) && !text.includes('*') ? new URL(text) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text ? text : undefined;
  },
};
/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353` */
const RESOLVER: Kind<string> = {
  expected: '`on`, `off` or the address of a resolver',
  parse: (text) => {
    const [, ipv6, ipv4, port = '53'] = /^(?:\[(.+)\]|([0-9.]+))(?::([0-9]{1,5}))?$/.exec(text) ?? [];
    const isValid =
      parseAddress(ipv6 ?? ipv4 ?? text) !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
    return isValid ? text : undefined;
  },
};

function integer(min: number, max: number): Kind<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

const GIBIBYTE = 1_024 ** 3;
const BYTE_UNITS: Readonly<Record<string, number>> = { '': 1, KiB: 1_024, MiB: 1_024 ** 2, GiB: GIBIBYTE };
const BYTES: Kind<number> = {
  expected: 'a number of bytes such as 512MiB or 2GiB',
  parse: (text) => {
    const [, digits, unit = ''] = /^(\d{1,15}) ?([KMG]iB)?$/.exec(text) ?? [];
    const bytes = Number(digits) * (BYTE_UNITS[unit] ?? Number.NaN);
    return bytes >= 1_024 && bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined;
  },
};

function oneOf<Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  return {
    expected: `one of ${choices.join(', ')}`,
    parse: (text) => choices.find((choice) => choice === text.toLowerCase()),
  };
}

/** A password in an address would reach errors, logs and the parties that are called. */
function namesUser(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && `${url.username}${url.password}` !== '';
}

/** A value with an `@` may be an address with a password, as far as it can be told. No message repeats it. */
function quoted(text: string): string {
  return text.includes('@') ? 'the value' : JSON.stringify(text);
}

/** Reads variables and collects their faults. */
class Variables {
  readonly faults: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Whether the variable has a text that is not blank. */
  isSet(name: string): boolean {
    return this.#text(name) !== '';
  }

  /** Undefined if the variable is not set or has a fault. */
  one<Value>(name: string, kind: Kind<Value>): Value | undefined {
    return this.isSet(name) ? this.#parse(name, kind, this.#text(name)) : undefined;
  }

  /** The items of a list that is separated by commas. Each bad item is a fault. */
  list<Value>(name: string, kind: Kind<Value>): Value[] {
    const items = this.#text(name)
      .split(',')
      .map((item) => item.trim());
    return items.flatMap((item) => (item === '' ? [] : (this.#parse(name, kind, item) ?? [])));
  }

  #text(name: string): string {
    return this.#environment[name]?.trim() ?? '';
  }

  #parse<Value>(name: string, { expected, parse }: Kind<Value>, text: string): Value | undefined {
    if (namesUser(text)) {
      this.faults.push(`${name}: an address must not contain a user or a password; remove them`);
      return undefined;
    }
    const value = parse(text);
    if (value === undefined) this.faults.push(`${name}: ${quoted(text)} is not ${expected}`);
    return value;
  }
}

/**
 * @param environment the variables. Command-line flags replace variables of the same name.
 * @throws ConfigError with every fault.
 */
export function readConfig(environment: Environment): Config {
  const variables = new Variables(environment);
  const port = variables.one('TIS_PORT', PORT) ?? 8080;
  // Port 0 takes a free port, as tests do. The admin port then does the same.
  const adminPort = variables.one('TIS_ADMIN_PORT', ADMIN_PORT) ?? (port === 0 ? 0 : 8081);
  const config: Config = {
    host: variables.one('TIS_HOST', HOST) ?? '127.0.0.1',
    port,
    adminPort: adminPort === 'off' ? undefined : adminPort,
    tls: readTls(variables),
    dataDir: variables.one('TIS_DATA_DIR', TEXT) ?? './data',
    publicUrl: readPublicUrl(variables),
    jwt: readJwt(variables),
    rateLimit: {
      perMinute: variables.one('TIS_RATE_LIMIT_PER_MINUTE', integer(1, 60_000_000)) ?? 6_000,
      burst: variables.one('TIS_RATE_LIMIT_BURST', integer(1, 10_000_000)) ?? 2_000,
    },
    volumeLimit: {
      eventsPerMinute: variables.one('TIS_RATE_LIMIT_EVENTS_PER_MINUTE', integer(1, 60_000_000)) ?? 1_200_000,
      bytesPerMinute: variables.one('TIS_RATE_LIMIT_BYTES_PER_MINUTE', BYTES) ?? 2 * GIBIBYTE,
    },
    memoryBudget: variables.one('TIS_MEMORY_BUDGET', BYTES) ?? GIBIBYTE,
    connections: {
      total: variables.one('TIS_MAX_CONNECTIONS', integer(1, 1_000_000)) ?? 2_048,
      perAddress: variables.one('TIS_MAX_CONNECTIONS_PER_ADDRESS', integer(1, 1_000_000)) ?? 512,
    },
    trustedProxies: variables.list('TIS_TRUSTED_PROXIES', SOURCE_RANGE),
    corsOrigins: variables.list('TIS_CORS_ORIGINS', ORIGIN),
    acceptPrivateAddresses: variables.one('TIS_PRIVATE_ADDRESSES', oneOf('refuse', 'accept')) === 'accept',
    defaultTlp: variables.one('TIS_DEFAULT_TLP', TLP) ?? 'GREEN',
    minPrefixIpv4: variables.one('TIS_MIN_PREFIX_IPV4', integer(0, 32)) ?? 16,
    minPrefixIpv6: variables.one('TIS_MIN_PREFIX_IPV6', integer(0, 128)) ?? 32,
    quota: readQuota(variables),
    enrichment: {
      geoDatabases: variables.list('TIS_GEO_DB', PATH),
      asnDatabases: variables.list('TIS_ASN_DB', PATH),
      warningLists: variables.list('TIS_WARNINGLISTS', PATH),
      galaxies: variables.list('TIS_GALAXY', PATH),
      reverseDns: readReverseDns(variables),
    },
    taxii: {
      collections: variables.one('TIS_COLLECTIONS', PATH),
      withTlp1: variables.one('TIS_TAXII_TLP1', oneOf('on', 'off')) === 'on',
      // A client that pages through the feed may still need a version for a day after it was superseded.
      keepDays: variables.one('TIS_FEED_KEEP_DAYS', integer(1, 36_500)),
    },
    usageSink: readUsageSink(variables),
    secretScanningKeys: variables.one('TIS_SECRET_SCANNING_KEYS', PATH_OR_HTTPS_URL),
    logLevel: variables.one('TIS_LOG_LEVEL', oneOf(...LOG_LEVELS)) ?? 'info',
    readyBacklogSeconds: variables.one('TIS_READY_BACKLOG_SECONDS', integer(1, 999_999_999)) ?? 300,
    // One core is left to the threads that write.
    httpThreads:
      variables.one('TIS_HTTP_THREADS', integer(1, 64)) ??
      Math.min(64, Math.max(1, availableParallelism() - 1)),
    workers: variables.one('TIS_WORKERS', integer(0, 64)) ?? 1,
  };
  const { faults } = variables;
  if (variables.isSet('TIS_DATABASE_URL'))
    faults.push(
      'TIS_DATABASE_URL: this version has the embedded store only; leave it empty and set TIS_DATA_DIR',
    );
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(config);
}

/** Default of the bounds for all: what this many reporters may add. */
const FULL_QUOTAS = 100;

function readQuota(variables: Variables): QuotaLimits {
  const amount = integer(0, 999_999_999_999_999);
  const values = variables.one('TIS_NEW_VALUES_PER_DAY', amount) ?? 50_000;
  const bytes = variables.one('TIS_NEW_BYTES_PER_DAY', amount) ?? 1_073_741_824;
  return {
    each: { values, bytes },
    all: {
      values: variables.one('TIS_NEW_VALUES_PER_DAY_ALL', amount) ?? values * FULL_QUOTAS,
      bytes: variables.one('TIS_NEW_BYTES_PER_DAY_ALL', amount) ?? bytes * FULL_QUOTAS,
    },
  };
}

function readTls(variables: Variables): TlsConfig | undefined {
  const certificate = variables.one('TIS_TLS_CERT', PATH);
  const key = variables.one('TIS_TLS_KEY', PATH);
  if (variables.isSet('TIS_TLS_CERT') !== variables.isSet('TIS_TLS_KEY'))
    variables.faults.push('TIS_TLS_CERT and TIS_TLS_KEY: set both or none');
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

function readReverseDns(variables: Variables): EnrichmentConfig['reverseDns'] {
  const text = variables.one('TIS_REVERSE_DNS', TEXT)?.toLowerCase();
  if (text === undefined || text === 'off') return undefined;
  return { servers: text === 'on' ? [] : variables.list('TIS_REVERSE_DNS', RESOLVER) };
}

/** The TAXII discovery shows it to everybody and appends the path of the API root (TAXII 2.1 §4.1.1). */
function readPublicUrl(variables: Variables): string | undefined {
  const value = variables.one('TIS_PUBLIC_URL', HTTP_URL);
  if (value === undefined) return undefined;
  const { search, hash, pathname } = new URL(value);
  // The message does not repeat the value, which may contain a secret.
  if (`${search}${hash}` !== '' || /[?#]/.test(value))
    variables.faults.push('TIS_PUBLIC_URL: it is public; remove the query and the fragment');
  if (/\/taxii2\/*$/.test(pathname))
    variables.faults.push('TIS_PUBLIC_URL: remove /taxii2/; the service adds it');
  return value;
}

function readUsageSink(variables: Variables): UsageSinkConfig | undefined {
  const url = variables.one('TIS_USAGE_SINK_URL', HTTP_URL);
  const token = variables.one('TIS_USAGE_SINK_TOKEN', TEXT);
  if (token !== undefined && !variables.isSet('TIS_USAGE_SINK_URL'))
    variables.faults.push('TIS_USAGE_SINK_TOKEN: needs TIS_USAGE_SINK_URL');
  if (url === undefined) return undefined;
  const source = variables.one('TIS_PUBLIC_URL', TEXT) ?? 'threat-indicator-service';
  return { url, source, ...(token === undefined ? {} : { token }) };
}

/** A token can be verified only with issuer, audience and key set. */
function readJwt(variables: Variables): JwtConfig | undefined {
  const issuer = variables.one('TIS_JWT_ISSUER', TEXT);
  const audience = variables.one('TIS_JWT_AUDIENCE', TEXT);
  const jwksUrl = variables.one('TIS_JWT_JWKS_URL', HTTP_URL);
  const set = ['TIS_JWT_ISSUER', 'TIS_JWT_AUDIENCE', 'TIS_JWT_JWKS_URL'].filter((name) =>
    variables.isSet(name),
  );
  if (set.length > 0 && set.length < 3)
    variables.faults.push('TIS_JWT_ISSUER, TIS_JWT_AUDIENCE and TIS_JWT_JWKS_URL: set all three or none');
  if (issuer === undefined || audience === undefined || jwksUrl === undefined) return undefined;
  return { issuer, audience, jwksUrl, accountClaim: variables.one('TIS_JWT_ACCOUNT_CLAIM', TEXT) };
}
