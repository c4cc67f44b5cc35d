// The operations of the REST interface over HTTP: rights, calls of the layers below, and answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { MATCH_ALL } from '../../domain/filter.ts';
import type { EventResult } from '../../pipeline/reporter.ts';
import { DOCUMENT, FIELDS, ID, testServer } from '../rest-server.test-support.ts';

type Method = 'GET' | 'POST';

function call(app: FastifyInstance, method: Method, url: string, token?: string, payload?: string | object) {
  const headers = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const body = typeof payload === 'object' ? JSON.stringify(payload) : payload;
  return app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
}

/** Asserts the form of an error and returns its body. */
function rpcError(response: LightMyRequestResponse, status: number, code: number) {
  assert.equal(response.statusCode, status, response.body);
  assert.equal(response.headers['content-type'], 'application/json');
  const body = response.json();
  assert.deepEqual(Object.keys(body), ['code', 'message', 'details']);
  assert.equal(body.code, code);
  assert.equal(typeof body.message, 'string');
  const [info] = body.details;
  assert.equal(info['@type'], 'type.googleapis.com/google.rpc.ErrorInfo');
  assert.equal(info.domain, 'threat-indicator-service');
  assert.match(info.reason, /^[A-Z][A-Z0-9_]{1,61}[A-Z0-9]$/);
  return body;
}

const SEARCH = '/v1/indicators/search';
const AGGREGATE = '/v1/indicators:aggregate';
const LOOKUP = '/v1/indicators:lookup';
const INGEST = '/v1/sensorEvents:ingest';
const EVENT = { eventId: 'e', sensorId: 's', value: '203.0.113.9', observedAt: '2026-01-01T00:00:00Z' };

test('a search page is put together from stored documents', async () => {
  const { app, asked } = testServer();
  const response = await call(app, 'POST', SEARCH, 'reader', { query: 'x', page_size: 7 });
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], 'application/json');
  assert.equal(response.body, `{"indicators":[${DOCUMENT},${DOCUMENT}],"pageInfo":{"nextPageToken":"next"}}`);
  assert.equal(asked.searches[0]?.query, 'x');
  assert.equal(asked.searches[0]?.pageSize, 7);
  assert.equal(asked.searches[0]?.ceiling, 'GREEN');
});

test('the last page has an empty token, and a total when one is known', async () => {
  const { app } = testServer();
  const response = await call(app, 'POST', SEARCH, 'reader', { query: 'none' });
  assert.deepEqual(response.json(), { indicators: [], pageInfo: { nextPageToken: '', totalCount: '0' } });
});

test('a search needs a body, which may ask for everything', async () => {
  const { app, asked } = testServer();
  assert.equal((await call(app, 'POST', SEARCH, 'reader')).statusCode, 400);
  assert.equal((await call(app, 'POST', SEARCH, 'reader', ' ')).statusCode, 400);
  assert.equal((await call(app, 'POST', SEARCH, 'reader', '{}')).statusCode, 200);
  assert.equal(asked.searches.length, 1);
});

test('a refused search names all its faults, and is not billed', async () => {
  const { app, asked } = testServer();
  const body = {
    fliter: { protocols: ['PROTOCOL_MODBUS'] },
    query: 'a '.repeat(21),
    filter: {
      minConfidence: 101,
      intents: ['write'],
      protocol: 1,
      lastSeenWindow: { start: '2026-02-01T00:00:00Z', end: '2026-01-01T00:00:00Z' },
    },
    pageSize: 5,
    pagination: { pageSize: 6, limit: 1 },
  };
  const response = await call(app, 'POST', SEARCH, 'reader', body);
  assert.equal(response.statusCode, 400);
  const [, badRequest] = response.json().details;
  assert.deepEqual(
    badRequest.fieldViolations.map(
      ({ field, description }: Record<string, string>) => `${field}: ${description}`,
    ),
    [
      'fliter: is not a known member; the nearest is filter',
      'filter.minConfidence: must be from 0 to 100',
      'filter.intents[0]: is not a value of Intent; the nearest is INTENT_WRITE',
      'filter.protocol: is not a known member; the nearest is protocols',
      'pagination.limit: is not a known member; the nearest is pageSize',
      'filter.lastSeenWindow: must not start after it ends',
      'query: at most 1000 characters and 20 terms',
      'pageSize: differs from pagination.pageSize',
      'pagination.pageSize: differs from pageSize',
    ],
  );
  assert.deepEqual([asked.searches, asked.uses], [[], []]);
});

test('a lookup answers in order, and counts the values that it could read', async () => {
  const { app, asked } = testServer();
  const values = ['203.0.113.9', 'unreadable'];
  const response = await call(app, 'POST', LOOKUP, 'reader', { values });
  assert.equal(response.statusCode, 200);
  assert.deepEqual(response.json(), {
    results: [
      {
        value: '203.0.113.9',
        type: 'INDICATOR_TYPE_IPV4',
        canonicalValue: '203.0.113.9',
        matches: [
          {
            kind: 'MATCH_KIND_EXACT',
            indicatorId: ID,
            type: 'INDICATOR_TYPE_IPV4',
            value: '203.0.113.9',
            standing: 'STANDING_IN_FORCE',
          },
        ],
        truncated: false,
        reason: '',
        description: '',
      },
      {
        value: 'unreadable',
        type: 'INDICATOR_TYPE_IPV4',
        canonicalValue: 'unreadable',
        matches: [],
        truncated: false,
        reason: 'EMPTY_VALUE',
        description: 'is empty',
      },
    ],
    indicators: [JSON.parse(DOCUMENT)],
    omittedIndicatorCount: 3,
  });
  assert.deepEqual(asked.lookups, [{ values, ceiling: 'GREEN' }]);
  assert.deepEqual(asked.uses, [{ account: 'default', credential: 'k1', lookups: 1, lookupRequests: 1 }]);
});

test('counts are asked for with the defaults of the contract, and metered as one search', async () => {
  const { app, asked } = testServer();
  const empty = await call(app, 'POST', AGGREGATE, 'reader', {});
  assert.deepEqual(empty.json(), { counted: '0', atLeast: false, facets: [], histogram: [] });
  const body = { query: 'x', facets: ['FACET_TAG'], top: 5, histogramTime: 'HISTOGRAM_TIME_CREATED_AT' };
  assert.equal((await call(app, 'POST', AGGREGATE, 'reader', body)).statusCode, 200);
  assert.deepEqual(asked.aggregates, [
    { filter: MATCH_ALL, query: '', facets: [], top: 0, ceiling: 'GREEN', caller: 'k1' },
    {
      filter: MATCH_ALL,
      query: 'x',
      facets: ['TAG'],
      top: 5,
      histogram: { time: 'CREATED_AT', bucket: 'DAY' },
      ceiling: 'GREEN',
      caller: 'k1',
    },
  ]);
  const use = { account: 'default', credential: 'k1', searches: 1 };
  assert.deepEqual(asked.uses, [use, use]);
  for (const wrong of [{ facets: ['FACET_UNSPECIFIED'] }, { histogramBucket: 'USAGE_BUCKET_DAY' }])
    rpcError(await call(app, 'POST', AGGREGATE, 'reader', wrong), 400, 3);
  rpcError(await call(app, 'POST', AGGREGATE, 'plain', {}), 403, 7);
  assert.equal(asked.uses.length, 2);
});

test('a lookup without values, or with too many, is refused and not counted', async () => {
  const { app, asked } = testServer();
  for (const body of [{}, { values: [] }, { values: Array(10_001).fill('a') }, { values: [1] }])
    rpcError(await call(app, 'POST', LOOKUP, 'reader', body), 400, 3);
  rpcError(await call(app, 'POST', LOOKUP, 'plain', { values: ['a'] }), 403, 7);
  assert.deepEqual([asked.lookups, asked.uses], [[], []]);
});

test('an indicator is handed out as it is stored', async () => {
  const { app } = testServer();
  const response = await call(app, 'GET', `/v1/indicators/${ID}`, 'plain');
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], 'application/json');
  assert.equal(response.body, DOCUMENT);
});

test('what is not there, or could not be, is 404', async () => {
  const { app } = testServer();
  const other = ID.replace('6f', '7f');
  for (const id of [
    other,
    'x',
    ID.toUpperCase(),
    `${ID}%20`,
    '%00',
    'search',
    'a%2Fb',
    'é',
    '%27',
    'a'.repeat(9_000),
  ]) {
    rpcError(await call(app, 'GET', `/v1/indicators/${encodeURI(decodeURI(id))}`, 'plain'), 404, 5);
    rpcError(await call(app, 'GET', `/v1/indicators/${encodeURI(decodeURI(id))}:explain`, 'reader'), 404, 5);
  }
  rpcError(await call(app, 'POST', '/v1/indicators/x:verify', 'analyst'), 404, 5);
});

test('verification is passed on with who did it', async () => {
  const { app, asked } = testServer();
  const url = `/v1/indicators/${ID}:verify`;
  const response = await call(app, 'POST', url, 'analyst', {
    id: 'ignored',
    note: 'seen it',
    requestId: 'r1',
  });
  assert.equal(response.body, DOCUMENT);
  assert.equal((await call(app, 'POST', url, 'analyst')).statusCode, 200);
  assert.deepEqual(asked.commands, [
    { indicatorId: ID, actor: 'ann', ceiling: 'GREEN', note: 'seen it', tlp: 'UNSPECIFIED', requestId: 'r1' },
    { indicatorId: ID, actor: 'ann', ceiling: 'GREEN', note: '', tlp: 'UNSPECIFIED' },
  ]);
});

test('events are passed on with whose they are', async () => {
  const { app, asked } = testServer();
  const response = await call(app, 'POST', INGEST, 'sensor', { events: [EVENT], requestId: 'r1' });
  assert.equal(response.statusCode, 200);
  assert.deepEqual(response.json(), {
    results: [{ eventId: 'e', status: 'ACCEPTED', indicatorId: ID, reason: '', notUnderstood: [] }],
    acceptedCount: 1,
    duplicateCount: 0,
    refusedCount: 0,
  });
  const [[events, reporter, requestId]] = asked.commands as [
    [{ eventId: string }[], { group: string }, string],
  ];
  assert.equal(events[0]?.eventId, 'e');
  assert.equal(reporter.group, 'k1');
  assert.equal(requestId, 'r1');
});

test('the answer names what was not understood of the evidence, within bounds', async () => {
  const { app } = testServer();
  const remarksFor = async (events: object[]) => {
    const response = await call(app, 'POST', INGEST, 'writer', { events });
    return response.json().results.map((result: { notUnderstood: unknown }) => result.notUnderstood);
  };
  const typo = { ...EVENT, evidence: { 'modbus.function': '5' } };
  assert.deepEqual(await remarksFor([EVENT, typo]), [
    [],
    [{ key: 'modbus.function', problem: 'UNKNOWN_KEY', nearestKey: 'modbus.function_code' }],
  ]);
  const noise = {
    ...EVENT,
    evidence: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'x'])),
  };
  const remarks = await remarksFor(Array(200).fill(noise));
  assert.deepEqual([remarks[0].length, remarks.flat().length], [10, 1_000]);
});

test('a malformed batch is refused as a whole, with every fault', async () => {
  const { app, asked } = testServer();
  const events = [EVENT, { ...EVENT, value: '' }, { ...EVENT, observedAt: 'yesterday' }];
  const body = rpcError(await call(app, 'POST', INGEST, 'writer', { events }), 400, 3);
  assert.deepEqual(
    body.details[1].fieldViolations.map(({ field }: { field: string }) => field),
    ['events[1].value', 'events[2].observedAt'],
  );
  assert.equal(body.details[1]['@type'], 'type.googleapis.com/google.rpc.BadRequest');
  assert.deepEqual(asked.commands, []);
});

test('permissions', async () => {
  const { app, asked } = testServer();
  const operations: readonly [
    method: Method,
    url: string,
    body: object | undefined,
    allowed: readonly string[],
  ][] = [
    ['POST', SEARCH, {}, ['reader', 'admin', 'analyst', 'person', 'robot']],
    [
      'GET',
      `/v1/indicators/${ID}`,
      undefined,
      ['reader', 'plain', 'writer', 'admin', 'analyst', 'person', 'robot'],
    ],
    ['POST', `/v1/indicators/${ID}:verify`, {}, ['analyst']],
    ['POST', INGEST, { events: [EVENT] }, ['writer', 'admin', 'sensor']],
  ];
  const tokens = ['reader', 'plain', 'writer', 'admin', 'sensor', 'analyst', 'person', 'robot'];
  for (const [method, url, body, allowed] of operations) {
    for (const token of tokens) {
      const response = await call(app, method, url, token, body);
      if (allowed.includes(token)) assert.equal(response.statusCode, 200, `${token} ${url}`);
      else rpcError(response, 403, 7);
    }
    rpcError(await call(app, method, url, undefined, body), 401, 16);
    rpcError(await call(app, method, url, 'unknown', body), 401, 16);
  }
  // The scope is judged before the existence.
  rpcError(await call(app, 'GET', `/v1/indicators/${ID}:explain`, 'plain'), 403, 7);
  rpcError(await call(app, 'GET', `/v1/indicators/${ID}:explain`, 'reader'), 404, 5);
  assert.equal(asked.searches.length, 5);
});

test('the credential is judged before the body, permission before existence', async () => {
  const { app } = testServer();
  rpcError(await call(app, 'POST', SEARCH, undefined, '{"broken'), 401, 16);
  rpcError(await call(app, 'POST', SEARCH, 'plain', '{"broken'), 403, 7);
  rpcError(await call(app, 'POST', SEARCH, undefined, ' '.repeat(2_000_000)), 401, 16);
  rpcError(await call(app, 'GET', '/v1/indicators/x', 'sensor'), 403, 7);
  rpcError(await call(app, 'POST', '/v1/indicators/x:verify', 'robot', '{"broken'), 403, 7);
  rpcError(await call(app, 'POST', '/v1/indicators/x:verify', 'analyst', '{"broken'), 400, 3);
});

test('challenges', async () => {
  const { app } = testServer();
  const challenge = async (url: string, token?: string) =>
    (await call(app, 'POST', url, token)).headers['www-authenticate'];
  assert.equal(await challenge(SEARCH), 'Bearer realm="threat-indicator-service"');
  assert.equal(
    await challenge(SEARCH, 'unknown'),
    'Bearer realm="threat-indicator-service", error="invalid_token"',
  );
  assert.equal(
    await challenge(SEARCH, 'plain'),
    'Bearer realm="threat-indicator-service", error="insufficient_scope", scope="indicators:read"',
  );
});

test('over the limit', async () => {
  const { app } = testServer();
  const response = await call(app, 'POST', SEARCH, 'busy');
  const { details } = rpcError(response, 429, 8);
  assert.equal(response.headers['retry-after'], '2');
  assert.deepEqual(details.slice(1), [
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ subject: 'credential', description: 'too many requests' }],
    },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.200s' },
  ]);
});

test('the limit of a valid credential is on every answer to it', async () => {
  const { app } = testServer();
  for (const [token, url, body, status] of [
    ['reader', SEARCH, {}, 200],
    ['reader', SEARCH, '{"broken', 400],
    ['plain', SEARCH, {}, 403],
    ['analyst', '/v1/indicators/x:verify', {}, 404],
    ['reader', SEARCH, ' '.repeat(2_000_000), 413],
    ['busy', SEARCH, {}, 429],
    ['reader', SEARCH, { query: 'crash' }, 500],
  ] as const) {
    const { statusCode, headers } = await call(app, 'POST', url, token, body);
    assert.equal(statusCode, status);
    assert.equal(headers.ratelimit, FIELDS.ratelimit);
    assert.equal(headers['ratelimit-policy'], FIELDS['ratelimit-policy']);
  }
  for (const token of [undefined, 'unknown'])
    assert.equal('ratelimit' in (await call(app, 'POST', SEARCH, token)).headers, false);
});

test('a fault of ours says nothing, and the log says it all', async () => {
  const { app, lines } = testServer();
  const response = await call(app, 'POST', SEARCH, 'reader', { query: 'crash' });
  rpcError(response, 500, 13);
  assert.doesNotMatch(response.body, /SELECT|secret|stack|at /);
  assert.match(lines.join(''), /SELECT secret FROM table/);
});

test('neither credentials nor queries are logged', async () => {
  const { app, lines } = testServer();
  await call(app, 'POST', `${SEARCH}?q=hidden-query`, 'reader', { query: 'crash' });
  assert.ok(lines.length > 0);
  assert.doesNotMatch(lines.join(''), /Bearer|reader|hidden-query/);
});

test('the answer to a batch names the status of each event and counts them', async () => {
  const results: readonly EventResult[] = [
    { eventId: 'a', status: 'ACCEPTED', indicatorId: 'i1' },
    { eventId: 'b', status: 'REFUSED', reason: 'PRIVATE_ADDRESS' },
    { eventId: 'c', status: 'DUPLICATE', indicatorId: 'i1' },
    { eventId: 'd', status: 'ACCEPTED', indicatorId: 'i2' },
  ];
  const { app } = testServer({ ingest: async () => results });
  const response = await call(app, 'POST', INGEST, 'writer', { events: [EVENT] });
  assert.deepEqual(response.json(), {
    results: [
      { eventId: 'a', status: 'ACCEPTED', indicatorId: 'i1', reason: '', notUnderstood: [] },
      { eventId: 'b', status: 'REFUSED', indicatorId: '', reason: 'PRIVATE_ADDRESS', notUnderstood: [] },
      { eventId: 'c', status: 'DUPLICATE', indicatorId: 'i1', reason: '', notUnderstood: [] },
      { eventId: 'd', status: 'ACCEPTED', indicatorId: 'i2', reason: '', notUnderstood: [] },
    ],
    acceptedCount: 2,
    duplicateCount: 1,
    refusedCount: 1,
  });
});
