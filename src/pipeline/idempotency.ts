// Requests that carry an id made by the client: a repeat is answered as the first was (AIP-155).

import { hash } from 'node:crypto';
import { invalidArgument } from '../domain/errors.ts';
import type { Instant } from '../domain/instant.ts';
import type { WriteTransaction } from '../store/stores.ts';

export interface IdentifiedRequest {
  /** What kind of request it is and whose: an id means nothing to anybody else. */
  readonly scope: readonly string[];
  /** Absent: the client gave none, and every request is a new one. */
  readonly requestId: string | undefined;
  /** All that was asked; bigints may be in it. */
  readonly body: unknown;
}

/**
 * The answer of `work`, or of the first request of this id, in which case nothing is done.
 * Rejects with ServiceError `invalid_argument` when the id was used for another request.
 */
export async function answerOnce<Answer>(
  tx: WriteTransaction,
  request: IdentifiedRequest,
  now: Instant,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (request.requestId === undefined) return work();
  const key = JSON.stringify([...request.scope, request.requestId]);
  const fingerprint = hash('sha256', JSON.stringify(request.body, bigintAsText), 'hex');
  const earlier = await tx.recallRequest(key);
  if (earlier === undefined) {
    const answer = await work();
    await tx.rememberRequest(key, { fingerprint, answer: JSON.stringify(answer) }, now);
    return answer;
  }
  if (earlier.fingerprint !== fingerprint) {
    throw invalidArgument(
      [{ field: 'requestId', description: 'was used for another request' }],
      'REQUEST_ID_REUSED',
    );
  }
  return JSON.parse(earlier.answer) as Answer;
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
