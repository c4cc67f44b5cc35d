// The requests that a benchmark sends, by name. A call is told apart from its HTTP request, because the same call is also
// made without HTTP (store-reads.ts).

import { request } from './load.ts';
import { seededRandom } from './random.ts';

export type Call =
  | { readonly get: string }
  /** The body of a search. */
  | { readonly search: object }
  | { readonly poll: { readonly limit: number; readonly addedAfter?: string } };

export interface Scenario {
  readonly name: string;
  readonly calls: readonly Call[];
  readonly gzip?: true;
  /** Default 16. With one, the latency is the time of server, client and loopback, without any queueing. */
  readonly connections?: number;
}

export type Headers = Readonly<Record<string, string>>;

const OBJECTS = '/taxii2/collections/service-global-feed/objects/';
export const PAGE_SIZE = 100;
/** Name of the scenario that stands for real searches. */
export const MIXED_FILTERS = 'search, mixed filters';
/** So many different searches, that the service cannot remember a few. */
const MIXED = 128;
const DAY_MS = 86_400_000;

export function pathOf(call: Call): string {
  if ('get' in call) return `/v1/indicators/${call.get}`;
  if ('search' in call) return '/v1/indicators/search';
  const { limit, addedAfter } = call.poll;
  return `${OBJECTS}?limit=${limit}${addedAfter === undefined ? '' : `&added_after=${addedAfter}`}`;
}

export function requestsOf({ calls, gzip }: Scenario, headers: Headers): readonly Buffer[] {
  const all = gzip === undefined ? headers : { ...headers, 'accept-encoding': 'gzip' };
  return calls.map((call) =>
    'search' in call
      ? request('POST', pathOf(call), all, JSON.stringify(call.search))
      : request('GET', pathOf(call), all),
  );
}

/** A stored indicator, as far as the scenarios need it. */
export interface Sample {
  readonly id: string;
  readonly value: string;
}

export function getScenario(samples: readonly Sample[]): Scenario {
  return { name: 'get by id', calls: samples.map(({ id }) => ({ get: id })) };
}

/** @param samples of which the needles are taken: whole values, which occur once. */
export function searchScenarios(samples: readonly Sample[], now: number): readonly Scenario[] {
  return [
    scenario('search, broad', [{}, { filter: { types: ['INDICATOR_TYPE_IPV4'] } }]),
    scenario('search, narrow', [
      {
        filter: {
          protocols: ['PROTOCOL_MODBUS', 'PROTOCOL_S7'],
          minSeverity: 'SEVERITY_MEDIUM',
          minConfidence: 30,
          categories: ['THREAT_CATEGORY_EXPLOIT'],
        },
      },
    ]),
    scenario('search, text', [{ query: 'example.net' }, { query: 'modbus' }]),
    scenario(
      'search, needle',
      samples.slice(0, 20).map(({ value }) => ({ query: value })),
    ),
    scenario(MIXED_FILTERS, mixedSearches(samples, now)),
  ];
}

function scenario(name: string, bodies: readonly object[]): Scenario {
  return { name, calls: bodies.map((body) => ({ search: { pageSize: PAGE_SIZE, ...body } })) };
}

/** Searches as analysts and connected systems send them: most have two or three conditions. */
function mixedSearches(samples: readonly Sample[], now: number): readonly object[] {
  const random = seededRandom(7);
  const pick = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)];
  const ago = (days: number) => new Date(now - days * DAY_MS).toISOString();
  const kinds: readonly (() => object)[] = [
    () => ({ filter: { types: [pick(TYPES)], minSeverity: pick(SEVERITIES) } }),
    () => ({ filter: { protocols: [pick(PROTOCOLS)], minConfidence: pick([20, 30, 40, 50]) } }),
    () => ({ filter: { protocols: [pick(PROTOCOLS), pick(PROTOCOLS)], sensorTypes: ['SENSOR_TYPE_ICS'] } }),
    () => ({ filter: { categories: [pick(CATEGORIES)], lastSeenWindow: { start: ago(pick([1, 7]) ?? 1) } } }),
    () => ({ filter: { tags: [`campaign-${Math.floor(random() * 500)}`] } }),
    () => ({ filter: { tags: [`site-${Math.floor(random() * 17)}`], categories: [pick(CATEGORIES)] } }),
    () => ({ filter: { sourceIds: [`source-${Math.floor(random() * 25)}`], minSeverity: pick(SEVERITIES) } }),
    () => ({ filter: { types: [pick(TYPES)], validAt: ago(0), states: ['INDICATOR_STATE_ENRICHED'] } }),
    () => ({
      filter: { createdAfter: ago(1), minSeverity: pick(SEVERITIES), categories: [pick(CATEGORIES)] },
    }),
    () => ({ query: pick(['modbus', 'scanner', 'example.org', 'host-a', 'brute force']) }),
    () => ({ query: pick(['site', 'campaign', 'h1']), filter: { types: ['INDICATOR_TYPE_URL'] } }),
    () => ({ query: pick(samples)?.value ?? '45.0' }),
  ];
  return Array.from({ length: MIXED }, (_, index) => kinds[index % kinds.length]?.() ?? {});
}

const TYPES = ['INDICATOR_TYPE_IPV4', 'INDICATOR_TYPE_DOMAIN', 'INDICATOR_TYPE_URL'];
const SEVERITIES = ['SEVERITY_LOW', 'SEVERITY_MEDIUM', 'SEVERITY_HIGH'];
const PROTOCOLS = ['PROTOCOL_MODBUS', 'PROTOCOL_DNP3', 'PROTOCOL_S7', 'PROTOCOL_SSH', 'PROTOCOL_HTTP'];
const CATEGORIES = ['THREAT_CATEGORY_SCANNER', 'THREAT_CATEGORY_EXPLOIT', 'THREAT_CATEGORY_MALWARE'];

/** Below this number of pages the feed has no middle and no end that differ from its start. */
const LEAST_PLACES = 4;

/** @param places the dates added at which pages begin, ascending, from a walk through the feed. */
export function feedScenarios(places: readonly string[]): readonly Scenario[] {
  const isLong = places.length >= LEAST_PLACES;
  // A whole page of the walk lies behind the place before the last one but one.
  const depths = [
    { name: 'start', begin: {} },
    ...depth('middle', isLong ? places[Math.floor(places.length / 2) - 1] : undefined),
    ...depth('end', isLong ? places.at(-3) : undefined),
  ];
  const pages = [PAGE_SIZE, 1_000].flatMap((limit) =>
    depths.map(
      ({ name, begin }): Scenario => ({
        name: `TAXII page of ${limit}, ${name}`,
        calls: [{ poll: { limit, ...begin } }],
      }),
    ),
  );
  const last = places.at(-1);
  if (last === undefined) return pages;
  const poll: Scenario = {
    name: 'TAXII poll, nothing new, gzip',
    calls: [{ poll: { limit: 1_000, addedAfter: last } }],
    gzip: true,
  };
  return [
    ...pages,
    manyPages(places),
    poll,
    { ...poll, name: 'the same, one client at a time', connections: 1 },
  ];
}

/** Pages at places of all depths. */
const MANY_DEPTHS = 32;
/** Sizes of such pages. All pages together are more than the service remembers. */
const MANY_SIZES = 20;

/** Each request asks for another page, so the service reads nearly every page from the store. */
function manyPages(places: readonly string[]): Scenario {
  const step = Math.max(1, Math.floor(places.length / MANY_DEPTHS));
  const depths = places.filter((_, index) => index % step === 0).slice(0, MANY_DEPTHS);
  const sizes = Array.from({ length: MANY_SIZES }, (_, index) => PAGE_SIZE - index);
  const calls = sizes.flatMap((limit) => depths.map((addedAfter) => ({ poll: { limit, addedAfter } })));
  return { name: 'TAXII page of 100, each another one', calls };
}

function depth(name: string, addedAfter: string | undefined) {
  return addedAfter === undefined ? [] : [{ name, begin: { addedAfter } }];
}
