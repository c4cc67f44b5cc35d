// A server that says "later": 429 (RFC 6585 §4), or 503 with Retry-After (RFC 9110 §15.6.4). It says nothing about the
// rule that is tried, so it is asked again when it says so, as long as there is time for that, and not judged by it.

import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './answer.ts';

/** The server wants to be left alone for longer than there is time to wait. */
export class ToldToWait extends Error {}

/** The longest time that a timer can be set to. */
const LONGEST_MS = 2 ** 31 - 1;

export class Patience {
  readonly #sleep: (ms: number) => Promise<unknown>;
  #left: number;

  /** @param seconds to be waited in all, over all requests. */
  constructor(seconds: number, sleep: (ms: number) => Promise<unknown> = delay) {
    this.#sleep = sleep;
    this.#left = seconds;
  }

  /**
   * Waits, where that is what the answer asks for: as long as it says, and twice as long each time at least.
   * @param waits how often the same request has been waited for.
   * @returns whether to ask again.
   * @throws ToldToWait when there is not as much time left.
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

/** Of a number of seconds or a date (RFC 9110 §10.2.3); undefined where it is neither. */
function secondsOf(retryAfter = ''): number | undefined {
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter);
  const date = retryAfter.endsWith('GMT') ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? undefined : (date - Date.now()) / 1_000;
}
