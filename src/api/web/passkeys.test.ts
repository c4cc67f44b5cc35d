import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { MINUTE } from '../../domain/instant.ts';
import { Authenticator, type Behaviour } from '../../identity/authenticator.test-support.ts';
import { type Browser, WebServer } from './web-server.test-support.ts';

const PARTY = 'localhost';
const ORIGIN = 'http://localhost:8080';

interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly allowCredentials?: readonly object[];
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

describe('passkeys', () => {
  let server: WebServer;
  let device: Authenticator;
  beforeEach(async () => {
    server = await WebServer.start();
    device = new Authenticator(PARTY, ORIGIN);
  });
  afterEach(() => server.stop());

  const member = async (login: string): Promise<Browser> => {
    const { token } = await server.invite(login);
    const browser = server.browser();
    await browser.post('/auth/link', { token, password: 'seven quiet turbines' });
    return browser;
  };
  const optionsOf = async (browser: Browser, path: string): Promise<Options> =>
    (JSON.parse((await browser.post(path)).text) as { options: Options }).options;
  const register = async (browser: Browser, behaviour?: Behaviour) => {
    const response = device.create(await optionsOf(browser, '/auth/passkeys/options'), behaviour);
    return browser.post('/auth/passkeys', { name: 'laptop', response });
  };
  const answer = async (behaviour?: Behaviour) =>
    device.get(await optionsOf(server.browser(), '/auth/passkey/options'), behaviour);
  const signIn = async (response: object) => server.browser().post('/auth/passkey', { response });
  const listed = async (browser: Browser) =>
    (JSON.parse((await browser.get('/auth/passkeys')).text) as { passkeys: { id: string; name: string }[] })
      .passkeys;

  it('sign in without a login name', async () => {
    const browser = await member('ann');
    assert.equal((await register(browser)).status, 201);
    const options = await optionsOf(server.browser(), '/auth/passkey/options');
    assert.deepEqual([options.rpId, options.allowCredentials ?? []], [PARTY, []]);
    const other = server.browser();
    const signedIn = await other.post('/auth/passkey', { response: device.get(options) });
    assert.equal(signedIn.status, 200, signedIn.text);
    const { person, method } = JSON.parse((await other.get('/auth/session')).text);
    assert.deepEqual([person.login, method], ['ann', 'passkey']);
  });

  it('a challenge works once, for five minutes, for one purpose', async () => {
    const browser = await member('ann');
    await register(browser);
    // An authenticator that does not count.
    const response = await answer({ counter: 0 });
    assert.equal((await signIn(response)).status, 200);
    assert.equal((await signIn(response)).status, 401, 'replayed');
    const { challenge } = await optionsOf(browser, '/auth/passkeys/options');
    assert.equal((await signIn(await answer({ challenge }))).status, 401, 'of another purpose');
    const forged = Buffer.from(challenge, 'base64url').fill(1, 20).toString('base64url');
    assert.equal((await signIn(await answer({ challenge: forged }))).status, 401, 'forged');
    const late = await answer();
    server.now += 5 * MINUTE;
    assert.equal((await signIn(late)).status, 401, 'late');
  });

  it('an answer of another site, of nobody, or of another device signs nobody in', async () => {
    const browser = await member('ann');
    await register(browser);
    const faults: readonly Behaviour[] = [
      { origin: 'http://localhost:8081' },
      { origin: 'https://evil.example' },
      { verifiesUser: false },
      { userHandle: Buffer.from('another person').toString('base64url') },
    ];
    for (const fault of faults)
      assert.equal((await signIn(await answer(fault))).status, 401, JSON.stringify(fault));
    const copy = await answer({ counter: 9 });
    assert.equal((await signIn(copy)).status, 200);
    assert.equal((await signIn(await answer({ counter: 9 }))).status, 401, 'a copied passkey');
    const stranger = new Authenticator(PARTY, ORIGIN);
    const options = await optionsOf(server.browser(), '/auth/passkey/options');
    assert.equal((await signIn(stranger.get(options))).status, 401);
    Object.assign(stranger, { id: device.id });
    const signed = stranger.get(options, { counter: 50 });
    assert.equal((await signIn(signed)).status, 401, 'a known id and another key');
  });

  it('junk is refused and nothing else', async () => {
    const browser = await member('ann');
    const junk = [
      null,
      1,
      'x',
      {},
      [],
      { id: 'x' },
      { id: 'x', response: null },
      { id: [], response: { a: {} } },
    ];
    for (const response of junk) {
      assert.equal((await browser.post('/auth/passkeys', { name: 'x', response })).status, 401);
      assert.equal((await signIn(response as object)).status, 401, JSON.stringify(response));
    }
    const nested = Buffer.alloc(30_000, 0x81).toString('base64url');
    const response = { id: 'x', rawId: 'x', type: 'public-key', response: { attestationObject: nested } };
    assert.equal((await browser.post('/auth/passkeys', { name: 'x', response })).status, 401);
  });

  it('are listed and removed by their person only, and end with a reset', async () => {
    const [ann, bob] = [await member('ann'), await member('bob')];
    await register(ann);
    assert.equal((await register(bob)).status, 401, 'known already');
    const [passkey] = await listed(ann);
    assert.equal(passkey?.name, 'laptop');
    assert.deepEqual(await listed(bob), []);
    assert.equal((await bob.delete(`/auth/passkeys/${passkey?.id}`)).status, 404);
    const again = await optionsOf(ann, '/auth/passkeys/options');
    assert.deepEqual(
      again.excludeCredentials?.map(({ id }) => id),
      [passkey?.id],
    );
    assert.equal((await ann.delete(`/auth/passkeys/${passkey?.id}`)).status, 204);
    assert.equal((await signIn(await answer())).status, 401);
    await register(ann);
    const person = await server.stores.people.byLogin('ann');
    assert.ok(person);
    const token = await server.reset(person);
    await server.browser().post('/auth/link', { token, password: 'eight quiet turbines' });
    assert.equal((await signIn(await answer())).status, 401);
  });
});
