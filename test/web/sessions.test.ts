// Sessions of people over HTTP: the one-time link, the cookie, and where the cookie counts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { send } from '../support/http-client.ts';
import { OF_PAGE, PageClient } from '../support/page-client.ts';
import { RunningService } from '../support/running-service.ts';

const SEARCH = '/v1/indicators/search';

let service: RunningService;
before(async () => {
  service = await RunningService.start();
});
after(() => service.dispose());

interface SessionAnswer {
  readonly signedIn: boolean;
  readonly firstStart?: boolean;
  readonly person?: { readonly login: string };
  readonly scopes?: readonly string[];
}

const sessionOf = async (page: PageClient) => (await page.send('/auth/session')).expect<SessionAnswer>(200);

describe('the one-time link', () => {
  it('signs in once, with a cookie for this host only', async () => {
    const token = await service.firstLink();
    const page = new PageClient(service.url);
    assert.deepEqual(await sessionOf(page), {
      signedIn: false,
      firstStart: true,
      password: true,
      passkeys: false,
    });
    const answer = await page.post('/auth/link', { token });
    answer.expect(200);
    assert.match(
      answer.headers.getSetCookie()[0] ?? '',
      /^tis-session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { signedIn, person, scopes } = await sessionOf(page);
    assert.deepEqual([signedIn, person?.login, scopes], [true, 'admin', ['admin']]);
    const again = await new PageClient(service.url).post('/auth/link', { token });
    assert.equal(again.status, 401);
    assert.equal(again.headers.get('set-cookie'), null);
    assert.equal((await sessionOf(new PageClient(service.url))).firstStart, false);
    await assert.rejects(service.firstLink(), 'there are people now');
  });
});

describe('a session cookie', () => {
  it('opens the contract with the scopes of the roles', async () => {
    const page = await service.signIn({ roles: ['reader'] });
    assert.equal((await page.post(SEARCH)).status, 200);
    assert.equal((await page.send('/v1/apiKeys')).status, 403);
    const answer = await page.send('/v1/usage');
    assert.equal(answer.status, 200);
    assert.ok(answer.headers.has('ratelimit'));
  });

  it('counts only for pages of the service, and for changes only with the header', async () => {
    const { cookie } = await service.signIn();
    const status = async (headers: Record<string, string>, method = 'POST') => {
      const path = method === 'POST' ? SEARCH : '/v1/usage';
      const body = method === 'POST' ? { body: {} } : {};
      return (await send(service.url + path, { method, headers: { cookie, ...headers }, ...body })).status;
    };
    assert.equal(await status(OF_PAGE), 200);
    assert.equal(await status({ origin: service.url, 'x-tis-request': '1' }), 200);
    assert.equal(await status({ 'sec-fetch-site': 'same-origin' }, 'GET'), 200);
    assert.equal(await status({ 'sec-fetch-site': 'same-origin' }), 403);
    for (const foreign of ['cross-site', 'same-site', 'none'])
      assert.equal(await status({ ...OF_PAGE, 'sec-fetch-site': foreign }), 401, foreign);
    for (const origin of ['http://evil.example', `${service.url}0`, 'null'])
      assert.equal(await status({ origin, 'x-tis-request': '1' }), 401, origin);
    assert.equal(await status({ 'x-tis-request': '1' }), 401);
    assert.equal(await status({ ...OF_PAGE, cookie: `${cookie}; ${cookie}` }), 401);
    assert.equal(await status({ ...OF_PAGE, cookie: `__Host-${cookie}` }), 401);
    assert.equal(await status({ ...OF_PAGE, authorization: 'Bearer no' }), 401);
    const taxii = { ...OF_PAGE, cookie, accept: 'application/taxii+json;version=2.1' };
    assert.equal((await send(`${service.url}/taxii2/collections/`, { headers: taxii })).status, 401);
    const proxy = { headers: { ...OF_PAGE, cookie } };
    assert.equal((await send(`${service.adminUrl}/internal/authorize`, proxy)).status, 401);
  });

  it('is another one after each sign-in, and ends with a sign-out', async () => {
    const page = await service.signIn({ roles: ['administrator'] });
    const planted = page.cookie;
    const token = 'A'.repeat(43);
    assert.equal((await page.post('/auth/link', { token })).status, 401);
    assert.equal(page.cookie, planted);
    assert.equal((await page.post('/auth/sign-out')).status, 204);
    assert.equal(page.cookie, '');
    const old = new PageClient(service.url, planted);
    assert.equal((await sessionOf(old)).signedIn, false);
  });
});
