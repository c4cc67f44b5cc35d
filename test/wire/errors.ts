// Errors: the canonical code of each, its HTTP status, its details and headers. 429 is in ../gateway/rate-limit.test.ts
// and 503 in ../gateway/keys.test.ts, which bring the services that they need.

import assert from 'node:assert/strict';
import {
  fails,
  INGEST,
  invalid,
  jsonOf,
  SEARCH,
  UNKNOWN_ID,
  type WireCase,
  type WireReply,
  type WireTable,
} from './wire-case.ts';

const GET = `/v1/indicators/${UNKNOWN_ID}`;
const REALM = 'Bearer realm="threat-indicator-service"';

/** Beside the check, these headers; undefined must not be there. */
function withHeaders(
  check: WireCase['check'],
  expected: Readonly<Record<string, string | RegExp | undefined>>,
): WireCase['check'] {
  return (reply) => {
    check(reply);
    for (const [name, value] of Object.entries(expected)) {
      if (value instanceof RegExp) assert.match(String(reply.headers[name]), value);
      else assert.equal(reply.headers[name], value, name);
    }
  };
}

/** Details after ErrorInfo, by type. */
function withDetails(check: WireCase['check'], ...types: readonly string[]): WireCase['check'] {
  return (reply: WireReply) => {
    check(reply);
    const { details } = jsonOf<{ details: { '@type': string }[] }>(reply);
    assert.deepEqual(
      details.slice(1).map((detail) => detail['@type']),
      types.map((type) => `type.googleapis.com/google.rpc.${type}`),
    );
  };
}

const LIMIT = { ratelimit: /^"credential";r=\d+;t=\d+$/, 'ratelimit-policy': '"credential";q=2000;w=20' };
const NO_LIMIT = { ratelimit: undefined, 'ratelimit-policy': undefined };

export const ERRORS: WireTable = {
  'INVALID_ARGUMENT 3 is 400, with every field at fault': [
    {
      given: 'three faults',
      method: 'POST',
      path: SEARCH,
      body: { query: 1, filter: { types: ['X'], minConfidence: 101 } },
      check: withHeaders(
        withDetails(invalid('query', 'filter.types[0]', 'filter.minConfidence'), 'BadRequest'),
        { ...LIMIT, 'www-authenticate': undefined },
      ),
    },
    {
      given: 'two page sizes',
      method: 'POST',
      path: SEARCH,
      body: { page_size: 5, pagination: { pageSize: 6 } },
      check: fails(400, 3, 'CONFLICTING_PAGE_SIZE', 'pageSize', 'pagination.pageSize'),
    },
    {
      given: 'a foreign page token',
      method: 'POST',
      path: SEARCH,
      body: { pagination: { pageToken: 'made-up' } },
      check: fails(400, 3, 'INVALID_PAGE_TOKEN', 'pagination.pageToken'),
    },
    { given: 'no events', method: 'POST', path: INGEST, as: 'sensor', body: {}, check: invalid('events') },
  ],
  'NOT_FOUND 5 is 404': [
    UNKNOWN_ID,
    UNKNOWN_ID.toUpperCase(),
    'x',
    'search',
    '%20',
    'a%00b',
    'x'.repeat(8_000),
    `{${UNKNOWN_ID}}`,
    '00000000-0000-0000-0000-000000000000',
  ].map((id) => ({
    given: id.slice(0, 40),
    path: `/v1/indicators/${id}`,
    check: withHeaders(withDetails(fails(404, 5, 'INDICATOR_NOT_FOUND')), LIMIT),
  })),
  'PERMISSION_DENIED 7 is 403, and names the scope': [
    {
      given: 'no scope to search',
      method: 'POST',
      path: SEARCH,
      as: 'scopeless',
      body: '{"broken',
      check: withHeaders(withDetails(fails(403, 7, 'INSUFFICIENT_SCOPE')), {
        ...LIMIT,
        'www-authenticate': `${REALM}, error="insufficient_scope", scope="indicators:read"`,
      }),
    },
    {
      given: 'a sensor that reads',
      path: GET,
      as: 'sensor',
      check: fails(403, 7, 'CLIENT_CREDENTIAL_REQUIRED'),
    },
    {
      given: 'a machine that confirms',
      method: 'POST',
      path: `${GET}:verify`,
      body: '{"broken',
      check: withHeaders(fails(403, 7, 'PERSON_REQUIRED'), {
        'www-authenticate': `${REALM}, error="insufficient_scope"`,
      }),
    },
    {
      given: 'a client that reports',
      method: 'POST',
      path: INGEST,
      body: '{"broken',
      check: fails(403, 7, 'INSUFFICIENT_SCOPE'),
    },
  ],
  'FAILED_PRECONDITION 9 is 400, not 412': [
    {
      given: 'confirming what is RAW',
      method: 'POST',
      path: '/v1/indicators/{plc}:verify',
      as: 'analyst',
      body: {},
      check: fails(400, 9, 'ILLEGAL_TRANSITION'),
    },
  ],
  'UNIMPLEMENTED 12 is 405 with Allow (stricter than 501)': [
    {
      given: 'PUT to search',
      method: 'PUT',
      path: SEARCH,
      body: {},
      check: withHeaders(fails(405, 12, 'METHOD_NOT_ALLOWED'), { allow: 'POST', ...NO_LIMIT }),
    },
  ],
  'UNAUTHENTICATED 16 is 401, with a challenge': [
    {
      given: 'no credential',
      path: GET,
      as: 'none',
      check: withHeaders(withDetails(fails(401, 16, 'CREDENTIAL_MISSING')), {
        'www-authenticate': REALM,
        ...NO_LIMIT,
      }),
    },
    ...['Bearer tis_wrong', 'bearer x.y.z', 'BEARER   x'].map((authorization) => ({
      given: authorization,
      path: GET,
      as: 'none' as const,
      headers: { authorization },
      check: withHeaders(fails(401, 16, 'CREDENTIAL_INVALID'), {
        'www-authenticate': `${REALM}, error="invalid_token"`,
        ...NO_LIMIT,
      }),
    })),
    ...['', 'Basic dTpw', 'Token x', 'Bearer', 'Bearer a b', 'tis_x'].map((authorization) => ({
      given: authorization === '' ? 'an empty header' : authorization,
      path: GET,
      as: 'none' as const,
      headers: { authorization },
      check: withHeaders(fails(401, 16, 'CREDENTIAL_MISSING'), { 'www-authenticate': REALM }),
    })),
    {
      given: 'a broken body makes no difference',
      method: 'POST',
      path: SEARCH,
      as: 'none',
      body: '{"broken',
      check: fails(401, 16, 'CREDENTIAL_MISSING'),
    },
  ],
  'a body over the limit is 413': [
    {
      given: '1 MiB and a byte',
      method: 'POST',
      path: SEARCH,
      body: `{"query":"${'x'.repeat(1_048_577 - 12)}"}`,
      check: withHeaders(fails(413, 3, 'BODY_TOO_LARGE'), LIMIT),
    },
    {
      given: '1 MiB is read',
      method: 'POST',
      path: SEARCH,
      body: `{}${' '.repeat(1_048_574)}`,
      check: ({ status }) => assert.equal(status, 200),
    },
    {
      given: '8 MiB and a byte of events',
      method: 'POST',
      path: INGEST,
      as: 'sensor',
      body: ' '.repeat(8 * 1_048_576 + 1),
      check: fails(413, 3, 'BODY_TOO_LARGE'),
    },
  ],
};
