// Answers that say "later": 429 (RFC 6585 §4), or 503 with Retry-After (RFC 9110 §15.6.4). Such an answer says nothing about
// the rule under test. The request is repeated at the given time while time is left.

import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './answer.ts';

/** The server asked for a longer wait than the time that is left. */
export class ToldToWait extends Error {}

/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

export class Patience {
  readonly #sleep: (ms: number) => Promise<unknown>;
  #left: number;

  /** @param seconds to wait in all, over all requests. */
  constructor(seconds: number, sleep: (ms: number) => Promise<unknown> = delay) {
    this.#sleep = sleep;
    this.#left = seconds;
  }

  /**
   * Waits if the answer asks for it: as long as it says, and each time at least twice as long as before.
   * @param waits number of waits for this request so far.
   * @returns whether to repeat the request.
   * @throws ToldToWait if less time is left.
   */
  async waitedFor(answer: Answer, waits: number): Promise<boolean> {
    const said = answer.header('retry-after');
    if (answer.status !== 429 && (answer.status !== 503 || said === undefined)) return false;
    const seconds = Math.max(secondsOf(said) ?? 0, 2 ** waits);
    if (seconds > this.#left) {
      const header = said === undefined ? 'without Retry-After' : `with Retry-After: ${said.slice(0, 40)}`;
      const left = `${Math.floor(this.#left)} s are left for waiting`;
      throw new ToldToWait(`${answer.request}: ${answer.status} ${header}, and only ${left}`);
    }
    this.#left -= seconds;
    await this.#sleep(Math.min(seconds * 1_000, LONGEST_MS));
    return true;
  }
}

/** Parses a number of seconds or a date (RFC 9110 §10.2.3). Undefined for anything else. */
function secondsOf(retryAfter = ''): number | undefined {
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter);
  const date = retryAfter.endsWith('GMT') ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? undefined : (date - Date.now()) / 1_000;
}
