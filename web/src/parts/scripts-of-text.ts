// Letters that look like others: words of several scripts, and domains in letters that their wire form hides.

import { decodePunycode } from './punycode.ts';

/** Scripts whose letters are taken for Latin ones. */
const SCRIPTS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Lisu', /\p{Script=Lisu}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
];

function scriptsOf(text: string): string[] {
  return SCRIPTS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
}

/** The scripts of the first word that has letters of several. Undefined if there is none. */
export function mixedScripts(text: string): readonly string[] | undefined {
  // ASCII cannot mix scripts, and most text is ASCII.
  if (/^[\0-\x7f]*$/.test(text)) return undefined;
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    const scripts = scriptsOf(word);
    if (scripts.length > 1) return scripts;
  }
  return undefined;
}

export interface HiddenLetters {
  /** The domain in the letters that a browser might show. */
  readonly domain: string;
  readonly scripts: readonly string[];
}

/** What the `xn--` labels of a host stand for. Undefined if it has none. */
export function hiddenLetters(host: string): HiddenLetters | undefined {
  if (!/(?:^|\.)xn--/i.test(host)) return undefined;
  const domain = host
    .split('.')
    .map((label) => (/^xn--/i.test(label) ? (decodePunycode(label.slice(4)) ?? label) : label))
    .join('.');
  return domain === host ? undefined : { domain, scripts: scriptsOf(domain) };
}
