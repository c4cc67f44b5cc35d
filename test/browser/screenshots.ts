// Takes the pictures of docs/screenshots: every page of the demo, light and dark.
//
//   npm run screenshots

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endBrowser, TestBrowser, type Window } from '../support/browser.ts';
import { ROOT, TisProcess } from '../support/command-line.ts';
import { PageClient } from '../support/page-client.ts';
import { until } from '../support/until.ts';

const FOLDER = join(ROOT, 'docs', 'screenshots');
const SIZE = { width: 1180, height: 760 };
/** Charts and the map are loaded after the page. */
const SETTLED_MS = 1_500;

const demo = new TisProcess(['demo'], { env: { TIS_PORT: '0' } });
const browser = await TestBrowser.start();
try {
  const [, origin = '', token = ''] = await until(
    'the sign-in link of the demo',
    async () => /(http:\S+)\/app\/welcome#(\S+)/.exec(demo.stdout) ?? undefined,
    60_000,
  );
  const [, id = ''] = /indicators\/([\w-]+):explain/.exec(demo.stdout) ?? [];
  const client = new PageClient(origin);
  (await client.post('/auth/link', { token })).expect(200);
  const pages = {
    search: '/app/',
    indicator: `/app/indicators/${id}`,
    queue: '/app/queue',
    live: '/app/live',
    feed: '/app/feed',
    keys: '/app/keys',
    usage: '/app/usage',
    people: '/app/admin/people',
    audit: '/app/admin/audit',
    account: '/app/account',
    start: '/app/start',
  };
  await mkdir(FOLDER, { recursive: true });
  for (const theme of ['light', 'dark'] as const) {
    const take = async ({ page, open }: Window, name: string, path: string) => {
      await open(path);
      await page.waitForTimeout(SETTLED_MS);
      await page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`) });
    };
    const signedIn = await browser.window({ url: origin, cookie: client.cookie, theme, ...SIZE });
    for (const [name, path] of Object.entries(pages)) await take(signedIn, name, path);
    await take(await browser.window({ url: origin, theme, ...SIZE }), 'sign-in', '/app/sign-in');
  }
  browser.assertNoFaults();
} finally {
  await endBrowser();
  await demo.kill('SIGTERM');
}
