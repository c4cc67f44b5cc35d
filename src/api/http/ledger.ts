// Amounts held now, by owner and in all: bytes of a room, connections of a port. One thread keeps them in its memory;
// several threads share them.

export interface Ledger {
  /** Held by all owners. */
  readonly total: number;
  of(owner: string): number;
  /**
   * Adds an amount, or takes it away where it is negative, unless `allows` forbids it.
   * @param place what an earlier call gave, while the owner still holds the amount of that call. Undefined: none.
   * @returns the place of the amount. Undefined if it was not allowed.
   */
  add(owner: string, amount: number, place?: number, allows?: Allows): number | undefined;
}

/** Judges what the owner and what all hold before the amount is added. */
export type Allows = (held: number, total: number) => boolean;

export function createMemoryLedger(): Ledger {
  const amounts = new Map<string, number>();
  let total = 0;
  return {
    get total() {
      return total;
    },
    of: (owner) => amounts.get(owner) ?? 0,
    add: (owner, amount, _place, allows) => {
      const held = amounts.get(owner) ?? 0;
      if (allows !== undefined && !allows(held, total)) return undefined;
      total += amount;
      if (held + amount === 0) amounts.delete(owner);
      else amounts.set(owner, held + amount);
      return 0;
    },
  };
}
