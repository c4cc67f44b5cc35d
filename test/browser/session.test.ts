// Signing in and out in a real browser: one-time link, password, an ended session that keeps what was typed, two tabs.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { TestBrowser, WITHOUT_BROWSER } from '../support/browser.ts';
import { assertAccessible, assertHostileTextIsText, HOSTILE_TEXTS } from '../support/page-checks.ts';
import { RunningService } from '../support/running-service.ts';

const PASSWORD = 'seven quiet turbines';

describe('signing in', { skip: WITHOUT_BROWSER }, () => {
  let service: RunningService;
  let browser: TestBrowser;

  before(async () => {
    [service, browser] = await Promise.all([RunningService.start(), TestBrowser.start()]);
  });
  after(async () => {
    await browser?.close();
    await service?.dispose();
  });

  const signIn = async (page: Page, login: string, password = PASSWORD) => {
    const form = page.locator('form').last();
    await form.getByLabel('Name').fill(login);
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button', { name: 'Sign in' }).click();
  };
  /** A person with a password, and a cookie of a session of his. */
  const member = async (login: string, name = login) => {
    const client = await service.signIn({ login, name });
    const changed = await client.post('/auth/change-password', { newPassword: PASSWORD });
    assert.equal(changed.status, 204, changed.text);
    return client;
  };

  test('by password, to the page that was asked for; a wrong one is refused', async () => {
    await member('ann');
    const { page, open } = await browser.window({ url: service.url });
    await open('/app/account?x=1');
    await page.waitForURL('**/app/sign-in?returnTo=*');
    await assertAccessible(page);
    await signIn(page, 'ann', 'not the password');
    await page.getByRole('alert').filter({ hasText: 'do not belong together' }).waitFor();
    await signIn(page, 'ann');
    await page.waitForURL('**/app/account?x=1');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    browser.assertNoFaults();
  });

  test('a link that is used up says so, and its token leaves the address', async () => {
    const { page, open } = await browser.window({ url: service.url });
    await open('/app/welcome#not-a-token');
    await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    await assertAccessible(page);
  });

  test('an ended session asks for the password on top of the page, and nothing typed is lost', async () => {
    const { cookie } = await member('ben');
    const { page, open } = await browser.window({ url: service.url, cookie });
    await open('/app/account');
    await page.getByLabel('Name of the new passkey').fill('typed before');
    await page.getByText('this one').waitFor();
    // The dialog is in a file of its own.
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await signIn(page, 'ben');
    // The refused request is sent again: the session of before is ended now.
    await page.getByText('The session is ended').waitFor();
    assert.equal(await page.getByLabel('Name of the new passkey').inputValue(), 'typed before');
    browser.assertNoFaults();
  });

  test('signed out in one tab is signed out in the other', async () => {
    const { cookie } = await member('eve');
    const { page, open } = await browser.window({ url: service.url, cookie });
    await open('/app/account');
    const other = await page.context().newPage();
    await other.goto('/app/account');
    await other.getByRole('button', { name: 'Your account' }).click();
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('**/app/sign-in?*');
    await other.waitForURL('**/app/sign-in?*');
    assert.equal(
      (await service.as().send('/auth/session', { headers: { cookie } })).json<{ signedIn: boolean }>()
        .signedIn,
      false,
    );
  });

  test('by a passkey that was added on the account page', async () => {
    const { cookie } = await service.signIn({ login: 'kim' });
    // A passkey belongs to a name, and addresses have none.
    const url = service.url.replace('127.0.0.1', 'localhost');
    const { page, open } = await browser.window({ url, cookie });
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await open('/app/account');
    await page.getByLabel('Name of the new passkey').fill('work laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Remove work laptop' }).waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    browser.assertNoFaults();
  });

  test('another application is let in only by a click, and its name is text', async () => {
    const { cookie } = await service.signIn({ login: 'otto' });
    const { page, open } = await browser.window({ url: service.url, cookie });
    const pending = {
      client: { id: 'c', name: HOSTILE_TEXTS.script },
      returnsTo: 'dashboard.example',
      scopes: ['indicators:read'],
      granted: ['indicators:read'],
      expireTime: new Date().toISOString(),
    };
    const asked: string[] = [];
    await page.route('**/auth/interaction/abc', (route) => {
      asked.push(route.request().method());
      return route.fulfill({ json: asked.length === 1 ? pending : { continueTo: '/app/account' } });
    });
    await open('/app/sign-in?interaction=abc');
    await page.getByText('dashboard.example').waitFor();
    await assertHostileTextIsText(page);
    await assertAccessible(page);
    assert.deepEqual(asked, ['GET']);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL('**/app/account');
    assert.deepEqual(asked, ['GET', 'POST']);
    browser.assertNoFaults();
  });

  test('the own account stands hostile names, in both themes and widths', async () => {
    const { cookie } = await member('mallory', HOSTILE_TEXTS.script);
    const { page, open } = await browser.window({ url: service.url, cookie });
    await open('/app/account');
    await page.getByText('this one').waitFor();
    await assertHostileTextIsText(page);
    await assertAccessible(page);
    browser.assertNoFaults();
  });
});
