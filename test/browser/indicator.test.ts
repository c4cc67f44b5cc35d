// The page of one indicator and the queue in a real browser: search, open, evidence, confirm; dispute and undo.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestBrowser, WITHOUT_BROWSER, type Window } from '../support/browser.ts';
import type { RestClient } from '../support/http-client.ts';
import { assertAccessible, assertHostileTextIsText, HOSTILE_TEXTS } from '../support/page-checks.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

const VALUE = '203.0.113.77';

describe('one indicator, and the queue', { skip: WITHOUT_BROWSER }, () => {
  let service: RunningService;
  let browser: TestBrowser;
  let window: Window;
  let reader: RestClient;
  let id = '';

  before(async () => {
    [service, browser] = await Promise.all([RunningService.start(), TestBrowser.start()]);
    const sensor = service.as(await service.key({ sensor: true, name: HOSTILE_TEXTS.script.slice(0, 90) }));
    const seen = { value: VALUE, evidence: { 'modbus.function_code': '5', 'session.id': 's1' } };
    const { results } = await sensor.ingest([
      anEvent({ ...seen, observedAt: daysAgo(3) }),
      anEvent(seen),
      anEvent({
        ...seen,
        protocol: 'PROTOCOL_SSH',
        sensorType: 'SENSOR_TYPE_NETWORK',
        evidence: {
          'login.user': HOSTILE_TEXTS.script,
          'login.result': 'failed',
          'command.input': `${HOSTILE_TEXTS.bidi} ${'a'.repeat(900)}`,
          'session.id': 's1',
        },
        tags: [HOSTILE_TEXTS.template, 'mirai'],
      }),
      anEvent({
        value: 'http://evil.example/a.sh',
        evidence: { 'file.download': 'x', 'peer.address': VALUE, 'session.id': 's1' },
      }),
      ...[1, 2, 3].map((number) =>
        anEvent({ value: `198.51.100.${number}`, tags: [HOSTILE_TEXTS.script.slice(0, 90)] }),
      ),
    ]);
    id = results[0]?.indicatorId ?? '';
    await service.settled();
    reader = service.as(await service.key());
    const { cookie } = await service.signIn({ roles: ['analyst'] });
    window = await browser.window({ url: service.url, cookie });
  });
  after(async () => {
    await browser?.close();
    await service?.dispose();
  });

  test('search, open, evidence, dispute and undo, confirm', async () => {
    const { page } = window;
    await window.open(`/app/?q=${VALUE}`);
    await page.getByRole('link', { name: '203[.]0[.]113[.]77' }).first().click();
    await page.getByRole('heading', { level: 1, name: '203[.]0[.]113[.]77' }).waitFor();
    await page.getByRole('table', { name: 'Evidence as seen' }).getByText('modbus.function_code').waitFor();

    await page.getByRole('button', { name: 'Dispute' }).click();
    await page.getByRole('button', { name: 'Dispute it' }).click();
    await page.getByText('Say why: others will ask.').waitFor();
    await page.getByLabel('Reason').fill('the scanner of our insurer');
    await page.getByRole('button', { name: 'Dispute it' }).click();
    await page.getByRole('button', { name: 'Undo the dispute' }).waitFor();
    assert.equal((await reader.get(id)).confidenceScore, 0);
    await page.getByText('the scanner of our insurer').waitFor();
    await page.getByRole('button', { name: 'Undo the dispute' }).click();
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    assert.ok((await reader.get(id)).confidenceScore > 0);

    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Confirm it' }).click();
    await page.getByRole('status').getByText('Confirmed').waitFor();
    assert.equal((await reader.get(id)).state, 'INDICATOR_STATE_VERIFIED');
  });

  test('the queue: confirm by one key, take it back by another; a batch of alike ones with one reason', async () => {
    const { page } = window;
    await window.open('/app/queue');
    const rows = page.getByRole('table', { name: 'Indicators that wait for a human' }).locator('tbody tr');
    await rows.first().waitFor();
    const count = await rows.count();
    const first = await page.locator('[data-row]').first().getAttribute('data-row');
    await page.keyboard.press('j');
    await page.keyboard.press('v');
    await page.getByText('confirmed in 10 s').waitFor();
    assert.equal(await rows.count(), count - 1);
    await page.keyboard.press('u');
    await page.getByText('taken back').waitFor();
    assert.equal(await rows.count(), count);
    assert.equal((await reader.get(first ?? '')).state, 'INDICATOR_STATE_ENRICHED');

    // What is held is sent when the page is left.
    await page.locator('[data-row]').first().focus();
    await page.keyboard.press('v');
    await page.getByText('confirmed in 10 s').last().waitFor();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await until('a confirmed indicator', async () => {
      const { state } = await reader.get(first ?? '');
      return state === 'INDICATOR_STATE_VERIFIED' || undefined;
    });

    await window.open('/app/queue?order=confidence');
    await page.getByRole('link', { name: '198[.]51[.]100[.]1' }).focus();
    await page.getByRole('button', { name: /^technique \(/ }).click();
    await page.getByRole('button', { name: /^Dispute \d+$/ }).click();
    await page.getByLabel('Reason').fill('a test of our own');
    await page.getByRole('dialog').getByRole('button', { name: 'Dispute' }).click();
    await page.getByText('indicators: disputed').waitFor();
    const disputed = await reader.search({ filter: { labels: ['false-positive'], includeWithdrawn: true } });
    assert.ok(disputed.indicators.length >= 2);
    await page.keyboard.press('u');
    await page.getByText('taken back').last().waitFor();
    await page.keyboard.press('j');
    await assertHostileTextIsText(page);
    await assertAccessible(page);
    browser.assertNoFaults();
  });

  test('text of attackers stays text, in both themes and widths', async () => {
    const { page } = window;
    await window.open(`/app/indicators/${id}`);
    await page.getByRole('table', { name: 'Evidence as seen' }).waitFor();
    await page.getByRole('img', { name: 'What reports name together' }).waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('figure', { name: 'the STIX object' }).waitFor();
    await assertHostileTextIsText(page);
    await assertAccessible(page);
    browser.assertNoFaults();
  });
});
