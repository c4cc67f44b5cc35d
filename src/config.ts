// Configuration: the only file that reads the environment. `readConfig` is pure: it takes variables and returns a typed
// object or all faults. It uses no schema library, because every command reads the configuration and zod would add 40 ms
// to the 75 ms of CPU time of a short command (docs/decisions/0001-runtime-and-tooling.md).

import { availableParallelism } from 'node:os';
import { ROLES, type Role } from './domain/scope.ts';
import type { TlpMarking } from './domain/vocabulary.ts';
import type { RateLimit } from './gateway/rate-limit.ts';
import type { QuotaLimits } from './pipeline/quota.ts';
import {
  ADMIN_PORT,
  BYTES,
  ConfigError,
  type Environment,
  GIBIBYTE,
  HOST,
  HTTP_URL,
  ISSUER,
  integer,
  NEVER_BLOCK,
  ORIGIN,
  oneOf,
  PATH,
  PATH_OR_HTTPS_URL,
  PORT,
  RESOLVER,
  SOURCE_RANGE,
  TEXT,
  TLP,
  Variables,
} from './variables.ts';

export interface JwtConfig {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  readonly accountClaim: string | undefined;
}

/** The identity provider at which people sign in to the web application. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Path of a file with the secret, instead of the secret. */
  readonly clientSecretFile: string | undefined;
  /** What the sign-in page calls it. */
  readonly name: string;
  /** Of a person who is not known yet. Undefined: only people who were invited come in. */
  readonly defaultRole: Role | undefined;
  /** Claim that names the roles of a person at each sign-in. */
  readonly rolesClaim: string | undefined;
  /** Further origins at which the provider answers. */
  readonly origins: readonly string[];
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
  /** Undefined: the template writes all summaries. */
  readonly summary: SummaryConfig | undefined;
}

/** A model behind an OpenAI-compatible interface. */
export interface SummaryConfig {
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  /** Path of a file with the key, instead of the key. */
  readonly keyFile: string | undefined;
  /** The most restrictive marking whose indicators are sent to the model. */
  readonly ceiling: TlpMarking;
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
  /** Undefined: people sign in with what the store has. */
  readonly oidc: OidcConfig | undefined;
  /** Days after which a signing key of the embedded OpenID provider has a successor. */
  readonly oidcKeyDays: number;
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
  /** Addresses, ranges and domains that must never be blocked, and paths of files with such entries. */
  readonly neverBlock: readonly string[];
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

/** The environment variables of this process. */
export function environment(): Environment {
  return process.env;
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
    oidc: readOidc(variables),
    oidcKeyDays: variables.one('TIS_OIDC_KEY_DAYS', integer(1, 3_650)) ?? 30,
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
    neverBlock: variables.list('TIS_NEVER_BLOCK', NEVER_BLOCK),
    minPrefixIpv4: variables.one('TIS_MIN_PREFIX_IPV4', integer(0, 32)) ?? 16,
    minPrefixIpv6: variables.one('TIS_MIN_PREFIX_IPV6', integer(0, 128)) ?? 32,
    quota: readQuota(variables),
    enrichment: {
      geoDatabases: variables.list('TIS_GEO_DB', PATH),
      asnDatabases: variables.list('TIS_ASN_DB', PATH),
      warningLists: variables.list('TIS_WARNINGLISTS', PATH),
      galaxies: variables.list('TIS_GALAXY', PATH),
      reverseDns: readReverseDns(variables),
      summary: readSummary(variables),
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

function readSummary(variables: Variables): SummaryConfig | undefined {
  const url = variables.one('TIS_SUMMARY_URL', HTTP_URL);
  const model = variables.one('TIS_SUMMARY_MODEL', TEXT);
  const key = variables.one('TIS_SUMMARY_KEY', TEXT);
  const keyFile = variables.one('TIS_SUMMARY_KEY_FILE', PATH);
  const ceiling = variables.one('TIS_SUMMARY_TLP', TLP) ?? 'GREEN';
  if (variables.isSet('TIS_SUMMARY_URL') !== variables.isSet('TIS_SUMMARY_MODEL'))
    variables.faults.push('TIS_SUMMARY_URL and TIS_SUMMARY_MODEL: set both or none');
  if (key !== undefined && keyFile !== undefined)
    variables.faults.push('TIS_SUMMARY_KEY and TIS_SUMMARY_KEY_FILE: set one of them');
  return url === undefined || model === undefined ? undefined : { url, model, key, keyFile, ceiling };
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

/** People sign in only where the issuer, and what it is told, cannot be read or changed on the way. */
function readOidc(variables: Variables): OidcConfig | undefined {
  const issuer = variables.one('TIS_OIDC_ISSUER', ISSUER);
  const clientId = variables.one('TIS_OIDC_CLIENT_ID', TEXT);
  if (variables.isSet('TIS_OIDC_ISSUER') !== variables.isSet('TIS_OIDC_CLIENT_ID'))
    variables.faults.push('TIS_OIDC_ISSUER and TIS_OIDC_CLIENT_ID: set both or none');
  const clientSecret = variables.one('TIS_OIDC_CLIENT_SECRET', TEXT);
  const clientSecretFile = variables.one('TIS_OIDC_CLIENT_SECRET_FILE', PATH);
  if (clientSecret !== undefined && clientSecretFile !== undefined)
    variables.faults.push('TIS_OIDC_CLIENT_SECRET and TIS_OIDC_CLIENT_SECRET_FILE: set one of them');
  const role = variables.one('TIS_OIDC_DEFAULT_ROLE', oneOf(...ROLES, 'none')) ?? 'reader';
  const rest = {
    clientSecret,
    clientSecretFile,
    name: variables.one('TIS_OIDC_NAME', TEXT) ?? (issuer === undefined ? '' : new URL(issuer).host),
    defaultRole: role === 'none' ? undefined : role,
    rolesClaim: variables.one('TIS_OIDC_ROLES_CLAIM', TEXT),
    origins: variables.list('TIS_OIDC_ORIGINS', ORIGIN),
  };
  return issuer === undefined || clientId === undefined ? undefined : { issuer, clientId, ...rest };
}
