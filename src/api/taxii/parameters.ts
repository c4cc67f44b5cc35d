// Query parameters of the TAXII endpoints (TAXII 2.1 §3.4, §3.5), read from the raw query string.
//
// Unknown parameters are ignored. A known parameter that is malformed or given twice is refused, because an answer to another
// question is worse than no answer.

import { formatMicros, parseMicros } from '../../domain/date-added.ts';
import { type FieldViolation, invalidArgument } from '../../domain/errors.ts';
import { toRfc3339 } from '../../domain/instant.ts';
import type { FeedFilter } from '../../feed/feed-filter.ts';
import type { DateAdded, VersionMatch } from '../../store/feed.ts';

export interface FeedParameters {
  readonly addedAfter?: DateAdded;
  readonly limit?: number;
  readonly next?: string;
  readonly filter: FeedFilter;
}

export type MatchField = 'id' | 'type' | 'version' | 'spec_version';

/** The fault of a parameter. */
class Malformed {
  readonly description: string;

  constructor(description: string) {
    this.description = description;
  }
}

/**
 * @param url of the request, as received.
 * @param matchFields the match filters of the endpoint; others are ignored.
 * @throws `invalid_argument` that names every faulty parameter.
 */
export function parseFeedParameters(url: string, matchFields: readonly MatchField[]): FeedParameters {
  const queryStart = url.indexOf('?');
  if (queryStart < 0) return { filter: {} };
  const query = new URLSearchParams(url.slice(queryStart + 1));
  const violations: FieldViolation[] = [];

  function read<Value extends object | number | string>(
    field: string,
    parse: (text: string) => Value | Malformed,
  ): Value | undefined {
    const [text, ...others] = query.getAll(field);
    if (text === undefined) return undefined;
    const value = others.length > 0 ? new Malformed('must be given once') : parse(text);
    if (!(value instanceof Malformed)) return value;
    violations.push({ field, description: value.description });
    return undefined;
  }

  function match<Value extends object | string>(
    field: MatchField,
    parse: (text: string) => Value | Malformed,
  ): Value | undefined {
    return matchFields.includes(field) ? read(`match[${field}]`, parse) : undefined;
  }

  const addedAfter = read('added_after', parseAddedAfter);
  const limit = read('limit', parseLimit);
  const next = read('next', (text) => text);
  const ids = match('id', parseList);
  const types = match('type', parseList);
  const versions = match('version', parseVersions);
  const specVersions = match('spec_version', parseSpecVersions);
  if (violations.length > 0) throw invalidArgument(violations);

  return {
    ...(addedAfter !== undefined && { addedAfter }),
    ...(limit !== undefined && { limit }),
    ...(next !== undefined && { next }),
    filter: {
      ...(ids && { ids }),
      ...(types && { types }),
      ...(versions && { versions }),
      ...(specVersions && { specVersions }),
    },
  };
}

function parseAddedAfter(text: string): DateAdded | Malformed {
  return (
    parseMicros(text) ?? new Malformed('must be an RFC 3339 timestamp, such as 2026-01-31T12:00:00.000000Z')
  );
}

function parseLimit(text: string): number | Malformed {
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  return limit >= 1 ? limit : new Malformed('must be a whole number of at least 1');
}

/** A comma means OR. The values are sorted, because the order has no meaning and a cursor compares filters. */
function parseList(text: string): readonly string[] | Malformed {
  const values = text.split(',');
  if (values.includes('')) return new Malformed('must be a comma-separated list without empty values');
  return [...new Set(values)].sort();
}

function parseSpecVersions(text: string): readonly string[] | Malformed {
  const values = parseList(text);
  if (values instanceof Malformed || values.every((value) => /^\d+\.\d+$/.test(value))) return values;
  return new Malformed('must list STIX versions, such as 2.1');
}

/** §3.4.1: `all` stands alone; `first`, `last` and timestamps may be combined, each once. */
function parseVersions(text: string): VersionMatch | Malformed {
  const versions: string[] = [];
  for (const value of text.split(',')) {
    const version = value === 'first' || value === 'last' || value === 'all' ? value : parseVersion(value);
    if (version === undefined) return new Malformed(`must list first, last, all or timestamps`);
    if (versions.includes(version)) return new Malformed('must not repeat a version');
    versions.push(version);
  }
  const [first] = versions;
  if (versions.length === 1 && (first === 'first' || first === 'last' || first === 'all')) return first;
  return versions.includes('all')
    ? new Malformed('must not combine all with other versions')
    : versions.sort();
}

/** The timestamp in the form of our objects, so that two spellings of one instant are the same version. */
function parseVersion(text: string): string | undefined {
  const micros = parseMicros(text);
  if (micros === undefined) return undefined;
  return micros % 1_000 === 0 ? toRfc3339(micros / 1_000) : formatMicros(micros);
}
