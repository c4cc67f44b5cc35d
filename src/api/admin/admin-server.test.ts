// The admin port: metrics and external authorization.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { Admit } from '../../gateway/admit.ts';
import type { Caller } from '../../gateway/caller.ts';
import { createJsonLog } from '../../telemetry/log.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import { createConnectionBounds } from '../http/connections.ts';
import { createAdminServer } from './admin-server.ts';

const FIELDS = { 'ratelimit-policy': '"credential";q=9;w=9', ratelimit: '"credential";r=8;t=1' };
const CALLER: Caller = {
  credential: 'api-key',
  id: 'key-1',
  account: 'plant 7',
  actor: 'key-1',
  name: 'Key',
  scopes: new Set(['indicators:read']),
  ceiling: 'GREEN',
  reliability: 0.7,
};
const CALLERS: Readonly<Record<string, Caller>> = {
  'Bearer key': CALLER,
  'Bearer sensor': { ...CALLER, credential: 'sensor-key' },
  'Bearer person': { ...CALLER, credential: 'jwt', id: 'https://idp.example|Zoë\n%\ud800' },
};

const admit: Admit = async ({ authorization = '' }) => {
  const caller = CALLERS[authorization];
  if (caller !== undefined) return { caller, fields: FIELDS };
  if (authorization !== 'Bearer busy') {
    throw new ServiceError('unauthenticated', 'no', { reason: 'CREDENTIAL_INVALID' });
  }
  const details = { reason: 'RATE_LIMIT_EXCEEDED' as const, retryAfterMs: 1_200 };
  return { fields: FIELDS, refusal: new ServiceError('resource_exhausted', 'slow down', details) };
};

const metrics = new Metrics();
metrics.counter('starts_total', 'Starts.');
const log = createJsonLog({ level: 'silent', clock: () => 0 });
const boundConnections = createConnectionBounds({ limits: { total: 100, perAddress: 100 }, metrics });
const app = createAdminServer({ log, metrics, admit, boundConnections });

function ask(credential: string, options: InjectOptions = {}) {
  return app.inject({
    url: '/internal/authorize',
    headers: { authorization: `Bearer ${credential}` },
    ...options,
  });
}

test('metrics in the text format of Prometheus', async () => {
  const response = await app.inject({ url: '/metrics' });
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  assert.match(response.body, /^starts_total 0$/m);
});

test('a valid credential is 204 with its account and its id, whatever the method and the body', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const payload = method === 'GET' || method === 'HEAD' ? {} : { payload: '{"broken' };
    const { statusCode, headers, body } = await ask('key', { method, ...payload });
    assert.equal(statusCode, 204, method);
    assert.equal(headers['x-tis-account'], 'plant%207');
    assert.equal(headers['x-tis-key-id'], 'key-1');
    assert.equal(headers.ratelimit, FIELDS.ratelimit);
    assert.equal(body, '');
  }
});

test('a person is told by issuer and subject, in characters that a header can hold', async () => {
  const { statusCode, headers } = await ask('person');
  assert.equal(statusCode, 204);
  assert.equal(headers['x-tis-key-id'], 'https://idp.example|Zo%C3%AB%0A%25%EF%BF%BD');
});

test('refusals are those of the interface', async () => {
  const none = await app.inject({ url: '/internal/authorize' });
  assert.deepEqual([none.statusCode, none.json().code], [401, 16]);
  assert.match(String(none.headers['www-authenticate']), /^Bearer/);
  assert.equal((await ask('stranger')).statusCode, 401);
  assert.equal((await ask('sensor')).statusCode, 403);
  const busy = await ask('busy');
  assert.deepEqual([busy.statusCode, busy.headers['retry-after']], [429, '2']);
  assert.equal('x-tis-account' in busy.headers, false);
});

test('a scope can be asked for', async () => {
  const url = '/internal/authorize?scope=';
  assert.equal((await ask('key', { url: `${url}indicators:read` })).statusCode, 204);
  const missing = await ask('key', { url: `${url}keys:manage` });
  assert.equal(missing.statusCode, 403);
  assert.match(String(missing.headers['www-authenticate']), /scope="keys:manage"/);
  assert.equal((await ask('sensor', { url: `${url}events:write` })).statusCode, 204);
  for (const wrong of ['', 'everything', 'admin&scope=admin']) {
    assert.equal((await ask('key', { url: url + wrong })).statusCode, 400, wrong);
  }
});

test('only a loopback host is answered, on every path', async () => {
  const answers = async (host: string) => {
    const paths = ['/metrics', '/internal/authorize', '/nothing'];
    const all = await Promise.all(paths.map((url) => ask('key', { url, headers: { host } })));
    return all.map(({ statusCode }) => statusCode);
  };
  for (const host of [
    'localhost',
    'LOCALHOST:8081',
    '127.0.0.1',
    '127.0.0.1:8081',
    '127.9.9.9',
    '[::1]:8081',
  ]) {
    assert.deepEqual(await answers(host), [200, 401, 404], host);
  }
  for (const host of [
    'attacker.example',
    'attacker.example:8081',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    'attacker.example:localhost',
    '192.0.2.1:8081',
    '0.0.0.0',
    '[2001:db8::1]',
    '[::1',
  ]) {
    assert.deepEqual(await answers(host), [421, 421, 421], host);
  }
  const refused = await app.inject({ url: '/metrics', headers: { host: 'attacker.example' } });
  assert.equal(refused.json().details[0].reason, 'HOST_NOT_LOOPBACK');
  assert.doesNotMatch(refused.body, /starts_total/);
});

test('nothing else is here', async () => {
  for (const url of ['/', '/v1/indicators/search', '/readyz', '/internal', '/%zz']) {
    const response = await app.inject({ url });
    assert.ok([400, 404].includes(response.statusCode), url);
    assert.equal(response.headers['content-type'], 'application/json');
  }
});
