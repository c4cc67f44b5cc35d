// Idempotency (AIP-155): a request that carries an id made by the client changes something once, however often it is sent.
//
// The store remembers a request with its answer for at least 24 hours. All keys of that memory are made here.

import { hash } from 'node:crypto';
import { invalidArgument, type ServiceError } from '../../domain/errors.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Stores, WriteTransaction } from '../stores.ts';

export interface IdentifiedRequest {
  /** The kind of request and the caller: the ids of one caller mean nothing to another. */
  readonly scope: readonly string[];
  /** Undefined: the client gave no id, so every request is a new one. */
  readonly requestId: string | undefined;
  /** The content of the request. It may contain bigints. */
  readonly body: unknown;
}

/**
 * Runs `work`, unless the request is a repeat: then it resolves to the answer of the first request and changes nothing.
 * Rejects with ServiceError `invalid_argument` when the same id was used for a request with another body.
 * @param tx the transaction that `work` writes in.
 * @param hasChanged whether the request with this answer changed anything. Otherwise it is not remembered: a repeat
 * changes nothing either, and a client cannot fill the store with the ids of such requests.
 */
export async function answerOnce<Answer>(
  tx: WriteTransaction,
  { scope, requestId, body }: IdentifiedRequest,
  now: Instant,
  work: () => Promise<Answer>,
  hasChanged: (answer: Answer) => boolean = () => true,
): Promise<Answer> {
  if (requestId === undefined) return work();
  const key = keyOf(scope, requestId);
  const fingerprint = fingerprintOf(body);
  const earlier = await tx.recallRequest(key);
  if (earlier === undefined) {
    const answer = await work();
    if (hasChanged(answer))
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

/**
 * For an act whose answer cannot be given twice, such as a new key: the first request is remembered with `answer`, and a
 * repeat is refused. A client that lost the first answer does not end up with two keys.
 * @param tx the transaction of the act.
 * @param refusal of a repeat; it gets the answer that the first request was remembered with.
 */
export async function refuseRepeat(
  tx: WriteTransaction,
  { scope, requestId }: Omit<IdentifiedRequest, 'body'>,
  answer: string,
  now: Instant,
  refusal: (firstAnswer: string) => ServiceError,
): Promise<void> {
  if (requestId === undefined) return;
  const key = keyOf(scope, requestId);
  const earlier = await tx.recallRequest(key);
  if (earlier !== undefined) throw refusal(earlier.answer);
  await tx.rememberRequest(key, { fingerprint: NO_FINGERPRINT, answer }, now);
}

/** Keeps an answer that the client will ask for later by an id that the service made. */
export async function keepAnswer(
  tx: WriteTransaction,
  scope: readonly string[],
  id: string,
  answer: string,
  now: Instant,
): Promise<void> {
  await tx.rememberRequest(keyOf(scope, id), { fingerprint: NO_FINGERPRINT, answer }, now);
}

/** The answer that was kept under this id; undefined when there is none, or when it is forgotten. */
export async function keptAnswer(
  stores: Pick<Stores, 'recallRequest'>,
  scope: readonly string[],
  id: string,
): Promise<string | undefined> {
  return (await stores.recallRequest(keyOf(scope, id)))?.answer;
}

/** Where the body of a repeat does not matter. */
const NO_FINGERPRINT = '';

function keyOf(scope: readonly string[], id: string): string {
  return JSON.stringify([...scope, id]);
}

function fingerprintOf(body: unknown): string {
  const text = JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return hash('sha256', text, 'hex');
}
