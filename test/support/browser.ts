// A real browser for the tests of the web application: Debian's Chromium, driven by playwright-core. A page may ask its own
// service only, and may not break the policy of its content; either is a fault that fails the test.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ensureWebFiles } from '../../src/service/web-files.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const executable = PLACES.find((path) => existsSync(path));

/** For the option `skip` of tests: why there is no browser, or false. In CI a missing browser fails the tests instead. */
export const WITHOUT_BROWSER: string | false =
  executable === undefined && process.env.CI === undefined ? `no browser at ${PLACES.join(', ')}` : false;

/** A browser window, and what its page did wrong so far. */
export interface Window {
  readonly page: Page;
  /** Requests to other hosts, breaches of the content security policy, and errors of scripts. */
  readonly faults: readonly string[];
  /** Loads a path of the application, such as `/app/queue`. */
  open(path: string): Promise<void>;
}

export interface WindowOptions {
  /** Of the service. */
  readonly url: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a person who has signed in, such as PageClient has it. */
  readonly cookie?: string;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
}

let launched: Promise<Browser> | undefined;

/** Files that run in one process share a browser: its start takes as long as a test. */
function sharedBrowser(): Promise<Browser> {
  assert.ok(executable !== undefined, `no browser at ${PLACES.join(', ')}`);
  launched ??= chromium.launch({ executablePath: executable, args: FLAGS });
  return launched;
}
export async function endBrowser(): Promise<void> {
  await (await launched)?.close();
  launched = undefined;
}
after(endBrowser);

/** The windows of a file. Each has cookies and storage of its own. */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #windows: Window[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<TestBrowser> {
    const [browser, build] = await Promise.all([sharedBrowser(), ensureWebFiles()]);
    assert.notEqual(build.kind, 'failed', JSON.stringify(build));
    return new TestBrowser(browser);
  }

  async window({
    url,
    headers = {},
    cookie,
    width = 1280,
    height = 800,
    theme = 'light',
  }: WindowOptions): Promise<Window> {
    const context = await this.#browser.newContext({
      baseURL: url,
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
      extraHTTPHeaders: headers,
    });
    context.setDefaultTimeout(10_000);
    const [name, value] = cookie?.split('=') ?? [];
    if (name !== undefined && value !== undefined) await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    const faults: string[] = [];
    const { host } = new URL(url);
    page.on('request', (request) => {
      const asked = new URL(request.url());
      if (asked.protocol.startsWith('http') && asked.host !== host) faults.push(`asked ${request.url()}`);
    });
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|Trusted Type/i.test(message.text()))
        faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.stack ?? String(error)));
    const open = async (path: string) => {
      await page.goto(path);
      await page.waitForSelector('main');
    };
    const window = { page, faults, open };
    this.#windows.push(window);
    return window;
  }

  /** @throws when a page of any window did something wrong. */
  assertNoFaults(): void {
    assert.deepEqual(
      this.#windows.flatMap(({ faults }) => faults),
      [],
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#windows.map(({ page }) => page.context().close()));
  }
}
