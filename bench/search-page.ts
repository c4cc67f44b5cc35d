// `npx node bench/search-page.ts DATA_DIR [INDICATORS]`: the search page in a real browser over a large store. How long from
// the navigation to the first rows, from the last keystroke to new rows, and how even the frames are while ten thousand
// rows are scrolled. It makes the store if the folder does not exist.

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Page } from 'playwright-core';
import { endBrowser, TestBrowser } from '../test/support/browser.ts';
import { PageClient } from '../test/support/page-client.ts';
import { fill } from './fill.ts';
import { startTis, tisJson } from './processes.ts';
import { median, quantile } from './quantiles.ts';
import { printTable, shown } from './table.ts';

const ROUNDS = 7;
const ROWS = 10_000;
const FIRST_ROW = '[data-row]';
const PASSWORD = 'a password of the benchmark';
/** Words that many and few indicators have. */
const WORDS = ['modbus', 'scan', '198.51.100.7', 'brute force', 'siemens', 'exploit', '203.0.113'];

const [, , dataDir = '', size = '1000000'] = process.argv;
if (!existsSync(dataDir)) {
  const folder = await mkdtemp(join(tmpdir(), 'tis-bench-'));
  await fill(dataDir, folder, { from: 0, to: Number(size) });
  await rm(folder, { recursive: true });
}
const login = `bench-${Date.now()}`;
const { link } = await tisJson<{ readonly link: string }>('users', 'create', login, '--data-dir', dataDir);
await using server = await startTis(dataDir);
const url = `http://127.0.0.1:${server.port}`;
const client = new PageClient(url);
const invitation = { token: new URL(link).hash.slice(1), password: PASSWORD };
(await client.post('/auth/link', invitation)).expect(200);
const browser = await TestBrowser.start();
try {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { page } = await browser.window({ url, cookie: client.cookie });
    cold.push(await timeToRows(page));
    warm.push(await timeToRows(page));
    await page.close();
  }
  const { page, open } = await browser.window({ url, cookie: client.cookie });
  await open('/app/');
  await page.waitForSelector(FIRST_ROW);
  const typed: number[] = [];
  for (const word of WORDS) typed.push(await timeFromLastKey(page, word));
  await open('/app/');
  await page.waitForSelector(FIRST_ROW);
  const { frames, rows, seconds } = await scroll(page);

  printTable([
    [`search page over ${shown(Number(size))} indicators, ms`, 'median', 'slowest'],
    ['navigation to first rows, empty cache', shown(median(cold)), shown(Math.max(...cold))],
    ['navigation to first rows, files cached', shown(median(warm)), shown(Math.max(...warm))],
    ['last keystroke to new rows', shown(median(typed)), shown(Math.max(...typed))],
  ]);
  const slow = frames.filter((frame) => frame > 50).length;
  printTable([
    [
      `scrolled ${shown(rows)} rows in ${shown(seconds)} s`,
      'frames',
      'p50 ms',
      'p99 ms',
      'slowest ms',
      'over 50 ms',
    ],
    [
      'time of a frame',
      shown(frames.length),
      shown(median(frames)),
      shown(quantile(frames, 0.99)),
      shown(Math.max(...frames)),
      String(slow),
    ],
  ]);
  console.log(WORDS.map((word, index) => `"${word}" ${shown(typed[index] ?? 0)} ms`).join(', '));
  browser.assertNoFaults();
} finally {
  await endBrowser();
}

async function timeToRows(page: Page): Promise<number> {
  const start = performance.now();
  await page.goto('/app/', { waitUntil: 'commit' });
  await page.waitForSelector(FIRST_ROW);
  return performance.now() - start;
}

/** From the event of the last key to the frame after the rows of its answer are in place. */
async function timeFromLastKey(page: Page, word: string): Promise<number> {
  const box = page.locator('[data-search-box]');
  await box.fill('');
  await page.waitForTimeout(500);
  await page.evaluate(`(() => {
    window.benchKey = 0;
    window.benchRows = new Promise((resolve) => {
      document.addEventListener('keydown', ({ timeStamp }) => { window.benchKey = timeStamp; }, true);
      const settled = () => {
        const searches = performance.getEntriesByType('resource')
          .filter(({ name, startTime }) => name.endsWith('/v1/indicators/search') && startTime > window.benchKey);
        const busy = document.querySelector('[aria-busy="true"]') !== null;
        if (window.benchTyped === true && searches.length > 0 && !busy) resolve(performance.now() - window.benchKey);
        else requestAnimationFrame(settled);
      };
      requestAnimationFrame(settled);
    });
    window.benchTyped = false;
  })()`);
  await box.pressSequentially(word, { delay: 60 });
  await page.evaluate('window.benchTyped = true');
  return (await page.evaluate('window.benchRows')) as number;
}

/** Scrolls as fast as the rows come, and measures every frame. */
async function scroll(page: Page) {
  return (await page.evaluate(`(async () => {
    const frame = document.querySelector('section.result');
    const frames = [];
    const begin = performance.now();
    let last = begin;
    let rows = 0;
    while (rows < ${ROWS} && last - begin < 120_000) {
      frame.scrollBy(0, 600);
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - last);
      last = now;
      rows = Math.max(rows, ...[...frame.querySelectorAll('tr[aria-rowindex]')].map((row) => Number(row.ariaRowIndex)));
    }
    return { frames, rows, seconds: (last - begin) / 1000 };
  })()`)) as { readonly frames: readonly number[]; readonly rows: number; readonly seconds: number };
}
