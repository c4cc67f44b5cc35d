// The embedded OpenID provider over HTTP, with the client library that dashboards use.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as oidc from 'openid-client';
import { changePerson } from '../../src/identity/people-commands.ts';
import {
  type ClientSpec,
  createClient,
  type MadeClient,
  revokeClient,
} from '../../src/identity/provider/client-commands.ts';
import { CookieBrowser } from '../support/cookie-browser.ts';
import { send } from '../support/http-client.ts';
import { OF_PAGE, type PageClient } from '../support/page-client.ts';
import { RunningService } from '../support/running-service.ts';
import { until } from '../support/until.ts';

const RETURN = 'http://127.0.0.1:9/return';

let service: RunningService;
before(async () => {
  service = await RunningService.start();
});
after(() => service.dispose());

const made = (spec: Partial<ClientSpec> = {}): Promise<MadeClient> =>
  createClient(
    service.stores,
    { name: 'dashboard', confidential: false, redirectUris: [RETURN], ...spec },
    Date.now(),
  );

async function configured({ client, secret }: MadeClient): Promise<oidc.Configuration> {
  const authentication = secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret);
  return oidc.discovery(new URL(`${service.url}/oidc`), client.id, secret, authentication, {
    execute: [oidc.allowInsecureRequests],
  });
}

/** An authorization request, and the page that a person is sent to. */
async function begin(config: oidc.Configuration, scope: string, more: Record<string, string> = {}) {
  const verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: RETURN,
    scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  const browser = new CookieBrowser();
  const page = await browser.travel(url.href, `${service.url}/auth/interaction/`);
  return { browser, page, verifier, state, nonce };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** What the page asks or says, with the cookies of the browser and the session of the person. */
function say(
  { browser, page }: Pick<Begun, 'browser' | 'page'>,
  person: PageClient | undefined,
  path?: string,
) {
  const cookie = [browser.cookiesFor(page), person?.cookie ?? ''].filter((text) => text !== '').join('; ');
  return send(page + (path ?? ''), {
    headers: { ...OF_PAGE, cookie, accept: 'application/json' },
    ...(path === undefined ? {} : { method: 'POST', body: {} }),
  });
}

async function agree(begun: Begun, person: PageClient): Promise<URL> {
  const { continueTo } = (await say(begun, person, '')).expect<{ continueTo: string }>(200);
  return new URL(await begun.browser.travel(continueTo, RETURN));
}

function redeem(config: oidc.Configuration, returned: URL, { verifier, state, nonce }: Begun) {
  return oidc.authorizationCodeGrant(config, returned, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  });
}

const searchWith = async (token: string) =>
  (await service.as(token).send('/v1/indicators/search', { method: 'POST', body: {} })).status;

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('a dashboard', () => {
  it('gets a token of a person by code with PKCE, limited to the rights of both', async () => {
    const person = await service.signIn({ roles: ['analyst'], tlpCeiling: 'GREEN' });
    const registered = await made({ scopes: ['indicators:read', 'indicators:verify', 'keys:manage'] });
    const config = await configured(registered);
    const begun = await begin(config, 'openid profile indicators:read indicators:verify keys:manage admin');
    assert.deepEqual((await say(begun, undefined)).expect<{ scopes: string[] }>(200).scopes, [
      'indicators:read',
      'indicators:verify',
      'keys:manage',
    ]);
    const shown = (await say(begun, person)).expect<Record<string, unknown>>(200);
    assert.deepEqual(shown.client, { id: registered.client.id, name: 'dashboard' });
    assert.deepEqual(shown.granted, ['indicators:read', 'indicators:verify']);
    assert.equal(shown.returnsTo, '127.0.0.1:9');
    const returned = await agree(begun, person);
    assert.equal(returned.searchParams.get('iss'), `${service.url}/oidc`);
    const tokens = await redeem(config, returned, begun);
    assert.equal(tokens.scope, 'indicators:read indicators:verify');
    assert.equal(tokens.claims()?.sub, person.person.id);
    assert.equal(tokens.claims()?.preferred_username, person.person.login);
    const { aud, iss, client_id, scope, exp, iat } = claimsOf(tokens.access_token);
    assert.deepEqual(
      [aud, iss, client_id, scope, Number(exp) - Number(iat)],
      [`${service.url}/v1`, `${service.url}/oidc`, registered.client.id, tokens.scope, 3_600],
    );
    assert.equal(await searchWith(tokens.access_token), 200);
    assert.equal((await service.as(tokens.access_token).send('/v1/apiKeys')).status, 403);
    // A code is good for once.
    await assert.rejects(redeem(config, returned, begun), /invalid_grant|response body/);
    // The ID token is no access token.
    assert.equal(await searchWith(tokens.id_token ?? ''), 401);
    // Roles and people change after a token was made.
    await changePerson(service.stores, person.person.id, { roles: ['reader'] }, 'cli', Date.now());
    const id = '00000000-0000-4000-8000-000000000000';
    const verify = () =>
      service.as(tokens.access_token).send(`/v1/indicators/${id}:verify`, { method: 'POST' });
    await until('the token lost a right', async () => (await verify()).status === 403, 1_000);
    await changePerson(service.stores, person.person.id, { disabled: true }, 'cli', Date.now());
    await until('the person is out', async () => (await searchWith(tokens.access_token)) === 401, 1_000);
  });

  it('gets no code when the person refuses, or in another browser', async () => {
    const person = await service.signIn();
    const config = await configured(await made());
    const begun = await begin(config, 'openid indicators:read');
    const elsewhere = { browser: new CookieBrowser(), page: begun.page };
    assert.equal((await say(elsewhere, person, '')).status, 404);
    assert.equal((await say(begun, undefined, '')).status, 401);
    const foreign = { 'sec-fetch-site': 'cross-site' };
    assert.equal((await send(begun.page, { method: 'POST', body: {}, headers: foreign })).status, 403);
    const { continueTo } = (await say(begun, person, '/refuse')).expect<{ continueTo: string }>(200);
    const returned = new URL(await begun.browser.travel(continueTo, RETURN));
    assert.equal(returned.searchParams.get('error'), 'access_denied');
    assert.equal((await say(begun, person, '')).status, 404);
  });

  it('is refused with a foreign address, without PKCE, and for another audience', async () => {
    const config = await configured(await made());
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: `${RETURN}/`,
      scope: 'openid',
      state: 's',
    });
    const answer = await new CookieBrowser().visit(url.href);
    assert.deepEqual([answer.status, answer.location], [400, '']);
    assert.match(answer.text, /redirect_uri/);
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    for (const [parameter, value, error] of [
      ['code_challenge_method', 'plain', 'invalid_request'],
      ['resource', 'https://other.example', 'invalid_target'],
      ['response_type', 'token', 'invalid_request'],
      ['prompt', 'none', 'login_required'],
    ] as const) {
      url.searchParams.set('redirect_uri', RETURN);
      url.searchParams.set('code_challenge', 'x'.repeat(43));
      url.searchParams.set('code_challenge_method', 'S256');
      const bad = new URL(url);
      bad.searchParams.set(parameter, value);
      const { location } = await new CookieBrowser().visit(bad.href);
      const { search, hash } = new URL(location);
      assert.equal(new URLSearchParams(search || hash.slice(1)).get('error'), error, location);
    }
    url.searchParams.delete('code_challenge');
    const { location } = await new CookieBrowser().visit(url.href);
    assert.equal(new URL(location).searchParams.get('error'), 'invalid_request');
  });
});

describe('signing out', () => {
  const LEFT = 'http://127.0.0.1:9/left';
  const signedIn = async (page: PageClient) =>
    (await page.send('/auth/session')).expect<{ signedIn: boolean }>(200).signedIn;

  it('asks the person, ends the session of this browser, and leads back', async () => {
    const person = await service.signIn();
    const registered = await made({ postLogoutRedirectUris: [LEFT] });
    const config = await configured(registered);
    const begun = await begin(config, 'openid');
    const tokens = await redeem(config, await agree(begun, person), begun);
    const end = oidc.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: LEFT,
      state: 'bye',
    });
    const page = await begun.browser.visit(end.href);
    assert.equal(page.status, 200, page.text);
    assert.doesNotMatch(page.text, /<script/);
    const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(page.text) ?? [];
    const confirm = (fields: Record<string, string>) => {
      const url = `${service.url}/oidc/session/end/confirm`;
      const cookie = `${begun.browser.cookiesFor(url)}; ${person.cookie}`;
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(fields).toString();
      return fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
    };
    assert.equal((await confirm({ xsrf: 'guessed', logout: 'yes' })).status, 400);
    assert.equal(await signedIn(person), true);
    const left = await confirm({ xsrf, logout: 'yes' });
    assert.equal(left.headers.get('location'), `${LEFT}?state=bye`);
    assert.equal(await signedIn(person), false);
  });

  it('ends nothing where a foreign page sends the browser, and leads to no foreign address', async () => {
    const person = await service.signIn();
    const registered = await made();
    const end = new URL(`${service.url}/oidc/session/end?post_logout_redirect_uri=https://evil.example/`);
    const answer = await fetch(end, { headers: { cookie: person.cookie, accept: 'text/html' } });
    const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(await answer.text()) ?? [];
    const cookie = `${answer.headers.getSetCookie()[0]?.split(';')[0]}; ${person.cookie}`;
    const confirmed = await fetch(`${service.url}/oidc/session/end/confirm`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
      redirect: 'manual',
    });
    assert.equal(confirmed.headers.get('location'), `${service.url}/oidc/session/end/success`);
    assert.equal(await signedIn(person), true);
    end.searchParams.set('client_id', registered.client.id);
    assert.equal((await fetch(end)).status, 400);
  });
});

describe('a service', () => {
  const scopes = ['indicators:read', 'indicators:verify', 'admin'];
  const ofItself = (registered: MadeClient, scope: string) =>
    configured(registered).then((config) => oidc.clientCredentialsGrant(config, { scope }));

  it('gets a token for itself, which confirms and administers nothing', async () => {
    const registered = await made({ confidential: true, redirectUris: [], scopes });
    const { access_token, scope } = await ofItself(registered, 'indicators:read indicators:verify admin');
    assert.equal(scope, 'indicators:read');
    assert.equal(claimsOf(access_token).sub, registered.client.id);
    assert.equal(await searchWith(access_token), 200);
    const taxii = await service.as(access_token).send('/taxii2/collections/');
    assert.equal(taxii.status, 403);
    await revokeClient(service.stores, registered.client.id, Date.now());
    await until('the client is out', async () => (await searchWith(access_token)) === 401, 1_000);
    await assert.rejects(ofItself(registered, 'indicators:read'), /challenge/);
  });

  it('ends with its owner', async () => {
    const { person } = await service.signIn({ roles: ['reader'] });
    const registered = await made({ confidential: true, redirectUris: [], scopes, owner: person.login });
    const { access_token } = await ofItself(registered, 'indicators:read');
    assert.equal(await searchWith(access_token), 200);
    await changePerson(service.stores, person.id, { disabled: true }, 'cli', Date.now());
    await until('the owner is out', async () => (await searchWith(access_token)) === 401, 1_000);
  });

  it('needs its own secret', async () => {
    const registered = await made({ confidential: true, redirectUris: [] });
    const other = await made({ confidential: true, redirectUris: [] });
    await assert.rejects(
      ofItself({ client: registered.client, secret: other.secret ?? '' }, 'indicators:read'),
      /challenge/,
    );
  });
});

it('an address that begins too many sign-ins is slowed down, and the rest is not', async () => {
  const { client } = await made();
  const parameters = { client_id: client.id, redirect_uri: RETURN, response_type: 'code', scope: 'openid' };
  const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  const url = `${service.url}/oidc/auth?${new URLSearchParams({ ...parameters, ...challenge })}`;
  const statuses = new Set<number>();
  for (let starts = 0; starts < 130; starts++) {
    const answer = await fetch(url, { redirect: 'manual' });
    await answer.arrayBuffer();
    statuses.add(answer.status);
  }
  assert.deepEqual([...statuses].sort(), [303, 429]);
  assert.equal((await send(`${service.url}/oidc/jwks`)).status, 200);
});
