// Work that is done a few at a time; the rest waits its turn.

/** Runs what it is given, at most `limit` at once, in the order given. Who calls it bounds how much waits. */
export function atOnce(limit: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The place goes straight to the next one, so that nobody who comes later takes it.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
