// What each role may do: every role against every route of the contract and of /app/data, and the ways in which somebody could
// try to get more.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { endOfAccess } from '../support/end-of-access.ts';
import { send } from '../support/http-client.ts';
import { OPERATIONS, pathOf } from '../support/operations.ts';
import { OF_PAGE, type PageClient } from '../support/page-client.ts';
import { RunningService } from '../support/running-service.ts';

const UNKNOWN = '6f9619ff-8b86-4011-b42d-00c04fc964ff';

type Need = 'read' | 'bill' | 'judge' | 'send' | 'keys' | 'administer' | 'sign in';

/** What a route asks for. A new route has to be named here. */
const NEEDS: Readonly<Record<string, Need>> = {
  'POST /v1/indicators/search': 'read',
  'POST /v1/indicators:aggregate': 'read',
  'POST /v1/indicators:lookup': 'read',
  'GET /v1/indicators/{id}': 'sign in',
  'POST /v1/indicators/{id}:verify': 'judge',
  'POST /v1/indicators/{id}:dispute': 'judge',
  'POST /v1/indicators/{id}:withdraw': 'judge',
  'POST /v1/indicators/{id}:note': 'judge',
  'GET /v1/indicators/{id}:history': 'read',
  'GET /v1/indicators/{id}:explain': 'read',
  'GET /v1/indicators/{id}:evidence': 'read',
  'GET /v1/indicators/{id}:related': 'read',
  'POST /v1/sensorEvents:ingest': 'send',
  'POST /v1/apiKeys': 'keys',
  'GET /v1/apiKeys': 'keys',
  'POST /v1/apiKeys/{id}:rotate': 'keys',
  'POST /v1/apiKeys/{id}:revoke': 'keys',
  'GET /v1/usage': 'bill',
  'GET /app/data/usage': 'bill',
  'GET /v1/indicators/{id}:stix': 'sign in',
  'GET /app/data/consumers': 'bill',
  'GET /app/data/live': 'read',
  'GET /app/data/collections': 'sign in',
  'GET /app/data/audit': 'administer',
  'GET /app/data/jobs': 'administer',
  'POST /app/data/jobs/retry': 'administer',
  'GET /app/data/people': 'administer',
  'POST /app/data/people': 'administer',
  'POST /app/data/people/change': 'administer',
  'POST /app/data/people/reset': 'administer',
};

const MAY: Readonly<Record<string, readonly Need[]>> = {
  reader: ['sign in', 'read', 'bill'],
  analyst: ['sign in', 'read', 'bill', 'judge'],
  'key-manager': ['sign in', 'read', 'bill', 'keys', 'send'],
  administrator: ['sign in', 'read', 'bill', 'judge', 'keys', 'send', 'administer'],
};

interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

const ROUTES: readonly Route[] = [
  ...OPERATIONS.map((operation) => ({
    name: `${operation.method} ${operation.template}`,
    method: operation.method,
    path: pathOf(operation, UNKNOWN),
  })),
  ...dataRoutes(),
];

/** The routes of `DataRoute` values, as they stand in the source. */
function dataRoutes(): Route[] {
  const folder = new URL('../../src/api/web/', import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.includes('.test'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(/method: '(\w+)',\s+path: '([^']+)'/g),
    ])
    .map(([, method = '', path = '']) => ({
      name: `${method} /app/data${path}`,
      method,
      path: `/app/data${path}`,
    }));
}

let service: RunningService;
let administrator: PageClient & { readonly person: { readonly id: string } };
before(async () => {
  service = await RunningService.start();
  administrator = await service.signIn({ login: 'chief', roles: ['administrator'] });
});
after(() => service.dispose());

const bodyFor = ({ method }: Route) => (method === 'GET' ? {} : { body: { x: 1 } });
const data = (path: string, body: object) => administrator.post(`/app/data/people${path}`, body);

describe('each role against each route', () => {
  it('every route is in the table', () => {
    const missing = ROUTES.map(({ name }) => name).filter((name) => NEEDS[name] === undefined);
    assert.deepEqual(missing, [], 'say in NEEDS what these routes ask for');
    assert.ok(ROUTES.length >= 26);
  });

  for (const [role, may] of Object.entries(MAY)) {
    it(role, async () => {
      const page = await service.signIn({ roles: [role], account: role });
      for (const route of ROUTES) {
        const need = NEEDS[route.name];
        if (need === undefined) continue;
        const { status, text } = await page.send(route.path, { method: route.method, ...bodyFor(route) });
        const allowed = may.includes(need);
        assert.equal(status !== 403, allowed, `${role}: ${route.name} answered ${status} ${text}`);
        assert.notEqual(status, 401, route.name);
        assert.ok(status < 500, route.name);
      }
    });
  }

  it('a page of another origin, a missing header and a missing cookie open nothing', async () => {
    const { cookie } = administrator;
    for (const route of ROUTES) {
      const status = async (headers: Record<string, string>) =>
        (await send(service.url + route.path, { method: route.method, headers, ...bodyFor(route) })).status;
      assert.equal(await status({ ...OF_PAGE, cookie, 'sec-fetch-site': 'cross-site' }), 401, route.name);
      assert.equal(await status({ origin: 'https://evil.example', 'x-tis-request': '1', cookie }), 401);
      assert.equal(await status(OF_PAGE), 401, route.name);
      if (route.method === 'GET') continue;
      assert.equal(await status({ 'sec-fetch-site': 'same-origin', cookie }), 403, route.name);
    }
  });

  it('a page of another origin cannot sign anybody in or out', async () => {
    for (const path of [
      'link',
      'password',
      'passkey',
      'passkey/options',
      'sign-out',
      'sign-out-everywhere',
    ]) {
      const headers = { ...OF_PAGE, 'sec-fetch-site': 'cross-site' };
      const answer = await send(`${service.url}/auth/${path}`, { method: 'POST', headers, body: {} });
      assert.deepEqual([answer.status, answer.headers.get('set-cookie')], [403, null], path);
    }
  });
});

describe('nobody gives what he lacks', () => {
  it('an administrator gives no higher ceiling and no other account', async () => {
    const invite = (more: object) => data('', { login: 'ann', roles: ['reader'], ...more });
    for (const [more, reason] of [
      [{ tlpCeiling: 'RED' }, 'CEILING_BEYOND_ISSUER'],
      [{ account: 'other' }, 'ACCOUNT_BEYOND_ISSUER'],
    ] as const) {
      const { status, text } = await invite(more);
      assert.equal(status, 403, text);
      assert.match(text, new RegExp(reason));
    }
    assert.equal((await invite({ roles: ['owner'] })).status, 400);
    assert.equal((await invite({ reliability: 1 })).status, 400);
    assert.equal((await invite({})).status, 200);
    assert.equal((await invite({})).status, 409);
  });

  it('nobody with more rights can be changed or reset, and nobody of another account is there', async () => {
    const { person: red } = await service.signIn({ roles: ['reader'], tlpCeiling: 'RED' });
    const { person: foreign } = await service.signIn({ account: 'other' });
    for (const path of ['/change', '/reset']) {
      assert.equal((await data(path, { id: red.id })).status, 403);
      assert.equal((await data(path, { id: foreign.id })).status, 404);
    }
    const { text } = await administrator.send('/app/data/people');
    assert.ok(text.includes(red.id) && !text.includes(foreign.id));
  });

  it('the last administrator stays, whoever asks', async () => {
    const { id } = administrator.person;
    for (const change of [{ disabled: true }, { roles: ['reader'] }]) {
      const { status, text } = await data('/change', { id, ...change });
      assert.equal(status, 400);
      assert.match(text, /LAST_ADMINISTRATOR/);
    }
  });

  it('a key administers nobody, and a key manager makes no key beyond himself', async () => {
    const credential = await service.key({ scopes: ['admin'] });
    const path = `${service.url}/app/data/people`;
    assert.equal((await send(path, { credential })).status, 200);
    const invitation = { method: 'POST', credential, body: { login: 'eve', roles: ['administrator'] } };
    assert.match((await send(path, invitation)).text, /PERSON_REQUIRED/);
    const manager = await service.signIn({ roles: ['key-manager'], tlpCeiling: 'GREEN' });
    const make = async (spec: object) => (await manager.post('/v1/apiKeys', { name: 'k', ...spec })).text;
    assert.match(await make({ scopes: ['admin'] }), /SCOPE_BEYOND_ISSUER/);
    assert.match(await make({ scopes: ['indicators:verify'] }), /SCOPE_BEYOND_ISSUER/);
    assert.match(await make({ tlpCeiling: 'TLP_MARKING_AMBER' }), /CEILING_BEYOND_ISSUER/);
    assert.match(await make({ scopes: ['events:write'] }), /"plaintext":"tis_/);
  });
});

describe('within a second', () => {
  it('a person loses a role, and a disabled person everything', async () => {
    const page = await service.signIn({ roles: ['reader', 'key-manager'] });
    const { id } = page.person;
    const status = async (path: string) => (await page.send(path)).status;
    assert.equal(await status('/v1/apiKeys'), 200);
    for (const [change, path] of [
      [{ roles: ['reader'] }, '/v1/apiKeys'],
      [{ disabled: true }, '/v1/usage'],
    ] as const) {
      const changed = Date.now();
      (await data('/change', { id, ...change })).expect(200);
      const { lastLetIn } = await endOfAccess(async () => (await status(path)) === 200);
      assert.ok(lastLetIn - changed < 1_000, `${lastLetIn - changed} ms`);
    }
    assert.equal((await data('/reset', { id })).status, 400);
    (await data('/change', { id, disabled: false })).expect(200);
    assert.equal(await status('/v1/usage'), 401, 'the session of before stays ended');
  });

  it('every act is in the audit log, with the person', async () => {
    const { text } = await administrator.send('/app/data/audit?actor=chief');
    for (const action of ['person.create', 'person.change']) assert.ok(text.includes(action), action);
  });
});
