// Sign-in at an external OpenID Connect issuer: a second oidc-provider in a process of its own.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { changePerson, invitePerson, resetPerson } from '../../src/identity/people-commands.ts';
import { newSecretToken } from '../../src/identity/secret-token.ts';
import { CookieBrowser } from '../support/cookie-browser.ts';
import { ExternalIssuer } from '../support/external-issuer.ts';
import { send } from '../support/http-client.ts';
import { PageClient } from '../support/page-client.ts';
import { RunningService } from '../support/running-service.ts';

let issuer: ExternalIssuer;
let service: RunningService;
before(async () => {
  issuer = await ExternalIssuer.start();
  service = await RunningService.start({
    TIS_OIDC_ISSUER: issuer.url,
    TIS_OIDC_CLIENT_ID: 'tis',
    TIS_OIDC_CLIENT_SECRET: 'a secret of the test',
    TIS_OIDC_NAME: 'Plant',
    TIS_OIDC_ROLES_CLAIM: 'groups',
  });
});
after(async () => {
  await service.dispose();
  await issuer.stop();
});

type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Goes to the issuer and comes back. The callback is not visited yet. */
async function comeBack(claims: Claims, change: (url: URL) => void = () => undefined) {
  await issuer.obey({ redirectUri: `${service.url}/auth/callback`, claims });
  const browser = new CookieBrowser();
  const started = await browser.visit(
    `${service.url}/auth/start?returnTo=${encodeURIComponent('/app/queue?a=b')}`,
  );
  assert.equal(started.status, 303);
  const url = new URL(started.location);
  change(url);
  return { browser, started, callback: await browser.travel(url.href, `${service.url}/auth/callback`) };
}

async function signIn(claims: Claims) {
  const { browser, callback } = await comeBack(claims);
  const landed = await browser.visit(callback);
  const page = new PageClient(service.url, browser.cookiesFor(`${service.url}/app/`));
  const session = (await page.send('/auth/session')).json<{
    signedIn: boolean;
    roles?: string[];
    person?: { login: string; id: string };
    method?: string;
  }>();
  return { landed, session, page };
}

const reasonOf = (location: string) => new URL(location).searchParams.get('error');

describe('somebody the issuer vouches for', () => {
  it('comes in as a reader, and is the same person the next time', async () => {
    const offered = (await send(`${service.url}/auth/session`)).json<{ external: object }>();
    assert.deepEqual(offered.external, { name: 'Plant', startUrl: '/auth/start' });
    const claims = { sub: 'u1', preferred_username: 'Ann', name: 'Ann Analyst' };
    const { landed, session } = await signIn(claims);
    assert.equal(landed.location, `${service.url}/app/queue?a=b`);
    assert.deepEqual(
      [session.signedIn, session.roles, session.person?.login, session.method],
      [true, ['reader'], 'ann', 'openid'],
    );
    const again = await signIn({ ...claims, preferred_username: 'renamed' });
    assert.equal(again.session.person?.id, session.person?.id);
    // Another person with the same name does not become the first one.
    const other = await signIn({ ...claims, sub: 'u2' });
    assert.equal(other.session.person?.login, 'ann-2');
  });

  it('gets the roles of the claim at each sign-in, and nothing after being disabled', async () => {
    const first = await signIn({
      sub: 'u3',
      preferred_username: 'carl',
      groups: ['analyst', 'other', 'key-manager'],
    });
    assert.deepEqual(first.session.roles, ['analyst', 'key-manager']);
    assert.equal((await first.page.post('/v1/indicators/search')).status, 200);
    const second = await signIn({ sub: 'u3', preferred_username: 'carl', groups: ['other'] });
    assert.deepEqual(second.session.roles, ['reader']);
    await changePerson(
      service.stores,
      second.session.person?.id ?? '',
      { disabled: true },
      'cli',
      Date.now(),
    );
    const third = await signIn({ sub: 'u3', preferred_username: 'carl' });
    assert.equal(reasonOf(third.landed.location), 'SIGN_IN_REFUSED');
    assert.equal(third.session.signedIn, false);
  });

  it('binds an invitation to a verified address, and never takes over a person', async () => {
    const invite = (login: string) =>
      invitePerson(
        service.stores,
        { login, roles: ['key-manager'] },
        'cli',
        newSecretToken().hash,
        Date.now(),
      );
    const { person } = await invite('eve@plant.example');
    const unverified = await signIn({ sub: 'u4', email: 'eve@plant.example', email_verified: false });
    assert.notEqual(unverified.session.person?.id, person.id);
    const verified = await signIn({ sub: 'u5', email: 'Eve@plant.example', email_verified: true });
    assert.equal(verified.session.person?.id, person.id);
    assert.deepEqual(verified.session.roles, ['key-manager']);
    const late = await signIn({ sub: 'u6', email: 'eve@plant.example', email_verified: true });
    assert.notEqual(late.session.person?.id, person.id);
    // A reset is for somebody who has come in before.
    const known = await invite('mal@plant.example');
    await resetPerson(service.stores, known.person.id, 'cli', newSecretToken().hash, Date.now());
    const other = await signIn({ sub: 'u7', email: 'mal@plant.example', email_verified: true });
    assert.notEqual(other.session.person?.id, known.person.id);
  });
});

describe('an answer of the issuer is refused', () => {
  const claims = { sub: 'u9', preferred_username: 'ivan' };
  const cases: Record<string, (callback: URL) => void> = {
    'with another state': (callback) => callback.searchParams.set('state', 'x'),
    'without a state': (callback) => callback.searchParams.delete('state'),
    'of another issuer': (callback) => callback.searchParams.set('iss', 'https://evil.example'),
    'without its issuer': (callback) => callback.searchParams.delete('iss'),
    'with another code': (callback) => callback.searchParams.set('code', 'x'),
    'that is an error': (callback) => {
      callback.searchParams.delete('code');
      callback.searchParams.set('error', 'access_denied');
    },
  };
  for (const [what, change] of Object.entries(cases)) {
    it(what, async () => {
      const { browser, callback } = await comeBack(claims);
      const changed = new URL(callback);
      change(changed);
      const { location, headers } = await browser.visit(changed.href);
      assert.equal(reasonOf(location), 'SIGN_IN_REFUSED');
      assert.ok(!headers.getSetCookie().some((cookie) => cookie.startsWith('tis-session')));
      // The transaction is over.
      assert.equal(reasonOf((await browser.visit(callback)).location), 'SIGN_IN_REFUSED');
    });
  }

  it('with another nonce, or another challenge', async () => {
    for (const parameter of ['nonce', 'code_challenge']) {
      const { browser, callback } = await comeBack(claims, (url) =>
        url.searchParams.set(parameter, 'y'.repeat(43)),
      );
      assert.equal(reasonOf((await browser.visit(callback)).location), 'SIGN_IN_REFUSED');
    }
  });

  it('in another browser, and a second time', async () => {
    const { browser, started, callback } = await comeBack(claims);
    assert.equal(reasonOf((await new CookieBrowser().visit(callback)).location), 'SIGN_IN_REFUSED');
    const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    assert.match(started.headers.getSetCookie()[0] ?? '', /; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    assert.equal((await browser.visit(callback)).location, `${service.url}/app/queue?a=b`);
    const replayed = await send(callback, { headers: { cookie, accept: 'application/json' } });
    assert.equal(replayed.status, 401);
  });
});

it('sends nobody to another site', async () => {
  for (const returnTo of [
    'https://evil.example/',
    '//evil.example',
    '/app/../v1',
    '/v1/apiKeys',
    '/app/\\evil.example',
  ]) {
    const answer = await send(`${service.url}/auth/start?returnTo=${encodeURIComponent(returnTo)}`);
    assert.equal(answer.status, 400, returnTo);
  }
  const { started } = await comeBack({ sub: 'u1' });
  const foreign = new URL(started.location);
  foreign.searchParams.set('redirect_uri', 'https://evil.example/callback');
  assert.equal((await new CookieBrowser().visit(foreign.href)).status, 400);
});

it('an issuer that is away does not stop the service', async () => {
  const { browser, callback } = await comeBack({ sub: 'u1' });
  await issuer.stop();
  assert.equal(reasonOf((await browser.visit(callback)).location), 'IDENTITY_PROVIDER_UNAVAILABLE');
  await service.restart();
  const answer = await send(`${service.url}/auth/start`, { headers: { accept: 'application/json' } });
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get('retry-after')) >= 1);
  assert.equal((await send(`${service.url}/auth/session`)).status, 200);
});
