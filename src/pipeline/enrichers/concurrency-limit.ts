// A limit on how many asynchronous calls run at the same time.

/** Runs at most `limit` calls at a time, in order. The caller bounds the queue. */
export function limitConcurrency(limit: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The next call takes over this place, so that a later caller cannot overtake it.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
