// What every page of the web application must stand: both themes, a wide and a narrow screen, WCAG 2.2 A and AA, and
// text of attackers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeResult {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Texts for every place that a sender can fill. Each sets `window.hacked` if it runs. */
export const HOSTILE_TEXTS = {
  script: '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">',
  template: '{{constructor.constructor("window.hacked=1")()}}',
  bidi: 'invoice\u202Efdp.exe\u2066\u2069\u200B',
  long: `long-${'a'.repeat(10_240)}`,
} as const;

/** Each theme and each width once, because axe takes long. `npm run accessibility` has all four. */
const LOOKS =
  process.env.TIS_TEST_LOOKS === 'all'
    ? ([
        ['light', 1280],
        ['dark', 1280],
        ['light', 360],
        ['dark', 360],
      ] as const)
    : ([
        ['light', 1280],
        ['dark', 360],
      ] as const);

/**
 * Checks the page as it stands, in both themes and both widths.
 * @param ready waits for the content, which may be laid out anew. Default: nothing.
 */
export async function assertAccessible(
  page: Page,
  ready: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await ready();
    assert.deepEqual(await violations(page), [], `${page.url()} ${colorScheme} ${width}`);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok(Number(overflow) <= 0, `${page.url()} is ${overflow} px wider than a screen of ${width} px`);
  }
}

async function violations(page: Page): Promise<string[]> {
  // Compiled once for a document.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const run = `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(RULES)} } })`;
  const { violations: found } = (await page.evaluate(run)) as { readonly violations: readonly AxeResult[] };
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** No text has become an element, a script or a link, and nothing is invisible or turns other text around. */
export async function assertHostileTextIsText(page: Page): Promise<void> {
  const found = (await page.evaluate(`({
    hacked: 'hacked' in window,
    elements: document.querySelectorAll('main img[src], main script, main iframe').length,
    foreign: [...document.querySelectorAll('a[href], form[action]')]
      .map((element) => element.href ?? element.action)
      .filter((target) => new URL(target).origin !== location.origin),
    unseen: (document.body.textContent.match(/[\\u202a-\\u202e\\u2066-\\u2069\\u200b-\\u200f\\u0000-\\u0008]/g) ?? []).length,
    longest: Math.max(0, ...[...document.querySelectorAll('main *')]
      .filter((element) => element.childElementCount === 0)
      .map((element) => element.textContent.length)),
  })`)) as { readonly longest: number } & Record<string, unknown>;
  const { longest, ...rest } = found;
  assert.deepEqual(rest, { hacked: false, elements: 0, foreign: [], unseen: 0 }, page.url());
  assert.ok(longest < 5_000, `a text of ${longest} characters is shown in one piece`);
}
