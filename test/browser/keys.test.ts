// Keys, use and administration in a real browser: a key that is made there works, and ends when it is revoked there.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestBrowser, WITHOUT_BROWSER, type Window } from '../support/browser.ts';
import { assertAccessible, assertHostileTextIsText, HOSTILE_TEXTS } from '../support/page-checks.ts';
import { PageClient } from '../support/page-client.ts';
import { RunningService } from '../support/running-service.ts';
import { until } from '../support/until.ts';

describe('keys, use and administration', { skip: WITHOUT_BROWSER }, () => {
  let service: RunningService;
  let browser: TestBrowser;
  let window: Window;

  before(async () => {
    [service, browser] = await Promise.all([RunningService.start(), TestBrowser.start()]);
    const { cookie } = await service.signIn({ roles: ['administrator'] });
    window = await browser.window({ url: service.url, cookie });
  });
  after(async () => {
    await browser?.close();
    await service?.dispose();
  });

  const searchWith = async (key: string) =>
    (await service.as(key).send('/v1/indicators/search', { method: 'POST', body: {} })).status;

  test('a key is made, shown once, counted, and refused within a second after it is revoked', async () => {
    const { page } = window;
    await window.open('/app/keys');
    await page.getByText('No key yet').waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('siem of the plant');
    await page.getByLabel('Ends after').selectOption('30 days');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const key =
      (await page.getByRole('figure', { name: 'the key', exact: true }).locator('pre').textContent()) ?? '';
    assert.match(key, /^tis_[0-9A-Za-z]{49}$/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    for (let pages = 0; pages < 3; pages++) assert.equal(await searchWith(key), 200);

    await window.open('/app/usage');
    const row = page.getByRole('row', { name: /siem of the plant/ });
    await row.waitFor();
    assert.deepEqual(await row.getByRole('cell').allTextContents(), [
      'siem of the plant',
      '3',
      '100%',
      '3',
      '0',
      '0',
      '0',
    ]);

    await window.open('/app/keys');
    await page.getByRole('button', { name: 'Revoke: siem of the plant' }).click();
    await page.getByText('No other key ends with it.').waitFor();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await page.getByText('siem of the plant is revoked').waitFor();
    await until('a refused key', async () => (await searchWith(key)) === 401 || undefined, 1_000);
  });

  test('an administrator invites somebody, who is refused within a second after he is disabled', async () => {
    const { page } = window;
    await window.open('/app/admin/people');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('Login').fill('ann@plant.example');
    await page.getByRole('button', { name: 'Make the invitation' }).click();
    const link = (await page.getByRole('figure', { name: 'the link' }).locator('pre').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have sent it' }).click();
    const ann = new PageClient(service.url);
    const invitation = { token: link.split('#')[1] ?? '', password: 'a sentence of four words' };
    assert.equal((await ann.post('/auth/link', invitation)).status, 200);
    const isSignedIn = async () =>
      (await ann.send('/auth/session')).expect<{ signedIn: boolean }>(200).signedIn;
    assert.equal(await isSignedIn(), true);
    await page.getByRole('button', { name: 'Disable: ann@plant.example' }).click();
    await page.getByText('open sessions have ended').waitFor();
    await until('an ended session', async () => !(await isSignedIn()) || undefined, 1_000);
  });

  test('every page stands both themes and widths, and text of attackers', async () => {
    const { page } = window;
    for (const name of [HOSTILE_TEXTS.script, HOSTILE_TEXTS.template, 'invoice\u05D0fdp']) {
      await service.key({ name, expiresAt: Date.now() + 3_600_000 });
    }
    for (const [path, text] of [
      ['/app/keys', 'keys end within seven days'],
      ['/app/usage', 'Requests over a limit'],
      ['/app/admin/people', 'ann@plant.example'],
      ['/app/admin/audit', 'key.create'],
      ['/app/admin/jobs', 'No dead letter'],
      ['/app/admin/sources', 'No source yet'],
      ['/app/admin/service', 'The service is ready'],
    ] as const) {
      await window.open(path);
      await page.getByText(text).first().waitFor();
      await assertHostileTextIsText(page);
      await assertAccessible(page);
    }
    await window.open('/app/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').waitFor();
    await assertAccessible(page);
    browser.assertNoFaults();
  });
});
