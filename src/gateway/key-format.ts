// The text of an API key: `tis_` or `tiss_`, 43 random base62 characters, 6 base62 characters of CRC-32.
//
// 256 random bits cannot be guessed, so a plain SHA-256 of the key is stored; a slow hash would add nothing. Scanners of
// source code find leaked keys by the prefix. The checksum refuses mistyped text without a read of the store.

import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type KeyKind = 'client' | 'sensor';

export interface ParsedKey {
  readonly kind: KeyKind;
  /** SHA-256 of the whole key, hex: the store finds the key by it. */
  readonly hash: string;
}

const PREFIX: Readonly<Record<KeyKind, string>> = { client: 'tis_', sensor: 'tiss_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** 62^43 is just above 2^256. */
const SECRET_LENGTH = 43;
/** 62^6 is above 2^32. */
const CHECKSUM_LENGTH = 6;
const FORM = /^tiss?_[0-9A-Za-z]{49}$/;
/** Characters of the secret part that are shown, so that people can recognise a key. 232 bits stay unknown. */
const SHOWN_SECRET = 4;

/** A new key. @param random returns this many unpredictable bytes. */
export function generateKey(kind: KeyKind, random: (bytes: number) => Buffer = randomBytes): string {
  const secret = BigInt(`0x${random(SECRET_BYTES).toString('hex')}`);
  const head = PREFIX[kind] + base62(secret, SECRET_LENGTH);
  return head + checksum(head);
}

/** Undefined for text that is not a well-formed key with the right checksum. */
export function parseKey(text: string): ParsedKey | undefined {
  if (!FORM.test(text)) return undefined;
  const end = text.length - CHECKSUM_LENGTH;
  if (checksum(text.slice(0, end)) !== text.slice(end)) return undefined;
  return { kind: text.startsWith(PREFIX.sensor) ? 'sensor' : 'client', hash: hash('sha256', text, 'hex') };
}

/** The parts of a key that may be shown after its creation. */
export function shownParts(key: string): { readonly prefix: string; readonly lastFour: string } {
  return { prefix: key.slice(0, key.indexOf('_') + 1 + SHOWN_SECRET), lastFour: key.slice(-4) };
}

/** CRC-32 finds every change of a single character, the prefix included. */
function checksum(head: string): string {
  // Plain numbers instead of bigint, because this runs once per request.
  let rest = crc32(head);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n)
    digits = BASE62.charAt(Number(rest % 62n)) + digits;
  return digits;
}
