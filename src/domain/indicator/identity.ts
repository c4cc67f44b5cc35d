// Identifiers derived from the installation secret: the same on every node, and unguessable for outsiders.

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { IndicatorType } from '../vocabulary.ts';

/**
 * A UUID of version 4 form (RFC 9562 §5.4) whose 122 free bits come from HMAC-SHA-256 over kind and key.
 * The input contains the length of `kind`, so that two different pairs never have the same input.
 * @param secret the installation secret, 32 bytes that never change.
 */
export function uuidFrom(secret: Buffer, kind: string, key: string): string {
  const hex = createHmac('sha256', keyOf(secret)).update(`${kind.length}\0${kind}\0${key}`).digest('hex');
  const variant = VARIANT_DIGITS[Number.parseInt(hex.charAt(16), 16) & 3] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * A UUID as from uuidFrom whose first 48 bits are those of another one. What belongs to one object thus lies together in an
 * index of UUIDs.
 * @param owner a UUID.
 */
export function uuidBeside(owner: string, secret: Buffer, kind: string, key: string): string {
  return owner.slice(0, SHARED_DIGITS) + uuidFrom(secret, kind, key).slice(SHARED_DIGITS);
}

/** Twelve hexadecimal digits and a hyphen. The other 74 bits tell apart what has one owner. */
const SHARED_DIGITS = 13;

/** The four digits that carry the variant bits `10`. */
const VARIANT_DIGITS = '89ab';

/** The id of the indicator with this type and canonical value. */
export function indicatorId(secret: Buffer, type: IndicatorType, value: string): string {
  // No type contains a colon, so the input is unambiguous.
  return uuidFrom(secret, 'indicator', `${type}:${value}`);
}

/** Importing a secret takes six times as long as one HMAC, so the key object is kept. */
const KEYS = new WeakMap<Buffer, KeyObject>();

function keyOf(secret: Buffer): KeyObject {
  let key = KEYS.get(secret);
  if (key === undefined) {
    key = createSecretKey(secret);
    KEYS.set(secret, key);
  }
  return key;
}
