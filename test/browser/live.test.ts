// The live page and the page of the feed in a real browser: what happens appears without a reload.

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { TestBrowser, WITHOUT_BROWSER } from '../support/browser.ts';
import { assertAccessible, assertHostileTextIsText, HOSTILE_TEXTS } from '../support/page-checks.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

describe('live and feed', { skip: WITHOUT_BROWSER }, () => {
  let service: RunningService;
  let browser: TestBrowser;
  let cookie: string;

  before(async () => {
    // The same port after a restart.
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    const settings = { TIS_PORT: `${port}`, TIS_ADMIN_PORT: 'off' };
    [service, browser] = await Promise.all([RunningService.start(settings), TestBrowser.start()]);
    ({ cookie } = await service.signIn({ roles: ['analyst'] }));
  });
  after(async () => {
    await browser?.close();
    await service?.dispose();
  });

  test('an event that was posted a moment ago appears, with its sensor and its minute', async () => {
    const key = await service.key({ name: HOSTILE_TEXTS.script.slice(0, 90), scopes: ['events:write'] });
    const { page, open } = await browser.window({ url: service.url, cookie });
    await open('/app/live');
    await page.getByText('Nothing has come yet').waitFor();
    await page.getByText('Connected').waitFor();
    const event = anEvent({ value: '198.51.100.77', sensorId: HOSTILE_TEXTS.bidi, tlp: 'TLP_MARKING_GREEN' });
    await service.as(key).ingest([event]);
    await page.getByRole('link', { name: '198[.]51[.]100[.]77' }).waitFor();
    await page.getByRole('table', { name: 'Sensors' }).getByText('U+202E').waitFor();
    await page.getByRole('table', { name: 'By protocol' }).getByText('Modbus').waitFor();
    await page.locator('canvas').first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await service.as(key).ingest([anEvent({ value: '198.51.100.78' })]);
    await page.getByRole('button', { name: 'Go on (1 waiting)' }).click();
    await page.getByRole('link', { name: '198[.]51[.]100[.]78' }).waitFor();
    await assertHostileTextIsText(page);
    await assertAccessible(page);
    browser.assertNoFaults();
  });

  test('the page says that it is not connected, connects again, and has what it missed', async () => {
    const key = await service.key({ scopes: ['events:write'] });
    const { page, open } = await browser.window({ url: service.url, cookie });
    await open('/app/live');
    await page.getByText('Connected').waitFor();
    const restarted = service.restart();
    await page.getByText('Not connected.').waitFor();
    await restarted;
    await service.as(key).ingest([anEvent({ value: '198.51.100.79' })]);
    await page.getByRole('link', { name: '198[.]51[.]100[.]79' }).waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  test('a client that has polled is listed, and programs can be set up', async () => {
    const key = await service.key({ name: 'siem', account: 'default' });
    const listing = '/taxii2/collections/service-global-feed/objects/?limit=9000';
    (await service.as(key).send(listing, { headers: { 'user-agent': HOSTILE_TEXTS.script } })).expect(200);
    const reader = await service.key({ scopes: ['admin'], tlpCeiling: 'RED' });
    await until('the poll to be stored', async () => {
      const { consumers } = (await service.as(reader).send('/app/data/consumers')).expect<{
        consumers: unknown[];
      }>(200);
      return consumers.length > 0;
    });
    const { page, open } = await browser.window({ url: service.url, cookie });
    await open('/app/feed');
    await page.getByRole('cell', { name: 'siem' }).waitFor();
    await page.getByText('asks for more than 5,000 objects a page').waitFor();
    await page.getByLabel('Program', { exact: true }).selectOption('Splunk');
    await page.getByText('Enterprise Security').waitFor();
    await assertHostileTextIsText(page);
    await assertAccessible(page);
    browser.assertNoFaults();
  });
});
