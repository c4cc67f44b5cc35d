// The schedule of an open loop: arrivals at a fixed rate, whether or not the server keeps up.

export interface Arrivals {
  readonly total: number;
  /** The intended start of an arrival, in milliseconds since the begin. */
  at(index: number): number;
  /** The number of arrivals whose intended start is not after this time. */
  dueBy(elapsedMs: number): number;
}

export function arrivals(perSecond: number, seconds: number): Arrivals {
  const total = Math.floor(perSecond * seconds);
  const interval = 1_000 / perSecond;
  return {
    total,
    at: (index) => index * interval,
    dueBy: (elapsedMs) => (elapsedMs < 0 ? 0 : Math.min(total, Math.floor(elapsedMs / interval) + 1)),
  };
}
