// Requests that carry an id of the client's, for acts whose answer can not be given twice: a repeat is refused, so that
// a client that heard nothing does not end up with two keys.

import { ServiceError } from '../domain/errors.ts';
import type { Instant } from '../domain/instant.ts';
import type { WriteTransaction } from '../store/stores.ts';
import type { Issuer } from './key-spec.ts';

/**
 * Remembers a request for about a day. Must be in the transaction of the act itself.
 * Rejects with ServiceError `already_exists`, which names the key that the first request made.
 * @param requestId of this issuer and act; empty for none.
 */
export async function refuseRepeat(
  tx: WriteTransaction,
  act: string,
  issuer: Issuer,
  requestId: string,
  keyId: string,
  now: Instant,
): Promise<void> {
  if (requestId === '' || issuer === 'cli') return;
  const key = JSON.stringify([act, issuer.account, issuer.id, requestId]);
  const earlier = await tx.recallRequest(key);
  if (earlier !== undefined) {
    throw new ServiceError('already_exists', 'a request with this requestId has made a key already', {
      reason: 'REQUEST_REPEATED',
      metadata: { requestId, keyId: earlier.answer },
    });
  }
  await tx.rememberRequest(key, { fingerprint: '', answer: keyId }, now);
}
