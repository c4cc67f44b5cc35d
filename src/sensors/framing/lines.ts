// Splits bytes into lines as a stream. Lines are UTF-8 and end with LF or CRLF. One line bounds the memory, whatever
// the chunks.

import { isUtf8 } from 'node:buffer';
import type { Line, LineFault } from '../reader.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = '\u{feff}';
const REPLACEMENT = '\u{fffd}';

/** A longer piece is refused. No sensor writes one, and an endless line must not fill the memory. */
export const MAX_PIECE_BYTES = 1_048_576;

/** Collects the bytes of one piece from several chunks. Beyond MAX_PIECE_BYTES it keeps no bytes. */
export class OpenPiece {
  #bytes = Buffer.alloc(0);
  #length = 0;
  #tooLong = false;

  get isEmpty(): boolean {
    return this.#length === 0 && !this.#tooLong;
  }

  /** Copies the bytes, because the chunk may be much larger than the piece and its owner may reuse it. */
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

  /**
   * The collected bytes, valid until the next call. Undefined when there were too many. The next piece starts empty.
   */
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

/**
 * Splits chunks into lines. A byte order mark at the start is dropped, and the last line needs no terminator. A line with
 * a NUL byte (the hole that a truncated log leaves) is a fault: it is not text. Bytes that are not UTF-8 become U+FFFD,
 * or are a fault.
 */
export class LineSplitter implements Splitter {
  readonly #open = new OpenPiece();
  readonly #refusesInvalidUtf8: boolean;
  #number = 0;

  constructor(invalidUtf8: 'replace' | 'refuse' = 'replace') {
    this.#refusesInvalidUtf8 = invalidUtf8 === 'refuse';
  }

  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): Line[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(LINE_FEED, start);
      if (end === -1) break;
      if (this.#open.isEmpty) {
        lines.push(this.#line(bytes, start, end));
      } else {
        this.#open.append(bytes, start, end);
        lines.push(this.#close());
      }
      start = end + 1;
    }
    this.#open.append(bytes, start, bytes.length);
    return lines;
  }

  /** The last line, if it has no terminator. */
  end(): Line[] {
    return this.#open.isEmpty ? [] : [this.#close()];
  }

  /** The source failed. Its current line is lost. */
  fail(fault: LineFault): Line {
    this.#open.clear();
    return this.#faulty(fault);
  }

  #close(): Line {
    const bytes = this.#open.take();
    return bytes === undefined ? this.#faulty('LINE_TOO_LONG') : this.#line(bytes, 0, bytes.length);
  }

  #line(bytes: Buffer, start: number, end: number): Line {
    if (end - start > MAX_PIECE_BYTES) return this.#faulty('LINE_TOO_LONG');
    if (end > start && bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
    const text = bytes.toString('utf8', start, end);
    if (text.includes('\0')) return this.#faulty('NUL_BYTE');
    if (this.#refusesInvalidUtf8 && text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(start, end))) {
      return this.#faulty('INVALID_UTF8');
    }
    this.#number += 1;
    const marked = this.#number === 1 && text.startsWith(BYTE_ORDER_MARK);
    return { text: marked ? text.slice(1) : text, number: this.#number };
  }

  #faulty(fault: LineFault): Line {
    this.#number += 1;
    return { text: '', number: this.#number, fault };
  }
}

/** Cuts chunks into pieces. The boundaries of the chunks make no difference. */
export interface Splitter {
  /** The pieces that this chunk completes. */
  push(chunk: Uint8Array): readonly Line[];
  /** The input has ended. The last piece, if it is still open. */
  end(): readonly Line[];
  /** The source failed. */
  fail(fault: LineFault): Line;
}

/** The framing of every line-based format. */
export function splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  return splitWith(new LineSplitter(), bytes);
}

/** Like `splitLines`, but a line that is not UTF-8 is a fault. */
export function splitUtf8Lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  return splitWith(new LineSplitter('refuse'), bytes);
}

/** Yields the pieces of one chunk together, because a promise for each piece would cost more than the piece. */
export async function* splitWith(
  splitter: Splitter,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Line[]> {
  try {
    for await (const chunk of bytes) {
      const pieces = splitter.push(chunk);
      if (pieces.length > 0) yield pieces;
    }
  } catch (error) {
    yield [splitter.fail(faultOf(error))];
    return;
  }
  const last = splitter.end();
  if (last.length > 0) yield last;
}

function faultOf(error: unknown): LineFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('Z_') ? 'DAMAGED_GZIP' : 'READ_FAILED';
}
