// A search as it stands in the URL, and as the service understands it.

import type { IndicatorFilter, SearchIndicatorsRequest, SearchOrder } from '../../api/contract.ts';
import { FACETS, keysOf, memberOf } from './facets.ts';

export interface SearchQuery {
  readonly text: string;
  /** The text is searched for as words, although it looks like values. */
  readonly asText: boolean;
  /** Chosen keys by name of the facet. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  /** Lowest confidence score. */
  readonly score: number;
  /** Key of a period; `any` for all times. */
  readonly seen: string;
  readonly order: OrderKey;
  /** Keys of columns; undefined for the usual ones. */
  readonly columns: readonly string[] | undefined;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Stops of the time slider: all that was seen since so many milliseconds ago. */
export const PERIODS: readonly (readonly [key: string, length: number])[] = [
  ['any', Number.POSITIVE_INFINITY],
  ['1y', 365 * DAY],
  ['90d', 90 * DAY],
  ['30d', 30 * DAY],
  ['7d', 7 * DAY],
  ['24h', DAY],
  ['1h', HOUR],
];

export const ORDERS = {
  created: 'SEARCH_ORDER_CREATED',
  seen: 'SEARCH_ORDER_LAST_SEEN',
  score: 'SEARCH_ORDER_CONFIDENCE',
  severity: 'SEARCH_ORDER_SEVERITY',
} as const satisfies Readonly<Record<string, SearchOrder>>;
export type OrderKey = keyof typeof ORDERS;

export const EMPTY_QUERY: SearchQuery = {
  text: '',
  asText: false,
  chosen: {},
  score: 0,
  seen: 'any',
  order: 'created',
  columns: undefined,
};

/** A request line has a bound. A longer text stays in the box only. */
const LONGEST_IN_ADDRESS = 2_000;

export function isTooLongForAddress(text: string): boolean {
  return encodeURIComponent(text).length > LONGEST_IN_ADDRESS;
}

/** What the URL does not say, or says wrongly, is as in the empty query. */
export function readQuery(search: string): SearchQuery {
  const words = new URLSearchParams(search);
  const chosen: Record<string, string[]> = {};
  for (const rule of FACETS) {
    if (rule.member === undefined) continue;
    const known = keysOf(rule);
    const fits = (key: string) =>
      known.length > 0 ? known.includes(key) : rule.name !== 'asn' || /^\d{1,10}$/.test(key);
    const keys = words.getAll(rule.name).filter(fits);
    if (keys.length > 0) chosen[rule.name] = [...new Set(keys)].slice(0, 100);
  }
  const score = Math.round(Number(words.get('score') ?? 0));
  const order = words.get('order') ?? '';
  const seen = words.get('seen') ?? 'any';
  const columns = words.get('columns')?.split(',').filter(Boolean);
  return {
    text: words.get('q') ?? '',
    asText: words.get('as') === 'text',
    chosen,
    score: score >= 0 && score <= 100 ? score : 0,
    seen: PERIODS.some(([key]) => key === seen) ? seen : 'any',
    order: order in ORDERS ? (order as OrderKey) : 'created',
    columns: columns === undefined || columns.length === 0 ? undefined : columns,
  };
}

/** @returns the query of a URL without its `?`. */
export function writeQuery(query: SearchQuery): string {
  const words = new URLSearchParams();
  if (query.text !== '' && !isTooLongForAddress(query.text)) words.set('q', query.text);
  if (query.asText) words.set('as', 'text');
  for (const { name } of FACETS) for (const key of query.chosen[name] ?? []) words.append(name, key);
  if (query.score > 0) words.set('score', String(query.score));
  if (query.seen !== 'any') words.set('seen', query.seen);
  if (query.order !== 'created') words.set('order', query.order);
  if (query.columns !== undefined) words.set('columns', query.columns.join(','));
  return words.toString();
}

/** @param now milliseconds; rounded so that the same query a moment later is the same request. */
export function filterOf({ chosen, score, seen }: SearchQuery, now: number): IndicatorFilter {
  const filter: Record<string, unknown> = {};
  for (const rule of FACETS) {
    const keys = chosen[rule.name] ?? [];
    if (rule.member === undefined || keys.length === 0) continue;
    const members = keys.map((key) => memberOf(rule, key));
    if (rule.member === 'minSeverity') filter[rule.member] = members[0];
    else filter[rule.member] = rule.member === 'asns' ? members.map(Number) : members;
  }
  if (score > 0) filter.minConfidenceScore = score;
  const length = PERIODS.find(([key]) => key === seen)?.[1] ?? Number.POSITIVE_INFINITY;
  if (Number.isFinite(length)) {
    const step = length / 60;
    filter.lastSeenWindow = { start: new Date(Math.floor((now - length) / step) * step).toISOString() };
  }
  return filter;
}

export function requestOf(query: SearchQuery, text: string, now: number): SearchIndicatorsRequest {
  const filter = filterOf(query, now);
  return {
    ...(text === '' ? {} : { query: text }),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(query.order === 'created' ? {} : { orderBy: ORDERS[query.order] }),
  };
}

/** Adds the key, or takes it away. A severity stands for itself and all above it, so there is one at most. */
export function toggle(query: SearchQuery, name: string, key: string): SearchQuery {
  const keys = query.chosen[name] ?? [];
  const rest = keys.filter((other) => other !== key);
  const next = rest.length < keys.length ? rest : name === 'severity' ? [key] : [...keys, key];
  const { [name]: _, ...others } = query.chosen;
  return { ...query, chosen: next.length === 0 ? others : { ...others, [name]: next } };
}

/** How many conditions there are besides the text. */
export function countConditions({ chosen, score, seen }: SearchQuery): number {
  const keys = Object.values(chosen).reduce((all, { length }) => all + length, 0);
  return keys + (score > 0 ? 1 : 0) + (seen === 'any' ? 0 : 1);
}
