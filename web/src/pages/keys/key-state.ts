// What a key can still do, at one moment.

import type { ApiKey } from '../../api/contract.ts';

export type KeyState = 'live' | 'ended' | 'revoked';

const SOON_MS = 7 * 86_400_000;

/** @param now milliseconds. */
export function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'ended' : 'live';
}

/** Whether a key that works now ends within seven days. */
export function endsSoon(key: ApiKey, now: number): boolean {
  return (
    stateOf(key, now) === 'live' && key.expiresAt !== undefined && Date.parse(key.expiresAt) - now < SOON_MS
  );
}
