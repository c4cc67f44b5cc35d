// Estimates from a sample: which share of all rows matches an expression, and which tokens are worth asking for.

import type { SampledRows, TokenSample } from './token-sample.ts';

/** An FTS5 expression with the rows of the sample that match it. */
export interface Estimated {
  /** Empty if every row matches. */
  readonly expression: string;
  readonly rows: SampledRows;
  /** Of all rows, 0 to 1. It is never 0: what the sample does not have may exist. */
  readonly share: number;
}

/** Checking a row takes as long as reading so many entries of a list. Measured: 1 µs for a row, 8 ns for an entry. */
const CHECK = 125;

/** Of so many parts, the rarest, it is worked out which are worth it. */
const CONSIDERED = 16;

export class Shares {
  readonly #sample: TokenSample;
  /** The share of what no row of the sample has. */
  readonly #least: number;

  constructor(sample: TokenSample) {
    this.#sample = sample;
    this.#least = sample.size === 0 ? 1 : 0.5 / sample.size;
  }

  get everything(): Estimated {
    return { expression: '', rows: this.#sample.everything, share: 1 };
  }

  token(token: string): Estimated {
    const { rows, count } = this.#sample.holders(token);
    return { expression: token, rows, share: this.#shareOf(count) };
  }

  anyOf(parts: readonly Estimated[]): Estimated {
    const [first, ...others] = parts;
    if (first === undefined || others.length === 0) return first ?? this.everything;
    const rows = first.rows.slice();
    for (const other of others)
      for (const [word, bits] of other.rows.entries()) rows[word] = (rows[word] ?? 0) | bits;
    return {
      expression: `(${parts.map(({ expression }) => expression).join(' OR ')})`,
      rows,
      share: this.#shareOf(countBoth(rows, rows)),
    };
  }

  both(one: Estimated, other: Estimated): Estimated {
    if (one.expression === '') return other;
    return {
      expression: `${one.expression} AND ${other.expression}`,
      rows: one.rows.map((bits, word) => bits & (other.rows[word] ?? 0)),
      share: this.#shareOfBoth(one, other),
    };
  }

  /** What matches one part and not the other. */
  without(one: Estimated, other: Estimated): Estimated {
    const rows = one.rows.map((bits, word) => bits & ~(other.rows[word] ?? 0));
    const share = this.#shareOf(countBoth(rows, rows));
    return { expression: `(${one.expression} NOT ${other.expression})`, rows, share };
  }

  /** As many of the parts as are worth reading, if the rows that match `given` and them are checked one by one. */
  worthOf(given: Estimated, parts: readonly Estimated[]): Estimated {
    const left = parts.toSorted(rarestFirst).slice(0, CONSIDERED);
    let chosen = left.shift() ?? this.everything;
    let all = this.both(given, chosen);
    for (;;) {
      const best = this.#best(all, left);
      if (best === undefined) return chosen;
      left.splice(left.indexOf(best), 1);
      chosen = this.both(chosen, best);
      all = this.both(all, best);
    }
  }

  /** The part that saves most, if one saves anything. */
  #best(all: Estimated, parts: readonly Estimated[]): Estimated | undefined {
    let best: Estimated | undefined;
    let most = 0;
    for (const part of parts) {
      const saved = (all.share - this.#shareOfBoth(all, part)) * CHECK - part.share;
      if (saved <= most) continue;
      best = part;
      most = saved;
    }
    return best;
  }

  /**
   * Whether to read the list of a part, and not to check the rows of `all` for it.
   * @param reads whether these rows are read for another reason.
   */
  isWorth(all: Estimated, part: Estimated, reads: boolean): boolean {
    if (all.expression === '') return true;
    const saved = reads ? all.share - this.#shareOfBoth(all, part) : all.share;
    return saved * CHECK >= part.share;
  }

  #shareOf(count: number): number {
    return count === 0 ? this.#least : count / this.#sample.size;
  }

  /** Without a row to count, they count as independent of each other. */
  #shareOfBoth(one: Estimated, other: Estimated): number {
    const count = countBoth(one.rows, other.rows);
    return count === 0 ? Math.min(one.share * other.share, this.#least) : count / this.#sample.size;
  }
}

/** FTS5 looks up in the later lists only what the first one has. */
export function rarestFirst(one: Estimated, other: Estimated): number {
  return one.share - other.share;
}

function countBoth(one: SampledRows, other: SampledRows): number {
  let count = 0;
  for (let word = 0; word < one.length; word++) {
    let bits = (one[word] ?? 0) & (other[word] ?? 0);
    bits -= (bits >>> 1) & 0x5555_5555;
    bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}
