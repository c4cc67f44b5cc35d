// The HTTP server with the REST interface over memory, for tests of api/ only.

import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../domain/errors.ts';
import type { Caller } from '../gateway/caller.ts';
import type { KeyCommands } from '../gateway/key-commands.ts';
import type { MeteredUse } from '../metering/meter.ts';
import type { EventResult } from '../pipeline/reporter.ts';
import type { AggregateRequest } from '../search/aggregate.ts';
import type { LookupRequest, LookupResult } from '../search/lookup.ts';
import type { SearchRequest } from '../search/search.ts';
import { createJsonLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { createConnectionBounds } from './http/connections.ts';
import { createRooms } from './http/room.ts';
import { createServer, type ServerOptions } from './http/server.ts';
import { createWorkTurns } from './http/work-turns.ts';
import { type RestDeps, registerRest } from './rest/rest.ts';
import { REST_ERRORS } from './rest/rest-errors.ts';

export const ID = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
export const DOCUMENT = `{"id":"${ID}","value":"203.0.113.9"}`;

const BASE: Caller = {
  credential: 'api-key',
  id: 'k1',
  account: 'default',
  actor: 'k1',
  name: 'Key',
  scopes: new Set(),
  ceiling: 'GREEN',
  reliability: 0.7,
};

const ROOM = 256 * 1_048_576;

/** The rate limit fields of every answer. */
export const FIELDS = { 'ratelimit-policy': '"test";q=9;w=9', ratelimit: '"test";r=8;t=1' };

/** By token. */
const CALLERS: Readonly<Record<string, Caller>> = {
  reader: { ...BASE, scopes: new Set(['indicators:read']) },
  plain: BASE,
  writer: { ...BASE, scopes: new Set(['events:write']) },
  admin: { ...BASE, scopes: new Set(['admin']) },
  sensor: { ...BASE, credential: 'sensor-key', scopes: new Set(['indicators:read']) },
  analyst: {
    ...BASE,
    credential: 'jwt',
    actor: 'ann',
    scopes: new Set(['indicators:read', 'indicators:verify']),
  },
  person: { ...BASE, credential: 'jwt', actor: 'bob', scopes: new Set(['indicators:read']) },
  robot: { ...BASE, scopes: new Set(['indicators:read', 'indicators:verify']) },
};

const unasked = () => Promise.reject(new Error('no test of keys'));
const KEY_COMMANDS: KeyCommands = {
  issueKey: unasked,
  rotateKey: unasked,
  revokeKey: unasked,
  revokeLeaked: unasked,
};

export interface TestServer {
  readonly app: FastifyInstance;
  /** The calls of the layers below. */
  readonly asked: {
    searches: SearchRequest[];
    aggregates: AggregateRequest[];
    lookups: LookupRequest[];
    commands: unknown[];
    uses: MeteredUse[];
  };
  /** The lines of the log. */
  readonly lines: string[];
}

type Ingest = RestDeps['commands']['ingest'];
type Overrides = Partial<RestDeps & ServerOptions> & { readonly ingest?: Ingest };

/** @param overrides replace parts of the server; `plugins` are added to the REST interface. */
export function testServer(overrides: Overrides = {}): TestServer {
  const asked: TestServer['asked'] = { searches: [], aggregates: [], lookups: [], commands: [], uses: [] };
  const lines: string[] = [];
  const { plugins = [], ingest, ...others } = overrides;
  const metrics = new Metrics();
  const rooms = createRooms({ bodies: ROOM, answers: ROOM }, metrics);
  const act = async (request: unknown) => {
    asked.commands.push(request);
    return DOCUMENT;
  };
  const deps: RestDeps & Omit<ServerOptions, 'plugins'> = {
    admit: async ({ authorization }) => {
      const token = authorization?.replace('Bearer ', '') ?? '';
      if (token === 'busy') {
        const details = { reason: 'RATE_LIMIT_EXCEEDED' as const, retryAfterMs: 1_200 };
        return {
          fields: FIELDS,
          refusal: new ServiceError('resource_exhausted', 'too many requests', details),
        };
      }
      const caller = CALLERS[token];
      if (caller === undefined) {
        throw new ServiceError('unauthenticated', 'the credential is not valid', {
          reason: token === '' ? 'CREDENTIAL_MISSING' : 'CREDENTIAL_INVALID',
        });
      }
      return { caller, fields: FIELDS };
    },
    search: async (request) => {
      asked.searches.push(request);
      if (request.query === 'crash') throw new Error('SELECT secret FROM table');
      if (request.query === 'none') return { blocks: [], count: 0, nextPageToken: '', totalCount: 0 };
      return { blocks: [Buffer.from(`${DOCUMENT},${DOCUMENT}`)], count: 2, nextPageToken: 'next' };
    },
    aggregate: async (request) => {
      asked.aggregates.push(request);
      return { counted: 0, atLeast: false, facets: [], histogram: [] };
    },
    aggregateTurns: createWorkTurns(ROOM),
    lookup: async (request) => {
      asked.lookups.push(request);
      const results = request.values.map((value): LookupResult => {
        const read = { value, type: 'IPV4', canonicalValue: value, truncated: false } as const;
        if (value === 'unreadable')
          return { ...read, matches: [], reason: 'EMPTY_VALUE', description: 'is empty' };
        return {
          ...read,
          matches: [{ kind: 'EXACT', indicatorId: ID, type: 'IPV4', value, standing: 'IN_FORCE' }],
        };
      });
      return { results, documents: [DOCUMENT], omitted: 3 };
    },
    stores: {
      indicators: {
        search: async () => ({ rows: [], more: false }),
        blocks: async () => ({ blocks: [], count: 0, last: undefined, more: false }),
        count: async () => 0,
        document: async (id) => (id === ID ? DOCUMENT : undefined),
        record: async () => undefined,
        evidence: async () => undefined,
        documents: async (ids) => ids.map(() => undefined),
        rangesAround: async (ranges) => ranges.map(() => []),
        async *each() {},
        async *stale() {},
        async *values() {},
      },
      feed: { bounds: async () => undefined, objects: async () => ({ entries: [], more: false }) },
      keys: {
        byHash: async () => undefined,
        byId: async () => undefined,
        list: async () => [],
        page: async () => [],
        live: async () => [],
      },
    },
    meter: {
      record: async (use) => void asked.uses.push(use),
    },
    usage: {
      report: async () => [],
      lastUses: async () => new Map(),
    },
    commands: {
      ingest: async (...batch) => {
        if (ingest !== undefined) return ingest(...batch);
        asked.commands.push(batch);
        return batch[0].map(({ eventId }): EventResult => ({ eventId, status: 'ACCEPTED', indicatorId: ID }));
      },
      verify: act,
      dispute: act,
      withdraw: act,
      addNote: act,
      ...KEY_COMMANDS,
    },
    watch: {
      start: async () => ({ at: { place: 0, dateAdded: 0 } }),
      after: async () => undefined,
      end: async () => ({ place: 0, dateAdded: 0 }),
    },
    openStream: () => {},
    clock: Date.now,
    log: createJsonLog({ level: 'debug', clock: Date.now, write: (line) => void lines.push(line) }),
    metrics,
    boundConnections: createConnectionBounds({ limits: { total: 100, perAddress: 100 }, metrics }),
    bodies: { room: rooms.bodies, spendBytes: async () => {} },
    answers: rooms.answers,
    workTurns: createWorkTurns(ROOM),
    lookupTurns: createWorkTurns(ROOM),
    spendEvents: async () => {},
    spendLookups: async () => {},
    errorFormat: REST_ERRORS,
    ...others,
  };
  const app = createServer({ ...deps, plugins: [(scope) => registerRest(scope, deps), ...plugins] });
  return { app, asked, lines };
}
