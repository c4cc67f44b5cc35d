// A lock that threads share. Who finds it taken looks again a few times, because it is held for less than a microsecond, and
// then sleeps until it is released: the thread that holds it may have lost its processor.

const FREE = 0;
const TAKEN = 1;
/** Taken, and somebody sleeps. */
const AWAITED = 2;

const LOOKS = 200;
/** A thread that holds the lock for so long was ended while it did. */
const DEAD_AFTER_MS = 5_000;

export class SharedLock {
  readonly #state: Int32Array;

  /** @param state one shared number, 0 at first. */
  constructor(state: Int32Array) {
    this.#state = state;
  }

  take(): void {
    for (let look = 0; look < LOOKS; look++) {
      if (Atomics.compareExchange(this.#state, 0, FREE, TAKEN) === FREE) return;
    }
    const giveUpAt = performance.now() + DEAD_AFTER_MS;
    while (Atomics.exchange(this.#state, 0, AWAITED) !== FREE) {
      Atomics.wait(this.#state, 0, AWAITED, DEAD_AFTER_MS);
      // The service is ending. It must not wait for ever.
      if (performance.now() >= giveUpAt) return;
    }
  }

  release(): void {
    if (Atomics.exchange(this.#state, 0, FREE) === AWAITED) Atomics.notify(this.#state, 0, 1);
  }
}
