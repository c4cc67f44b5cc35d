// GET /docs: it shows the whole contract, runs nothing and asks no other host.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../rest-server.test-support.ts';
import { docsPage } from './docs-page.ts';

async function get(url: string) {
  const response = await testServer().app.inject({ method: 'GET', url });
  assert.equal(response.statusCode, 200);
  return response;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: { readonly schemas: object; readonly responses: object };
}

test('the page has every operation with its example, every schema, and no dead link', async () => {
  const page = (await get('/docs')).body;
  const { paths, components } = (await get('/openapi.json')).json<OpenApi>();
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { operationId } of operations) assert.ok(ids.has(operationId), operationId);
  for (const name of Object.keys(components.schemas)) assert.ok(ids.has(`schema-${name}`), name);
  for (const [, target = ''] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(target), target);
  assert.equal(page.split('<pre>curl ').length - 1, operations.length);
});

test('nothing is inline, no script runs, and everything comes from this service', async () => {
  const response = await get('/docs');
  assert.equal(response.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(
    response.headers['content-security-policy'],
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  assert.doesNotMatch(
    response.body,
    /<(?:script|style|iframe|img|form|object)|\s(?:style|on\w+)=|javascript:/i,
  );
  const loaded = [...response.body.matchAll(/(?:href|src)="([^#][^"]*)"/g)].map(([, url]) => url);
  assert.deepEqual([...new Set(loaded)].sort(), ['/docs/style.css', '/openapi.json']);
  const style = await get('/docs/style.css');
  assert.equal(style.headers['content-type'], 'text/css; charset=utf-8');
  assert.doesNotMatch(style.body, /url\(|@import/);
  assert.ok(response.rawPayload.length + style.rawPayload.length < 250_000, `${response.rawPayload.length}`);
});

test('text of the contract stays text', () => {
  const hostile = `</pre><script>alert("1")</script>'`;
  const page = docsPage({
    info: { title: hostile, version: hostile, description: hostile },
    tags: [{ name: 'T', description: hostile }],
    paths: { '/x': { get: { operationId: 'x', tags: ['T'], summary: hostile, responses: {} } } },
    components: {
      schemas: { S: { type: 'object', description: hostile, properties: { [hostile]: { type: hostile } } } },
      responses: {},
      securitySchemes: {},
    },
  });
  assert.doesNotMatch(page, /<script/);
  assert.ok(page.includes('&lt;script&gt;alert(&quot;1&quot;)'));
});
