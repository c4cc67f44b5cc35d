// Polling until a condition holds, up to a deadline. Tests wait in no other way.

import { setTimeout as delay } from 'node:timers/promises';

/** The first pause. Later ones are a tenth of the time waited so far: a long wait does not take the processor. */
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/**
 * Asks until the answer is neither false nor undefined, and resolves to that answer.
 * Rejects after `withinMs` with `what`, the condition in words. An error of `ask` ends the wait.
 */
export async function until<Answer>(
  what: string,
  ask: () => Answer | Promise<Answer>,
  withinMs = 30_000,
): Promise<Exclude<Answer, false | undefined>> {
  const started = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer as Exclude<Answer, false | undefined>;
    const waited = performance.now() - started;
    if (waited > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(Math.min(Math.max(waited / 10, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}
