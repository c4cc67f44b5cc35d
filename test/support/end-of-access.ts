// The moment a credential stops being accepted, measured so that a slow machine changes nothing. The service judges a
// request at an unknown moment between its sending and its answer.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** Short, because access must not end later than the test can see. */
const PAUSE_MS = 10;
const WITHIN_MS = 30_000;

export interface EndOfAccess {
  /** When the last accepted request was sent. Access had not ended by then. */
  readonly lastLetIn: number;
  /** When the first refusal arrived. Access had ended by then. */
  readonly refusedBy: number;
}

/** Asks until the first refusal. Times are those of `Date.now()`. */
export async function endOfAccess(isLetIn: () => Promise<boolean>): Promise<EndOfAccess> {
  const started = Date.now();
  for (let lastLetIn = Number.NEGATIVE_INFINITY; ; await delay(PAUSE_MS)) {
    const sentAt = Date.now();
    if (!(await isLetIn())) return { lastLetIn, refusedBy: Date.now() };
    lastLetIn = sentAt;
    assert.ok(sentAt - started < WITHIN_MS, `accepted for ${WITHIN_MS} ms`);
  }
}
