// Waiting for what happens elsewhere: asks again and again, up to a deadline. Tests wait in no other way.

import { setTimeout as delay } from 'node:timers/promises';

/** Short beside everything waited for, long enough to leave the processor to whoever does the work. */
const INTERVAL_MS = 10;

/**
 * Asks until the answer is neither false nor undefined, and resolves to it.
 * Rejects when `withinMs` have passed, with what was waited for in words; what `ask` throws is thrown at once.
 */
export async function until<Answer>(
  what: string,
  ask: () => Answer | Promise<Answer>,
  withinMs = 30_000,
): Promise<Exclude<Answer, false | undefined>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer as Exclude<Answer, false | undefined>;
    if (performance.now() > deadline) throw new Error(`within ${withinMs} ms there was not: ${what}`);
    await delay(INTERVAL_MS);
  }
}
