// The beginning of a line or record whose end has not come yet, bounded.

/** A longer piece is refused: no sensor writes one, and an endless one must not fill the memory. */
export const MAX_PIECE_BYTES = 1_048_576;

/** Collects the bytes of one piece from several chunks. Beyond MAX_PIECE_BYTES it keeps nothing but the fact. */
export class OpenPiece {
  #bytes = Buffer.alloc(0);
  #length = 0;
  #tooLong = false;

  get isEmpty(): boolean {
    return this.#length === 0 && !this.#tooLong;
  }

  /** Keeps a copy: the chunk may be many times as large as what is needed of it, or be used again by its owner. */
  append(bytes: Buffer, start: number, end: number): void {
    const needed = this.#length + end - start;
    if (this.#tooLong || needed > MAX_PIECE_BYTES) {
      this.#tooLong = true;
      this.#length = 0;
      return;
    }
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.#length, start, end);
    this.#length = needed;
  }

  /** What was collected, valid until the next call; undefined when it was too long. The next piece starts empty. */
  take(): Buffer | undefined {
    const bytes = this.#tooLong ? undefined : this.#bytes.subarray(0, this.#length);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#length = 0;
    this.#tooLong = false;
  }
}
