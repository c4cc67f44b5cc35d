// When signing keys come and go. A key is published before it signs, and stays published after its successor has taken over,
// as long as a token that it signed can be valid.

import { DAY, HOUR, type Instant } from '../../domain/instant.ts';
import type { OpenidKey } from '../../store/openid-key.ts';

/** Longest life of a token that a key signs. */
export const TOKEN_LIFETIME = HOUR;
/** Whoever verifies tokens elsewhere reads the key set again within this time. */
const AHEAD = HOUR;
/** After the last token that a key signed has ended. */
const SLACK = DAY;

export interface KeyPlan {
  /** When a key that has to be made now begins to sign. Undefined: none is needed. */
  readonly newKeyFrom: Instant | undefined;
  /** Keys that nothing valid is signed with any more. */
  readonly retired: readonly OpenidKey[];
}

/** @param keys oldest first. @param age after which a key has a successor. */
export function planKeys(keys: readonly OpenidKey[], age: number, now: Instant): KeyPlan {
  const newest = keys.at(-1);
  const isDue = newest === undefined || newest.signsFrom + age - AHEAD <= now;
  const signing = keys.findLastIndex(({ signsFrom }) => signsFrom <= now);
  const retired = keys.filter((_key, index) => {
    const successor = keys[index + 1];
    return index < signing && successor !== undefined && successor.signsFrom + TOKEN_LIFETIME + SLACK <= now;
  });
  return { newKeyFrom: isDue ? (newest === undefined ? now : now + AHEAD) : undefined, retired };
}

/** The keys, the one that signs now first: libraries sign with the first that fits. */
export function signingFirst(keys: readonly OpenidKey[], now: Instant): readonly OpenidKey[] {
  const signing = keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];
  return signing === undefined ? [] : [signing, ...keys.filter((key) => key !== signing)];
}
