// How a rule reports that it is broken or that it cannot be tested.

/** A rule is broken. The message says what was seen. */
export class Violation extends Error {
  /** Every single fault. The message may leave some out. */
  readonly faults: readonly string[];

  constructor(message: string, faults: readonly string[] = [message]) {
    super(message);
    this.faults = faults;
  }
}

/** A rule cannot be tested here. The message says why. */
export class Untested extends Error {}

const SHOWN = 3;

/** @throws Violation with what was seen instead. */
export function check(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new Violation(seen);
}

/** @throws Violation that shows the first few of the faults. */
export function checkNone(faults: readonly string[]): void {
  const more = faults.length > SHOWN ? ` (and ${faults.length - SHOWN} more)` : '';
  if (faults.length > 0) throw new Violation(faults.slice(0, SHOWN).join('; ') + more, faults);
}

/** @throws Untested if the value is missing. */
export function needed<Value>(value: Value | undefined, why: string): Value {
  if (value === undefined) throw new Untested(why);
  return value;
}
