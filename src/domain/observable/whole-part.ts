// Where an observable occurs in a value as a whole: it is the value, or a whole host, address or part of a path in a URL, an
// e-mail address or a range. `1.1.1.1` occurs in `http://1.1.1.1:80/a`, and not in `11.1.1.1` or `http://1.1.1.1.example/`.
//
// All texts are in lower case, and values are canonical.

/** What a name or an address can go on with. */
const GOES_ON = /[\p{L}\p{N}._-]/u;
/** In an e-mail address, and in an IPv6 address, more. */
const EMAIL_GOES_ON = /[\p{L}\p{N}._+-]/u;
const IPV6_GOES_ON = /[\p{L}\p{N}._:-]/u;

/** A URL without its scheme begins with this: it is the whole of a URL with any scheme. */
const ANY_SCHEME = '://';

/** @param whole an observable, or a URL from `://` on. */
export function occursWhole(value: string, whole: string): boolean {
  if (value === whole) return true;
  if (whole.startsWith(ANY_SCHEME)) return value.slice(Math.max(value.indexOf(ANY_SCHEME), 0)) === whole;
  if (!isCompound(value) || whole.includes(ANY_SCHEME)) return false;
  const goesOn = whole.includes('@') ? EMAIL_GOES_ON : whole.includes(':') ? IPV6_GOES_ON : GOES_ON;
  for (let at = value.indexOf(whole); at >= 0; at = value.indexOf(whole, at + 1)) {
    if (!goesOn.test(characterBefore(value, at)) && !goesOn.test(characterAt(value, at + whole.length)))
      return true;
  }
  return false;
}

/**
 * The names, IPv4 addresses and digests that occur in a value as a whole, and perhaps other words with a dot. An index
 * of them finds every value in which such an observable occurs.
 */
export function namesIn(value: string): readonly string[] {
  if (!isCompound(value)) return isName(value) ? [value] : [];
  const words = value.replace(ESCAPE, (escaped) => (goesOn(escaped) ? escaped : ' ')).match(WORDS) ?? [];
  return words.filter(isName);
}

/** Whether an observable is one that `namesIn` gives. */
export function isName(whole: string): boolean {
  return NAME.test(whole);
}

/** With a dot, or as long as a digest. */
const NAME = /^(?:(?=[^.]*\.)[a-z0-9._-]+|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/;
const WORDS = /[\p{L}\p{N}._-]+/gu;

/** Only URLs, e-mail addresses and ranges have parts. */
function isCompound(value: string): boolean {
  return value.includes('/') || value.includes('@');
}

/** A character that is percent-encoded. */
const ESCAPE = /%[0-9a-f]{2}/g;
const ESCAPE_BEFORE = /%[0-9a-f]{2}$/;
const ESCAPE_BEHIND = /^%[0-9a-f]{2}/;

/** Empty at the beginning. An escape stands for its character. */
function characterBefore(value: string, at: number): string {
  const escaped = ESCAPE_BEFORE.exec(value.slice(Math.max(at - 3, 0), at))?.[0];
  return escaped === undefined ? lastCharacter(value.slice(Math.max(at - 2, 0), at)) : decoded(escaped);
}

/** Empty at the end. */
function characterAt(value: string, at: number): string {
  const escaped = ESCAPE_BEHIND.exec(value.slice(at, at + 3))?.[0];
  return escaped === undefined ? String.fromCodePoint(value.codePointAt(at) ?? 0x20) : decoded(escaped);
}

function lastCharacter(text: string): string {
  return [...text].at(-1) ?? '';
}

/** A byte of a longer character counts as a letter. */
function decoded(escaped: string): string {
  const byte = Number.parseInt(escaped.slice(1), 16);
  return byte < 0x80 ? String.fromCharCode(byte) : 'x';
}

function goesOn(escaped: string): boolean {
  return GOES_ON.test(decoded(escaped));
}
