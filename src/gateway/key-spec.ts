// The rights that are asked for a new API key, and those that its issuer may grant. Nobody can grant more than they have.

import { DEFAULT_ACCOUNT, isAccount } from '../domain/account.ts';
import { type FieldViolation, invalidArgument, ServiceError } from '../domain/errors.ts';
import { DAY, HOUR, type Instant, MINUTE, SECOND, toRfc3339 } from '../domain/instant.ts';
import { includesScope, SCOPES, type Scope } from '../domain/scope.ts';
import { parseTimestamp, type TimestampForm, toInstant } from '../domain/timestamp.ts';
import { isVisible } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { ApiKey } from '../store/api-key.ts';
import { DEFAULT_CEILING, DEFAULT_RELIABILITY, DEFAULT_SCOPES, SENSOR_RELIABILITY } from './caller.ts';
import type { Grantor, Rights } from './key-grantor.ts';
import { canonicalSourceRange, isWithin } from './source-ranges.ts';

export interface KeySpec {
  readonly name: string;
  /** Default: the issuer's. */
  readonly account?: string;
  /** A sensor key opens ingest only; it has no scopes. */
  readonly sensor?: boolean;
  /** Default `indicators:read`. */
  readonly scopes?: readonly string[];
  /** Default AMBER_STRICT, or the issuer's when that is lower. */
  readonly tlpCeiling?: TlpMarking;
  /** 0 to 1. Default 0.9 for a sensor key and 0.7 for others, or the issuer's when that is lower. */
  readonly reliability?: number;
  /** Default: the end of the issuing key, 90 days for a person, never for the operator. */
  readonly expiresAt?: Instant;
  /** Ids of the sources for which its reports may speak; `*` is every name. Default: none but the key. */
  readonly sources?: readonly string[];
  /** CIDR ranges or single addresses. Default: those of the issuer, or anywhere. */
  readonly sourceRanges?: readonly string[];
}

/** The rights of a key, in canonical form. */
export type KeyRights = Pick<ApiKey, 'name'> & Rights;

const MAX_NAME_LENGTH = 100;
const MAX_SOURCE_RANGES = 100;
/** Fewer than the sources of one credential that an indicator keeps (CREDENTIAL_SOURCE_LIMIT). */
const MAX_SOURCES = 50;
/** The scopes with which a client key names sources. */
const REPORTING: readonly string[] = ['events:write', 'admin'] satisfies Scope[];
/** The limit of `EventSource.id` in the contract. */
const MAX_SOURCE_LENGTH = 128;

/**
 * The rights that a new key gets.
 * @param grantor undefined for the operator.
 * @throws ServiceError `invalid_argument` that names every fault, `permission_denied` for rights the grantor lacks.
 */
export function grantRights(spec: KeySpec, grantor: Grantor | undefined, now: Instant): KeyRights {
  requireSound(spec, now);
  const own = grantor?.rights;
  const sensor = spec.sensor ?? false;
  const scopes = sensor ? [] : (spec.scopes ?? DEFAULT_SCOPES);
  const ranges = (spec.sourceRanges ?? []).flatMap((text) => canonicalSourceRange(text) ?? []);
  const expiresAt = spec.expiresAt ?? grantor?.usualEnd;
  const rights: KeyRights = {
    name: spec.name,
    account: spec.account ?? own?.account ?? DEFAULT_ACCOUNT,
    sensor,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    tlpCeiling: spec.tlpCeiling ?? defaultCeiling(own),
    reliability: spec.reliability ?? usualReliability(sensor, own?.reliability),
    sources: [...new Set(spec.sources)].sort(),
    sourceRanges: ranges.length > 0 ? [...new Set(ranges)] : (own?.sourceRanges ?? []),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  if (grantor !== undefined) requireWithin(rights, { ...grantor.rights, expiresAt: grantor.latestEnd });
  return rights;
}

function usualReliability(sensor: boolean, own = 1): number {
  return Math.min(sensor ? SENSOR_RELIABILITY : DEFAULT_RELIABILITY, own);
}

/** @throws ServiceError `invalid_argument` that names every fault of the wish, whoever wishes. */
export function requireSound(spec: KeySpec, now: Instant): void {
  const violations = faultsOf(spec, now);
  if (violations.length > 0) throw invalidArgument(violations);
}

/**
 * The one place that compares rights: nobody makes, rotates or revokes a key with more rights than their own.
 * @throws ServiceError `permission_denied` for rights beyond `own`.
 */
export function requireWithin(rights: Rights, own: LimitedRights): void {
  // A sensor key has one right: it may report events.
  const granted: readonly string[] = rights.sensor ? ['events:write'] : rights.scopes;
  const missing = SCOPES.find((scope) => granted.includes(scope) && !includesScope(own.scopes, scope));
  if (missing !== undefined) throw beyond('SCOPE', `the scope ${missing}`, missing);
  if (!isVisible(rights.tlpCeiling, own.tlpCeiling))
    throw beyond('CEILING', `the TLP ceiling ${rights.tlpCeiling}`);
  if (rights.reliability > own.reliability)
    throw beyond('RELIABILITY', `the reliability ${rights.reliability}`);
  // `*` does not include a listed source, which counts as independent.
  const foreign = rights.sources.find((source) => !own.sources.includes(source));
  if (foreign !== undefined) throw beyond('SOURCE', `the source ${foreign}`);
  if (rights.account !== own.account) throw beyond('ACCOUNT', 'a key of another account');
  if (own.expiresAt !== undefined && (rights.expiresAt ?? Number.POSITIVE_INFINITY) > own.expiresAt)
    throw beyond('END', `an end after ${toRfc3339(own.expiresAt)}`);
  const range = rangeOutside(rights.sourceRanges, own.sourceRanges);
  if (range !== undefined) throw beyond('RANGES', `use from ${range}`);
}

type LimitedRights = Omit<Rights, 'expiresAt'> & { readonly expiresAt?: Instant | undefined };

/** The first range that no range of `own` contains. No range at all stands for every address. */
function rangeOutside(ranges: readonly string[], own: readonly string[]): string | undefined {
  if (own.length === 0) return undefined;
  if (ranges.length === 0) return 'anywhere';
  return ranges.find((range) => !own.some((outer) => isWithin(range, outer)));
}

function beyond(
  what: 'SCOPE' | 'CEILING' | 'RELIABILITY' | 'SOURCE' | 'ACCOUNT' | 'END' | 'RANGES',
  right: string,
  scope?: Scope,
): ServiceError {
  return new ServiceError('permission_denied', `${right} is beyond the rights of the caller`, {
    reason: `${what}_BEYOND_ISSUER`,
    metadata: { grant: right },
    ...(scope === undefined ? {} : { scope }),
  });
}

function defaultCeiling(own: Rights | undefined): TlpMarking {
  return own === undefined || isVisible(DEFAULT_CEILING, own.tlpCeiling) ? DEFAULT_CEILING : own.tlpCeiling;
}

function faultsOf(spec: KeySpec, now: Instant): FieldViolation[] {
  const faults: FieldViolation[] = [];
  const must = (holds: boolean, field: string, description: string): void => {
    if (!holds) faults.push({ field, description });
  };
  const {
    name,
    account,
    sensor,
    scopes = [],
    tlpCeiling,
    reliability,
    expiresAt,
    sources = [],
    sourceRanges = [],
  } = spec;
  must(
    isPrintable(name, MAX_NAME_LENGTH),
    'name',
    `must be 1 to ${MAX_NAME_LENGTH} printable characters, without white space at the ends`,
  );
  must(account === undefined || isAccount(account), 'account', 'must be 1 to 100 printable characters');
  must(sensor !== true || scopes.length === 0, 'scopes', 'must be empty for a sensor key');
  for (const [index, scope] of scopes.entries()) {
    must(
      SCOPES.some((known) => known === scope),
      `scopes[${index}]`,
      `must be one of ${SCOPES.join(', ')}`,
    );
  }
  must(tlpCeiling !== 'UNSPECIFIED', 'tlpCeiling', 'must be a marking');
  must(reliability === undefined || (reliability >= 0 && reliability <= 1), 'reliability', 'must be 0 to 1');
  must(
    expiresAt === undefined || isExpiry(expiresAt, now),
    'expiresAt',
    'must be in the future, before the year 10000',
  );
  must(sources.length <= MAX_SOURCES, 'sources', `must be ${MAX_SOURCES} at most`);
  must(
    sources.length === 0 || sensor === true || REPORTING.some((scope) => scopes.includes(scope)),
    'sources',
    'must be empty for a key that cannot send events',
  );
  for (const [index, source] of sources.entries()) {
    must(
      isPrintable(source, MAX_SOURCE_LENGTH),
      `sources[${index}]`,
      `must be 1 to ${MAX_SOURCE_LENGTH} printable characters, without white space at the ends`,
    );
  }
  must(sourceRanges.length <= MAX_SOURCE_RANGES, 'sourceRanges', `must be ${MAX_SOURCE_RANGES} at most`);
  for (const [index, range] of sourceRanges.entries()) {
    must(
      canonicalSourceRange(range) !== undefined,
      `sourceRanges[${index}]`,
      'must be an address or a CIDR range',
    );
  }
  return faults;
}

function isPrintable(text: string, maxLength: number): boolean {
  return text.length >= 1 && text.length <= maxLength && text.trim() === text && !/\p{C}/u.test(text);
}

function isExpiry(instant: Instant, now: Instant): boolean {
  return Number.isSafeInteger(instant) && instant > now && instant <= LAST_INSTANT;
}

/** The last instant that RFC 3339 can write. */
export const LAST_INSTANT: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const DURATION = /^(\d{1,9})([smhd])$/;
const EXPIRY_FORM: TimestampForm = { lowerCase: true };
/** Characters of a wrong value that its message repeats. */
const QUOTED = 60;

/** Milliseconds of `90d`, `12h`, `30m` or `60s`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text.trim().toLowerCase()) ?? [];
  const length = unit === undefined ? undefined : UNITS[unit];
  return length === undefined ? undefined : Number(amount) * length;
}

/**
 * The instant at which a key expires: a duration from `now`, or an RFC 3339 time, cut to milliseconds.
 * @throws ServiceError `invalid_argument` for other text, and for an instant up to `now` or after the year 9999.
 */
export function parseExpiry(text: string, now: Instant, field = 'expires'): Instant {
  const refuse = (fault: string): ServiceError => {
    const quoted = JSON.stringify(text.slice(0, QUOTED));
    return invalidArgument([{ field, description: `${quoted} is ${fault}` }]);
  };
  const duration = parseDuration(text);
  const instant = duration === undefined ? parseTime(text.trim()) : now + duration;
  if (instant === undefined) throw refuse('not a duration (90d, 12h, 30m, 60s) or an RFC 3339 time');
  if (instant <= now) throw refuse('not in the future');
  if (instant > LAST_INSTANT) throw refuse('after the year 9999');
  return instant;
}

function parseTime(text: string): Instant | undefined {
  const timestamp = parseTimestamp(text, EXPIRY_FORM);
  return timestamp === undefined ? undefined : toInstant(timestamp);
}
