// A table of numbers by name in memory that threads share. Its size is fixed, so that no flood of names makes it grow.
//
// A name is looked for in a few neighbouring slots. A name without a slot has number 0. So a slot whose number counts as
// nothing is given to the next name; a name that finds no slot shares the last one with all others that find none.
// A name is kept as 64 bits of a hash with a key that is drawn for each table.

import { randomInt } from 'node:crypto';
import { SharedLock } from './shared-lock.ts';

/** Slots in which a name can be. */
const WINDOW = 32;
/** Bytes: the lock, the two halves of the key of the hash, padding. */
const HEADER = 16;
/** Bytes: two halves of a hash, a number. */
const SLOT = 16;

export class SharedTable {
  readonly #lock: SharedLock;
  readonly #seeds: Int32Array;
  /** A sum of the whole table, then the numbers of the slots, then the shared slot. */
  readonly #numbers: Float64Array;
  /** Two for each slot. Both are 0 in a slot that was never taken. */
  readonly #hashes: Int32Array;
  readonly #slots: number;
  #first = 0;
  #second = 0;

  /** @param memory as `sharedTableMemory` made it, or this table in another thread. */
  constructor(memory: SharedArrayBuffer) {
    this.#slots = (memory.byteLength - HEADER - 16) / SLOT;
    this.#lock = new SharedLock(new Int32Array(memory, 0, 1));
    this.#seeds = new Int32Array(memory, 4, 2);
    this.#numbers = new Float64Array(memory, HEADER, this.#slots + 2);
    this.#hashes = new Int32Array(memory, HEADER + 8 * (this.#slots + 2));
  }

  /** Runs while no other thread uses the table. It must be short, and must not fail. */
  exclusively<Result>(act: () => Result): Result {
    this.#lock.take();
    try {
      return act();
    } finally {
      this.#lock.release();
    }
  }

  /** One number for the whole table. */
  get sum(): number {
    return this.#numbers[0] ?? 0;
  }

  set sum(value: number) {
    this.#numbers[0] = value;
  }

  read(place: number): number {
    return this.#numbers[place] ?? 0;
  }

  write(place: number, value: number): void {
    this.#numbers[place] = value;
  }

  /**
   * The place of the number of a name.
   * @param nothing numbers up to this one count as nothing.
   * @param takes whether the name gets a slot if it has none. Without that the place may be of nobody.
   */
  find(name: string, nothing: number, takes: boolean): number {
    this.#hash(name);
    let free: number | undefined;
    for (let step = 0; step < WINDOW; step++) {
      const slot = ((this.#first >>> 0) + step) % this.#slots;
      const first = this.#hashes[2 * slot] ?? 0;
      const second = this.#hashes[2 * slot + 1] ?? 0;
      if (first === this.#first && second === this.#second) return slot + 1;
      if (free === undefined && this.read(slot + 1) <= nothing) free = slot;
      if (first === 0 && second === 0) break;
    }
    if (free === undefined) return this.#slots + 1;
    if (takes) {
      this.#hashes[2 * free] = this.#first;
      this.#hashes[2 * free + 1] = this.#second;
      this.write(free + 1, 0);
    }
    return free + 1;
  }

  #hash(name: string): void {
    let first = this.#seeds[0] ?? 0;
    let second = this.#seeds[1] ?? 0;
    for (let at = 0; at < name.length; at++) {
      const unit = name.charCodeAt(at);
      first = Math.imul(first ^ unit, 0x85ebca6b);
      first ^= first >>> 15;
      second = Math.imul(second ^ unit, 0xc2b2ae35);
      second ^= second >>> 13;
    }
    this.#first = Math.imul(first ^ (first >>> 16), 0x27d4eb2f);
    // Never both 0.
    this.#second = second | 1;
  }
}

/** @param names that the table holds at least, as a rule. */
export function sharedTableMemory(names: number): SharedArrayBuffer {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(names, WINDOW)));
  const memory = new SharedArrayBuffer(HEADER + 16 + slots * SLOT);
  const seeds = new Int32Array(memory, 4, 2);
  for (const half of [0, 1]) seeds[half] = randomInt(2 ** 31);
  return memory;
}
