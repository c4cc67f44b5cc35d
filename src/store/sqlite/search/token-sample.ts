// Which tokens are rare: a sample of rows with all their tokens.
//
// FTS5 reads the lists of all tokens that a search asks for, and needs as long for a frequent token as it has rows. The
// sample tells which tokens are worth it. It changes the time of a search and never its answer.

import type { Connection } from '../connection.ts';
import { type Indexed, tokensOf } from './indexed-rows.ts';

/** A set of rows of the sample, as bits. */
export type SampledRows = Uint32Array;

const ROWS = 512;
const WORDS = ROWS / 32;
/** Neighbours resemble each other, so few are taken from one place. */
const RUN = 4;
/** A sample grows by so many rows with a search, so that none waits for a whole one: some tenths of a millisecond. */
const AT_ONCE = 8;
/** Multiples of it, modulo 1, are spread evenly, however many there are. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;
const REFRESHED_EVERY = 10 * 60_000;

interface Holders {
  readonly rows: SampledRows;
  count: number;
}

const NOBODY: Readonly<Holders> = { rows: new Uint32Array(WORDS), count: 0 };

export class TokenSample {
  readonly #holders = new Map<string, Holders>();
  readonly everything: SampledRows = new Uint32Array(WORDS);
  #size = 0;
  #asked = 0;

  /** The number of rows. */
  get size(): number {
    return this.#size;
  }

  get isComplete(): boolean {
    return this.#asked >= ROWS;
  }

  /** The rows that have a token, and their number. */
  holders(token: string): Readonly<Holders> {
    return this.#holders.get(token) ?? NOBODY;
  }

  grow(connection: Connection): void {
    const [first, last] = connection.row(
      'select (select min(seq) from indicator), (select max(seq) from indicator)',
    ) as [number | null, number | null];
    if (first === null || last === null) return;
    for (const end = this.#asked + AT_ONCE; this.#asked < end; this.#asked += RUN) {
      const share = ((this.#asked / RUN) * GOLDEN_RATIO) % 1;
      const rows = connection.rows(
        `select r.facets, i.haystack, i.words from indicator i join indicator_record r using (seq)
         where i.seq >= ? order by i.seq limit ${RUN}`,
        first + Math.floor(share * (last - first)),
      ) as [string, string, string][];
      for (const [facets, haystack, words] of rows) this.#add({ facets, haystack, words });
    }
  }

  #add(indexed: Indexed): void {
    const row = this.#size++;
    const [word, bit] = [row >> 5, 1 << (row & 31)];
    this.everything[word] = (this.everything[word] ?? 0) | bit;
    for (const token of tokensOf(indexed)) {
      let holders = this.#holders.get(token);
      if (holders === undefined) {
        holders = { rows: new Uint32Array(WORDS), count: 0 };
        this.#holders.set(token, holders);
      }
      holders.rows[word] = (holders.rows[word] ?? 0) | bit;
      holders.count += 1;
    }
  }
}

/** Returns a function that gives the newest sample. Each call lets it grow a little until it is complete. */
export function createSampler(connection: Connection): () => TokenSample {
  let current = new TokenSample();
  let next = current;
  let startedAt = performance.now();
  return () => {
    if (next.isComplete) {
      current = next;
      if (performance.now() - startedAt < REFRESHED_EVERY) return current;
      next = new TokenSample();
      startedAt = performance.now();
    }
    next.grow(connection);
    return current;
  };
}
