// The TAXII server over HTTP: endpoints, credentials, negotiation, paging headers and errors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from 'fastify';
import { formatMicros } from '../../domain/date-added.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import { FEED_START, MemoryFeed } from '../../feed/memory-feed.test-support.ts';
import type { Admission } from '../../gateway/admit.ts';
import type { Caller } from '../../gateway/caller.ts';
import { createWorkTurns } from '../http/work-turns.ts';
import { TAXII_ERRORS } from './errors.ts';
import type { Submissions } from './submissions.ts';
import { registerTaxii, type TaxiiDeps } from './taxii.ts';

const TAXII = 'application/taxii+json;version=2.1';
const OBJECTS = '/taxii2/collections/service-global-feed/objects/';
const MANIFEST = '/taxii2/collections/service-global-feed/manifest/';
const FIELDS = { 'ratelimit-policy': '"test";q=9;w=9', ratelimit: '"test";r=8;t=1' };
/** Nothing is submitted here. */
const NO_SUBMISSIONS: Submissions = {
  submit: async () => ({}),
  status: async () => {
    throw new ServiceError('not_found', 'no such status', { reason: 'STATUS_NOT_FOUND' });
  },
};
const INSTALLATION = { secret: Buffer.alloc(32, 9), createdAt: Date.UTC(2026, 0, 1) };

/** The credential selects the caller or the failure: `key`, `key-red`, `sensor`, `jwt`, `busy`, `down`. */
async function admitTaxii({ authorization }: { authorization?: string | undefined }): Promise<Admission> {
  const token = authorization?.replace('Bearer ', '');
  if (token === 'busy') {
    const details = { reason: 'RATE_LIMIT_EXCEEDED' as const, retryAfterMs: 1_200 };
    return { fields: FIELDS, refusal: new ServiceError('resource_exhausted', 'slow down', details) };
  }
  if (token === 'down') throw new Error('secret text');
  if (token === 'key') return { fields: FIELDS, caller: caller('api-key', 'AMBER_STRICT') };
  if (token === 'key-red') return { fields: FIELDS, caller: caller('api-key', 'RED') };
  if (token === 'sensor') return { fields: FIELDS, caller: caller('sensor-key', 'RED') };
  if (token === 'jwt') return { fields: FIELDS, caller: caller('jwt', 'RED') };
  throw new ServiceError('unauthenticated', 'no valid credential', { reason: 'CREDENTIAL_INVALID' });
}

function caller(credential: Caller['credential'], ceiling: TlpMarking): Caller {
  return {
    credential,
    id: 'k',
    account: 'default',
    actor: 'k',
    name: 'k',
    scopes: new Set(),
    ceiling,
    reliability: 0.7,
  };
}

function server(feed = new MemoryFeed(), deps: Partial<TaxiiDeps> = {}): FastifyInstance {
  const app = fastify({ exposeHeadRoutes: false });
  // As in the whole server.
  app.removeAllContentTypeParsers();
  registerTaxii(app, {
    feed,
    installation: INSTALLATION,
    admitTaxii,
    collections: [],
    submissions: NO_SUBMISSIONS,
    notePoll: () => undefined,
    workTurns: createWorkTurns(8 * 1_048_576),
    ...deps,
  });
  return app;
}

function get(
  app: FastifyInstance,
  url: string,
  headers: Record<string, string> = {},
  method: InjectOptions['method'] = 'GET',
) {
  return app.inject({ method, url, headers: { authorization: 'Bearer key', accept: TAXII, ...headers } });
}

/** Asserts the form of §3.6.1 and returns the body. */
function taxiiError(response: LightMyRequestResponse, status: number): Record<string, unknown> {
  assert.equal(response.statusCode, status, response.body);
  assert.equal(response.headers['content-type'], TAXII);
  const body = response.json();
  assert.equal(body.http_status, String(status));
  assert.equal(typeof body.title, 'string');
  assert.equal(typeof body.description, 'string');
  return body;
}

test('discovery is public and is the API root too', async () => {
  const response = await server().inject({ url: '/taxii2/', headers: { accept: TAXII } });
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], TAXII);
  const body = response.json();
  assert.equal(body.default, '/taxii2/');
  assert.deepEqual(body.api_roots, ['/taxii2/']);
  assert.deepEqual(body.versions, [TAXII, '2.1']);
  assert.ok(body.title !== '' && body.max_content_length > 0);
});

test('an absolute API root is https or nothing', async () => {
  for (const [publicUrl, root] of [
    ['https://intel.example.com', 'https://intel.example.com/taxii2/'],
    ['https://intel.example.com/', 'https://intel.example.com/taxii2/'],
    ['http://intel.example.com', '/taxii2/'],
  ]) {
    const body = (await server(new MemoryFeed(), { publicUrl }).inject('/taxii2/')).json();
    assert.deepEqual([body.default, body.api_roots], [root, [root]]);
  }
});

test('collections and one collection', async () => {
  const app = server();
  const collection = {
    id: 'service-global-feed',
    title: 'Service Global Feed',
    can_read: true,
    can_write: false,
    media_types: ['application/stix+json;version=2.1'],
  };
  const { description, ...listed } = (await get(app, '/taxii2/collections/')).json().collections[0];
  assert.deepEqual(listed, collection);
  assert.deepEqual((await get(app, '/taxii2/collections/service-global-feed/')).json(), {
    ...listed,
    description,
  });
});

test('a page of objects: envelope, paging headers, caching', async () => {
  const app = server(new MemoryFeed().fill(3));
  const response = await get(app, `${OBJECTS}?limit=2`);
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], TAXII);
  assert.equal(response.headers['x-taxii-date-added-first'], formatMicros(FEED_START + 1_000));
  assert.equal(response.headers['x-taxii-date-added-last'], formatMicros(FEED_START + 2_000));
  assert.equal(response.headers['cache-control'], 'private');
  assert.match(String(response.headers.vary), /Authorization/);
  const { more, next, objects } = response.json();
  assert.equal(more, true);
  assert.deepEqual(
    objects.map(({ id }: { id: string }) => id),
    ['indicator--0', 'indicator--1'],
  );
  const rest = (await get(app, `${OBJECTS}?next=${next}`)).json();
  assert.deepEqual([rest.more, 'next' in rest, rest.objects.length], [false, false, 1]);
});

test('the objects are the bytes that were stored', async () => {
  const feed = new MemoryFeed().add({ id: 'a' }, { id: 'b' });
  const { entries } = await feed.objects({ until: Number.MAX_SAFE_INTEGER, limit: 2, ceiling: 'RED' });
  const { body } = await get(server(feed), OBJECTS);
  assert.equal(body, `{"more":false,"objects":[${entries.map(({ object }) => object).join(',')}]}`);
});

test('an empty page has a body, and both headers say where the client stands', async () => {
  const app = server(new MemoryFeed().fill(1));
  for (const [query, position] of [
    ['?added_after=2026-02-03T04:05:06.7Z', '2026-02-03T04:05:06.700000Z'],
    ['?match[type]=malware', '2025-12-31T23:59:59.999999Z'],
  ]) {
    const response = await get(app, `${OBJECTS}${query}`);
    assert.equal(response.statusCode, 200);
    assert.equal(response.body, '{"more":false}');
    assert.equal(response.headers['x-taxii-date-added-first'], position);
    assert.equal(response.headers['x-taxii-date-added-last'], position);
  }
});

test('an empty page never leads a client past an entry of the instant of creation', async () => {
  const app = server(new MemoryFeed().add({ id: 'a', dateAdded: INSTALLATION.createdAt * 1_000 }));
  const empty = await get(app, `${OBJECTS}?match[type]=malware`);
  const again = await get(app, `${OBJECTS}?added_after=${empty.headers['x-taxii-date-added-last']}`);
  assert.equal(again.json().objects.length, 1);
});

test('the last header, sent back as it is or cut to milliseconds, gives nothing new', async () => {
  const app = server(new MemoryFeed().fill(3));
  const last = String((await get(app, OBJECTS)).headers['x-taxii-date-added-last']);
  for (const addedAfter of [last, `${last.slice(0, 23)}Z`]) {
    assert.equal((await get(app, `${OBJECTS}?added_after=${addedAfter}`)).body, '{"more":false}');
  }
});

test('nothing above the ceiling of the caller is shown', async () => {
  const app = server(new MemoryFeed().add({ id: 'a' }, { id: 'b', tlp: 'RED' }));
  assert.equal((await get(app, OBJECTS)).json().objects.length, 1);
  assert.equal((await get(app, OBJECTS, { authorization: 'Bearer key-red' })).json().objects.length, 2);
  taxiiError(await get(app, `${OBJECTS}b/`), 404);
});

test('a path without its trailing slash is served, not redirected', async () => {
  const app = server(new MemoryFeed().fill(1));
  for (const path of [
    '/taxii2/',
    '/taxii2/collections/',
    '/taxii2/collections/service-global-feed/',
    OBJECTS,
    MANIFEST,
  ]) {
    const [with_, without] = [await get(app, path), await get(app, path.slice(0, -1))];
    assert.deepEqual([without.statusCode, without.body], [200, with_.body]);
  }
  assert.equal((await get(app, `${OBJECTS.slice(0, -1)}?limit=1`)).statusCode, 200);
});

test('HEAD answers like GET, without the body', async () => {
  const app = server(new MemoryFeed().fill(1));
  for (const path of ['/taxii2/', '/taxii2/collections/', OBJECTS]) {
    const response = await get(app, path, {}, 'HEAD');
    assert.deepEqual(
      [response.statusCode, response.headers['content-type'], response.body],
      [200, TAXII, ''],
    );
  }
});

test('large answers are compressed for clients that can take it', async () => {
  const app = server(new MemoryFeed().fill(50));
  const plain = await get(app, OBJECTS);
  assert.equal('content-encoding' in plain.headers, false);
  const compressed = await get(app, OBJECTS, { 'accept-encoding': 'gzip, deflate' });
  assert.equal(compressed.headers['content-encoding'], 'gzip');
  assert.equal(compressed.headers['content-type'], TAXII);
  assert.equal(gunzipSync(compressed.rawPayload).toString(), plain.body);
  assert.equal(
    'content-encoding' in (await get(app, '/taxii2/', { 'accept-encoding': 'gzip' })).headers,
    false,
  );
});

test('what varies is added to what varied before', async () => {
  const app = server();
  app.addHook('onRequest', async (_request, reply) => void reply.header('vary', 'Origin'));
  assert.equal((await get(app, '/taxii2/')).headers.vary, 'Origin, Accept, Accept-Encoding, Authorization');
});

test('406 for a client that speaks another version', async () => {
  const app = server(new MemoryFeed().fill(1));
  for (const path of ['/taxii2/', '/taxii2/collections/', OBJECTS]) {
    taxiiError(await get(app, path, { accept: 'application/taxii+json;version=2.0' }), 406);
    assert.equal((await get(app, path, { accept: '*/*' })).statusCode, 200);
  }
});

test('401 with both challenges, before anything else is looked at', async () => {
  const app = server();
  for (const path of [
    '/taxii2/collections/',
    '/taxii2/collections/unknown/',
    `${OBJECTS}?limit=0`,
    MANIFEST,
  ]) {
    const response = await get(app, path, { authorization: '', accept: 'text/html' });
    taxiiError(response, 401);
    assert.equal(
      response.headers['www-authenticate'],
      'Bearer realm="taxii2", Basic realm="taxii2", charset="UTF-8"',
    );
  }
  taxiiError(await get(app, OBJECTS, { authorization: '' }, 'POST'), 401);
});

test('403 for a person and for a sensor', async () => {
  const app = server();
  taxiiError(await get(app, OBJECTS, { authorization: 'Bearer jwt' }), 403);
  taxiiError(await get(app, OBJECTS, { authorization: 'Bearer sensor' }), 403);
});

test('403 for writing to a read-only collection, 404 for an unknown one', async () => {
  const app = server();
  const payload = Buffer.alloc(3 * 1024 * 1024);
  const headers = { authorization: 'Bearer key', 'content-type': 'text/plain' };
  taxiiError(await app.inject({ method: 'POST', url: OBJECTS, headers, payload }), 403);
  taxiiError(await app.inject({ method: 'DELETE', url: `${OBJECTS}indicator--0/`, headers, payload }), 403);
  taxiiError(await app.inject({ method: 'POST', url: '/taxii2/collections/unknown/objects/', headers }), 404);
});

test('404 for what is not there', async () => {
  const app = server(new MemoryFeed().fill(1));
  for (const path of [
    '/taxii2/collections/unknown/',
    '/taxii2/collections/unknown/objects/',
    '/taxii2/status/5d0c2f9a-8f35-4a0c-8a64-1d3f2b7e9c22/',
    '/taxii2/unknown',
    '/taxii2/collections//objects/',
    `${OBJECTS}indicator--9/`,
    `${OBJECTS}indicator--9/versions/`,
  ]) {
    taxiiError(await get(app, path), 404);
  }
});

test('405 for a method that an endpoint does not have', async () => {
  const app = server();
  // It would be refused for its size if it were read.
  const payload = Buffer.alloc(3 * 1024 * 1024);
  for (const [method, path, allow] of [
    ['POST', '/taxii2/', 'GET, HEAD'],
    ['PUT', '/taxii2/collections/', 'GET, HEAD'],
    ['PUT', OBJECTS, 'GET, HEAD, POST'],
    ['DELETE', OBJECTS, 'GET, HEAD, POST'],
    ['DELETE', OBJECTS.slice(0, -1), 'GET, HEAD, POST'],
    ['PATCH', `${OBJECTS}indicator--0/?limit=1`, 'DELETE, GET, HEAD'],
    ['POST', MANIFEST.slice(0, -1), 'GET, HEAD'],
  ] as const) {
    const response = await app.inject({
      method,
      url: path,
      payload,
      headers: { 'content-type': 'text/plain' },
    });
    taxiiError(response, 405);
    assert.equal(response.headers.allow, allow);
  }
});

test('400 names every parameter at fault', async () => {
  const body = taxiiError(await get(server(), `${OBJECTS}?limit=0&added_after=xx`), 400);
  const { violations } = body.details as { violations: { field: string }[] };
  assert.deepEqual(
    violations.map(({ field }) => field),
    ['added_after', 'limit'],
  );
  taxiiError(await get(server(), `${OBJECTS}?limit=1&limit=2`), 400);
});

test('400 for a cursor that is not ours, or of another listing', async () => {
  const app = server(new MemoryFeed().fill(3));
  const { next } = (await get(app, `${OBJECTS}?limit=1`)).json();
  taxiiError(await get(app, `${OBJECTS}?next=`), 400);
  taxiiError(await get(app, `${OBJECTS}?next=${next}x`), 400);
  taxiiError(await get(app, `${MANIFEST}?next=${next}`), 400);
  taxiiError(await get(app, `${OBJECTS}?next=${next}&match[type]=malware`), 400);
});

test('429 says when to come back', async () => {
  const response = await get(server(), OBJECTS, { authorization: 'Bearer busy' });
  taxiiError(response, 429);
  assert.equal(response.headers['retry-after'], '2');
});

test('the limit of a valid credential is on every answer to it', async () => {
  const app = server(new MemoryFeed().fill(1));
  for (const [token, path, status] of [
    ['key', OBJECTS, 200],
    ['key', `${OBJECTS}?limit=0`, 400],
    ['jwt', OBJECTS, 403],
    ['key', `${OBJECTS}unknown/`, 404],
    ['busy', OBJECTS, 429],
  ] as const) {
    const { statusCode, headers } = await get(app, path, { authorization: `Bearer ${token}` });
    assert.equal(statusCode, status);
    assert.equal(headers.ratelimit, FIELDS.ratelimit);
    assert.equal(headers['ratelimit-policy'], FIELDS['ratelimit-policy']);
  }
  assert.equal('ratelimit' in (await get(app, OBJECTS, { authorization: 'Bearer no' })).headers, false);
});

test('a fault of ours keeps its text to itself', async () => {
  const response = await get(server(), OBJECTS, { authorization: 'Bearer down' });
  taxiiError(response, 500);
  assert.equal(response.body.includes('secret'), false);
});

test('an error of the framework is an error resource too', async () => {
  const app = server();
  app.get('/taxii2/broken', async (request, reply) => {
    return TAXII_ERRORS.send(Object.assign(new Error('secret text'), { statusCode: 413 }), request, reply);
  });
  const response = await get(app, '/taxii2/broken');
  taxiiError(response, 413);
  assert.equal(response.body.includes('secret'), false);
});

test('manifest: one record for each version', async () => {
  const version = '2026-01-02T00:00:00.000Z';
  const app = server(new MemoryFeed().add({ id: 'a' }, { id: 'b' }, { id: 'a', version }));
  const response = await get(app, `${MANIFEST}?match[version]=all&match[id]=a`);
  const media_type = 'application/stix+json;version=2.1';
  assert.deepEqual(response.json(), {
    more: false,
    objects: [
      {
        id: 'a',
        date_added: formatMicros(FEED_START + 1_000),
        version: '2026-01-01T00:00:00.000Z',
        media_type,
      },
      { id: 'a', date_added: formatMicros(FEED_START + 3_000), version, media_type },
    ],
  });
  assert.equal(response.headers['x-taxii-date-added-last'], formatMicros(FEED_START + 3_000));
});

test('one object, its versions, and a filter that leaves nothing of it', async () => {
  const version = '2026-01-02T00:00:00.000Z';
  const app = server(new MemoryFeed().add({ id: 'a' }, { id: 'b' }, { id: 'a', version }));
  const object = (await get(app, `${OBJECTS}a/`)).json();
  assert.deepEqual([object.objects.length, object.objects[0].modified], [1, version]);
  assert.equal((await get(app, `${OBJECTS}a/?match[version]=all`)).json().objects.length, 2);
  assert.equal((await get(app, `${OBJECTS}a/?match[version]=2020-01-01T00:00:00Z`)).body, '{"more":false}');
  const versions = await get(app, `${OBJECTS}a/versions/`);
  assert.deepEqual(versions.json(), { more: false, versions: ['2026-01-01T00:00:00.000Z', version] });
  assert.ok('x-taxii-date-added-first' in versions.headers);
});

test('a walk over the versions of one object', async () => {
  const app = server(
    new MemoryFeed().add(...[1, 2, 3].map((day) => ({ id: 'a', version: `2026-01-0${day}T00:00:00.000Z` }))),
  );
  const { next } = (await get(app, `${OBJECTS}a/versions/?limit=2`)).json();
  assert.deepEqual((await get(app, `${OBJECTS}a/versions/?next=${next}`)).json().versions, [
    '2026-01-03T00:00:00.000Z',
  ]);
  taxiiError(await get(app, `${OBJECTS}b/versions/?next=${next}`), 400);
});
