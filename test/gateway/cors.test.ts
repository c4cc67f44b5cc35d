// Cross-origin requests over HTTP: allowed for the configured origins only.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { TAXII_MEDIA_TYPE } from '../support/taxii-client.ts';

const PAGE = 'https://soc.example.org';
const SEARCH = '/v1/indicators/search';
const OBJECTS = '/taxii2/collections/service-global-feed/objects/';

let open: RunningService;
let closed: RunningService;
before(async () => {
  [open, closed] = await Promise.all([
    RunningService.start({ TIS_CORS_ORIGINS: `http://localhost:5173,${PAGE}` }),
    RunningService.start(),
  ]);
});
after(() => Promise.all([open.dispose(), closed.dispose()]));

const preflight = (url: string, origin = PAGE, method = 'GET') =>
  send(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });

it('a preflight needs no credential, on both interfaces', async () => {
  for (const [path, methods] of [
    [SEARCH, 'POST'],
    ['/v1/indicators/x', 'GET'],
    [OBJECTS, 'GET, HEAD, POST'],
    ['/taxii2/', 'GET, HEAD'],
  ] as const) {
    const { status, headers } = await preflight(open.url + path);
    assert.equal(status, 204, path);
    assert.equal(headers.get('access-control-allow-origin'), PAGE);
    assert.equal(headers.get('access-control-allow-methods'), methods);
    assert.equal(
      headers.get('access-control-allow-headers'),
      'Authorization, Content-Type, Accept, Last-Event-ID',
    );
    assert.equal(headers.get('vary'), 'Origin');
  }
});

it('a page may read what it asked for, and the headers it needs', async () => {
  const key = await open.key();
  const headers = { origin: PAGE, accept: TAXII_MEDIA_TYPE };
  for (const [path, parts, vary] of [
    [SEARCH, { method: 'POST', body: {} }, 'Origin'],
    [OBJECTS, {}, 'Origin, Accept, Accept-Encoding, Authorization'],
  ] as const) {
    const answer = await send(open.url + path, { credential: key, headers, ...parts });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), PAGE);
    assert.match(
      answer.headers.get('access-control-expose-headers') ?? '',
      /\bRateLimit\b.*\bX-TAXII-Date-Added-Last\b/,
    );
    assert.equal(answer.headers.get('vary'), vary);
    const refused = await send(open.url + path, { headers, ...parts });
    assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, PAGE]);
  }
});

it('by default no page is told anything', async () => {
  const key = await closed.key();
  for (const answer of [
    await preflight(closed.url + SEARCH, PAGE, 'POST'),
    await preflight(closed.url + OBJECTS),
    await send(closed.url + OBJECTS, { credential: key, headers: { origin: PAGE } }),
    await preflight(open.url + SEARCH, 'https://evil.example.net', 'POST'),
  ]) {
    assert.equal([...answer.headers.keys()].filter((name) => name.startsWith('access-control-')).length, 0);
    assert.notEqual(answer.status, 204);
  }
});
