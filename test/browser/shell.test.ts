// The frame of the web application in a real browser: files and headers, sizes, shared parts with hostile text.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { WEB_BUILD, WEB_DIST } from '../../src/service/web-files.ts';
import { TestBrowser, WITHOUT_BROWSER } from '../support/browser.ts';
import { send } from '../support/http-client.ts';
import { assertAccessible, assertHostileTextIsText } from '../support/page-checks.ts';
import { RunningService } from '../support/running-service.ts';

/** Bytes, gzip. */
const MOST_SCRIPT = 110_000;
const MOST_STYLE = 15_000;

describe('the frame of the web application', { skip: WITHOUT_BROWSER }, () => {
  let service: RunningService;
  let browser: TestBrowser;

  before(async () => {
    [service, browser] = await Promise.all([RunningService.start(), TestBrowser.start()]);
  });
  after(async () => {
    await browser?.close();
    await service?.dispose();
  });

  test('the first load is small', async (context) => {
    const { files } = JSON.parse(await readFile(join(WEB_DIST, WEB_BUILD), 'utf8')) as {
      readonly files: readonly { readonly path: string; readonly gzip: number; readonly first: boolean }[];
    };
    const sum = (end: string) =>
      files.filter(({ path, first }) => first && path.endsWith(end)).reduce((all, { gzip }) => all + gzip, 0);
    context.diagnostic(`first load, gzip: ${sum('.js')} bytes of script, ${sum('.css')} bytes of style`);
    assert.ok(sum('.js') > 0 && sum('.js') <= MOST_SCRIPT, `${sum('.js')} bytes of script`);
    assert.ok(sum('.css') > 0 && sum('.css') <= MOST_STYLE, `${sum('.css')} bytes of style`);
  });

  test('a person who opens the address comes to the application; a tool does not', async () => {
    const person = await fetch(`${service.url}/`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    assert.equal(person.status, 302);
    assert.equal(person.headers.get('location'), '/app/');
    assert.equal((await send(`${service.url}/`)).status, 404);
  });

  test('shared parts show hostile text as text, in both themes and widths', async () => {
    const window = await browser.window({ url: service.url });
    await window.open('/app/parts');
    await window.page.getByRole('heading', { name: 'Parts' }).waitFor();
    const shown = await window.page.locator('main').textContent();
    assert.match(shown ?? '', /invoiceU\+202Efdp\.exe/);
    assert.match(shown ?? '', /hxxps:\/\/user\[@\]files\[\.\]example/);
    await assertHostileTextIsText(window.page);
    await assertAccessible(window.page);
    browser.assertNoFaults();
  });
});
