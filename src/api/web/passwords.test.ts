import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../domain/instant.ts';
import { createPasswordHashing } from '../../identity/password-hash.ts';
import { type Browser, WebServer } from './web-server.test-support.ts';

const GOOD = 'seven quiet turbines';

describe('passwords', () => {
  let server: WebServer;
  beforeEach(async () => {
    server = await WebServer.start();
  });
  afterEach(() => server.stop());

  const signIn = (browser: Browser, login: string, password = GOOD) =>
    browser.post('/auth/password', { login, password });

  /** A person with a password, and the browser in which it was set. */
  const member = async (login: string) => {
    const { person, token } = await server.invite(login);
    const browser = server.browser();
    assert.equal((await browser.post('/auth/link', { token, password: GOOD })).status, 200);
    return { person, browser };
  };
  const isSignedIn = async (browser: Browser) =>
    (JSON.parse((await browser.get('/auth/session')).text) as { signedIn: boolean }).signedIn;

  it('an invitation asks for a password, and works once', async () => {
    const { token } = await server.invite('ann@plant.example');
    const browser = server.browser();
    const asked = await browser.post('/auth/link', { token });
    assert.deepEqual(JSON.parse(asked.text), {
      needs: 'password',
      purpose: 'invitation',
      login: 'ann@plant.example',
    });
    assert.deepEqual(asked.setCookies, []);
    const weak = await browser.post('/auth/link', { token, password: 'ann@plant.example' });
    assert.match(weak.text, /password: must not be the login/);
    assert.equal((await browser.post('/auth/link', { token, password: GOOD })).status, 200);
    assert.equal(await isSignedIn(browser), true);
    assert.equal((await server.browser().post('/auth/link', { token, password: GOOD })).status, 401);
    assert.equal((await signIn(server.browser(), ' Ann@Plant.example ')).status, 200);
  });

  it('an invitation ends after seven days, and with the next link', async () => {
    const { person, token } = await server.invite('ann');
    const next = await server.reset(person);
    assert.equal((await server.browser().post('/auth/link', { token })).status, 401);
    server.now += DAY;
    assert.equal((await server.browser().post('/auth/link', { token: next })).status, 401);
  });

  it('whoever may not sign in gets one answer after equal work', async () => {
    const { person } = await member('ann');
    const { person: off } = await member('bob');
    await server.invite('new');
    await server.stores.write((tx) => tx.people.update({ ...off, disabledAt: 1 }));
    const answers = new Set<string>();
    for (const login of ['ann', 'bob', 'new', 'nobody']) {
      const before = server.hashes;
      const password = login === 'ann' ? 'a wrong password' : GOOD;
      const { status, text, setCookies } = await signIn(server.browser(), login, password);
      assert.deepEqual([status, setCookies, server.hashes - before], [401, [], 1], login);
      answers.add(text);
    }
    assert.equal(answers.size, 1);
    assert.ok(![...answers].join().includes(person.id));
  });

  it('guessing ends early by address and by login, and locks no known browser out', async () => {
    const { browser } = await member('ann');
    await browser.post('/auth/sign-out');
    const guesses = async (login: (at: number) => string, address: (at: number) => string, count: number) => {
      let let_in = 0;
      for (let at = 0; at < count; at++) {
        const { status } = await signIn(server.browser(address(at)), login(at), 'a wrong password');
        if (status !== 429) let_in += 1;
      }
      return let_in;
    };
    assert.equal(
      await guesses(
        (at) => `person${at}`,
        () => '192.0.2.1',
        60,
      ),
      40,
    );
    const { token } = await server.invite('new');
    assert.equal((await server.browser().post('/auth/link', { token: 'x' })).status, 429, 'a wrong link');
    assert.equal((await server.browser().post('/auth/link', { token, password: GOOD })).status, 200);
    assert.equal(
      await guesses(
        () => 'ann',
        (at) => `198.51.100.${at + 2}`,
        60,
      ),
      20,
    );
    assert.equal(
      await guesses(
        () => 'nobody',
        (at) => `203.0.113.${at + 2}`,
        60,
      ),
      20,
    );
    assert.equal((await signIn(server.browser('192.0.2.9'), 'ann')).status, 429);
    assert.equal((await signIn(browser, 'ann')).status, 200);
    const stranger = server.browser('192.0.2.10');
    stranger.cookies.set('tis-device', browser.cookies.get('tis-device') ?? '');
    assert.equal(
      await guesses(
        () => 'bob',
        (at) => `192.0.2.${at + 20}`,
        20,
      ),
      20,
    );
    assert.equal((await signIn(stranger, 'bob')).status, 429, 'the mark is for one login');
    server.now += MINUTE;
    assert.equal((await signIn(server.browser('192.0.2.9'), 'ann')).status, 200);
  });

  it('a changed password ends the other sessions', async () => {
    const { browser } = await member('ann');
    const other = server.browser();
    assert.equal((await signIn(other, 'ann')).status, 200);
    const change = (currentPassword: string, newPassword: string) =>
      browser.post('/auth/change-password', { currentPassword, newPassword });
    assert.equal((await change('not the password', 'eight quiet turbines')).status, 400);
    assert.equal((await change(GOOD, 'password1234')).status, 400);
    assert.equal((await change(GOOD, 'eight quiet turbines')).status, 204);
    server.now += 1_000;
    assert.deepEqual([await isSignedIn(browser), await isSignedIn(other)], [true, false]);
    assert.equal((await signIn(other, 'ann')).status, 401);
    assert.equal((await signIn(other, 'ann', 'eight quiet turbines')).status, 200);
  });

  it('a reset ends the sessions and the password of before when it is used', async () => {
    const { person, browser } = await member('ann');
    const token = await server.reset(person);
    assert.equal(await isSignedIn(browser), true);
    assert.equal(
      (await server.browser().post('/auth/link', { token, password: 'eight quiet turbines' })).status,
      200,
    );
    server.now += 1_000;
    assert.equal(await isSignedIn(browser), false);
    assert.equal((await signIn(server.browser(), 'ann')).status, 401);
  });

  it('a hash of other parameters is renewed at the next sign-in, and sessions stay', async () => {
    const { person, browser } = await member('ann');
    const old = await createPasswordHashing({ cost: 4, blockSize: 1, parallelization: 1 }).hash(GOOD, 7);
    await server.stores.write((tx) => tx.people.setPassword(person.id, old));
    assert.equal((await signIn(server.browser(), 'ann')).status, 200);
    const renewed = await server.stores.people.passwordOf(person.id);
    assert.deepEqual([renewed?.cost, renewed?.setAt], [2, 7]);
    assert.equal(await isSignedIn(browser), true);
    assert.equal((await signIn(server.browser(), 'ann')).status, 200);
  });

  it('sessions are listed without what opens them, and end one by one and all together', async () => {
    const { browser } = await member('ann');
    const [second, third] = [server.browser('2001:db8:1:2::9'), server.browser()];
    for (const one of [second, third]) await signIn(one, 'ann');
    const list = async () =>
      (JSON.parse((await browser.get('/auth/sessions')).text) as { sessions: Record<string, unknown>[] })
        .sessions;
    const sessions = await list();
    assert.deepEqual(sessions.map(({ address, method, current }) => [address, method, current]).sort(), [
      ['192.0.2.0/24', 'link', true],
      ['192.0.2.0/24', 'password', false],
      ['2001:db8:1::/48', 'password', false],
    ]);
    const other = sessions.find(({ address }) => address === '2001:db8:1::/48')?.id;
    assert.equal((await browser.delete(`/auth/sessions/${other}`)).status, 204);
    assert.equal((await browser.delete(`/auth/sessions/${other}`)).status, 404);
    server.now += 1_000;
    assert.deepEqual([await isSignedIn(second), await isSignedIn(third)], [false, true]);
    assert.equal((await browser.post('/auth/sign-out-everywhere')).status, 204);
    server.now += 1_000;
    assert.deepEqual([await isSignedIn(browser), await isSignedIn(third)], [false, false]);
  });

  it('a session ends without use and after a week, and has one for each sign-in', async () => {
    const { browser } = await member('ann');
    const first = browser.cookies.get('tis-session');
    server.now += 12 * HOUR - 1;
    assert.equal(await isSignedIn(browser), true);
    assert.equal((await signIn(browser, 'ann')).status, 200);
    assert.notEqual(browser.cookies.get('tis-session'), first);
    const old = server.browser();
    old.cookies.set('tis-session', first ?? '');
    assert.equal(await isSignedIn(old), false);
    server.now += 12 * HOUR;
    assert.equal(await isSignedIn(browser), false);
  });
});
