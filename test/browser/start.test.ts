// First steps in a real browser: a key, one event, and it appears without a reload.

import { after, before, describe, test } from 'node:test';
import { TestBrowser, WITHOUT_BROWSER } from '../support/browser.ts';
import { assertAccessible } from '../support/page-checks.ts';
import { RunningService } from '../support/running-service.ts';

describe('first steps', { skip: WITHOUT_BROWSER }, () => {
  let service: RunningService;
  let browser: TestBrowser;

  before(async () => {
    [service, browser] = await Promise.all([RunningService.start(), TestBrowser.start()]);
  });
  after(async () => {
    await browser?.close();
    await service?.dispose();
  });

  test('the event of a new sensor key appears by itself, and leads to its page', async () => {
    const { cookie } = await service.signIn({ roles: ['key-manager'] });
    const { page, open } = await browser.window({ url: service.url, cookie });
    await open('/app/start');
    await page.getByText('Make a key first.').waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Make the key' }).click();
    const shown = page.getByRole('figure', { name: 'the sensor key' }).locator('pre');
    const key = (await shown.textContent()) ?? '';
    await page.getByText('Waiting for the first event').waitFor();
    const event = {
      eventId: 'first-1',
      sensorId: 'first-sensor',
      sensorType: 'SENSOR_TYPE_ICS',
      protocol: 'PROTOCOL_MODBUS',
      value: '198.51.100.23',
      observedAt: new Date().toISOString(),
      evidence: { 'modbus.function_code': '5' },
    };
    const ingest = { method: 'POST', body: { events: [event] } };
    (await service.as(key).send('/v1/sensorEvents:ingest', ingest)).expect(200);
    await page.getByText('Here it is:').waitFor();
    await page.getByRole('link', { name: 'Open it' }).waitFor();
    await assertAccessible(page);
    browser.assertNoFaults();
  });
});
