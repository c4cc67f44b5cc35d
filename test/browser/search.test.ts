// The search page in a real browser: what the box understands, conditions, the address, hostile values, thousands of rows.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { TestBrowser, WITHOUT_BROWSER, type Window } from '../support/browser.ts';
import { assertAccessible, assertHostileTextIsText, HOSTILE_TEXTS } from '../support/page-checks.ts';
import { RunningService } from '../support/running-service.ts';
import { until } from '../support/until.ts';
import type { WireEvent } from '../support/wire.ts';

const ROWS = 1_200;

function event(at: number, parts: Partial<WireEvent>): WireEvent {
  return {
    eventId: `search-${at}`,
    sensorId: 'plant-7',
    sensorType: 'SENSOR_TYPE_ICS',
    protocol: 'PROTOCOL_MODBUS',
    value: `198.51.${Math.floor(at / 250)}.${at % 250}`,
    observedAt: new Date(Date.now() - at * 60_000).toISOString(),
    ...parts,
  };
}

const HOSTILE: readonly Partial<WireEvent>[] = [
  { value: `http://example.org/${encodeURIComponent(HOSTILE_TEXTS.script)}`, tags: [HOSTILE_TEXTS.script] },
  { value: 'xn--80ak6aa92e.example.com', tags: [HOSTILE_TEXTS.bidi] },
  { value: `http://example.net/${'a'.repeat(1_900)}`, source: { id: 's', name: HOSTILE_TEXTS.script } },
];

describe('the search page', { skip: WITHOUT_BROWSER }, () => {
  let service: RunningService;
  let browser: TestBrowser;
  let window: Window;
  let page: Page;

  before(async () => {
    [service, browser] = await Promise.all([RunningService.start(), TestBrowser.start()]);
    const writer = service.as(await service.key({ scopes: ['events:write'] }));
    const events = Array.from({ length: ROWS }, (_, at) => event(at, {}));
    const hostile = HOSTILE.map((parts, at) => event(ROWS + at, { protocol: 'PROTOCOL_HTTP', ...parts }));
    for (const batch of [events.slice(0, 1_000), [...events.slice(1_000), ...hostile]]) {
      const { results } = await writer.ingest(batch);
      assert.deepEqual(
        results.filter(({ status }) => status !== 'ACCEPTED'),
        [],
      );
    }
    await service.settled();
    const { cookie } = await service.signIn({ roles: ['reader'] });
    window = await browser.window({ url: service.url, cookie });
    ({ page } = window);
  });
  after(async () => {
    await browser?.close();
    await service?.dispose();
  });

  const box = () => page.getByRole('textbox', { name: 'Search indicators' });
  const count = (text: string) => page.getByText(text, { exact: true }).waitFor();

  test('all indicators, with counts, in both themes and widths', async () => {
    await window.open('/app/');
    await count('1,203 indicators');
    await page.getByLabel(/^Modbus/).waitFor();
    await assertHostileTextIsText(page);
    await assertAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    browser.assertNoFaults();
  });

  test('a defanged value, words and a piece of a log are each understood', async () => {
    await box().fill('198[.]51[.]2[.]7');
    await page.getByText('Understood as a value').waitFor();
    await count('1 indicator');
    await box().fill('Failed password from 198.51.3.9 port 22\nand from hxxp://nothing[.]example/x');
    await page.getByText('Understood as 2 values').waitFor();
    await count('1 of 2 values are known');
    await page.getByText('hxxp://nothing[.]example/x').first().waitFor();
    await assertAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await box().fill('198.51.100.250');
    await page.getByRole('heading', { name: 'Nothing is known about this value' }).waitFor();
    browser.assertNoFaults();
  });

  test('a condition stands in the address, and going back removes it', async () => {
    await window.open('/app/?order=seen');
    await count('1,203 indicators');
    await page.getByLabel(/^HTTP/).check();
    await count('3 indicators');
    assert.equal(new URL(page.url()).search, '?protocol=http&order=seen');
    await box().fill('a&b=100%+c');
    await page.waitForURL('**/app/?q=*');
    await page.reload();
    assert.equal(await box().inputValue(), 'a&b=100%+c');
    await box().fill('');
    await page.waitForURL('**/app/?protocol=http&order=seen');
    await count('3 indicators');
    await assertHostileTextIsText(page);
    await page.goBack();
    await count('1,203 indicators');
    await page.goForward();
    await page.getByRole('button', { name: 'Remove Protocol: HTTP' }).click();
    await count('1,203 indicators');
  });

  test('rows come as one scrolls, few are in the document, and the keyboard goes through them', async () => {
    await window.open('/app/');
    await count('1,203 indicators');
    const table = page.getByRole('region', { name: 'Indicators' });
    await until('the last row', async () => {
      await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return page.getByText('That is all.').isVisible();
    });
    assert.ok((await page.locator('tbody tr').count()) < 100);
    assert.equal(await page.locator('tbody tr').last().isVisible(), true);
    await table.evaluate((element) => element.scrollTo(0, 0));
    await page.locator('main').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.equal(await page.locator('tr:focus-within').getAttribute('aria-rowindex'), '3');
    await page.keyboard.press('/');
    assert.equal(await page.locator('[data-search-box]:focus').count(), 1);
  });

  test('the result is saved as CSV, all of it', async () => {
    await window.open('/app/');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    assert.equal(lines.length, ROWS + HOSTILE.length + 1);
    assert.match(lines[0] ?? '', /^id,type,value,verdict,severity/);
    browser.assertNoFaults();
  });

  test('an error says what happened', async () => {
    await page.route('**/v1/indicators/search', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '7' },
        json: { code: 8, message: 'too many requests' },
      }),
    );
    await window.open('/app/?q=turbine');
    await page.getByRole('heading', { name: 'Too many requests' }).waitFor();
    await page.getByText('You can try again in 7 s.').waitFor();
    await page.unroute('**/v1/indicators/search');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  });
});
