// Turns at making a page. A large page keeps the thread busy for tens of milliseconds. After this time in one turn of the
// event loop, further pages wait for later turns, so that other requests are answered in between. Callers take turns.

import { FairQueue } from './fair-queue.ts';

/** Milliseconds of one turn of the event loop in which pages begin without waiting. */
const BUSY_AFTER_MS = 8;

/** Resolves when the page may be made. */
export type AwaitPageTurn = (caller: string) => Promise<void> | undefined;

export function createPageTurns(): AwaitPageTurn {
  const queue = new FairQueue<() => void>();
  /** When the first page of this turn of the event loop began. */
  let since: number | undefined;

  const nextTurn = (): void => {
    const begin = queue.take(() => true);
    since = undefined;
    if (begin === undefined) return;
    since = performance.now();
    setImmediate(nextTurn);
    begin();
  };

  return (caller) => {
    if (since === undefined) {
      since = performance.now();
      setImmediate(nextTurn);
      return undefined;
    }
    if (queue.isEmpty && performance.now() - since < BUSY_AFTER_MS) return undefined;
    return new Promise((resolve) => queue.add(caller, resolve));
  };
}
