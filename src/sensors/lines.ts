// Bytes to lines, as a stream: UTF-8, LF or CRLF, with memory bounded by one line however the bytes are chunked.

import type { Line, LineFault } from './reader.ts';

/** A longer line is refused: no sensor writes one, and an endless one must not fill the memory. */
export const MAX_LINE_BYTES = 1_048_576;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Splits chunks into lines. A byte order mark at the start is dropped, bytes that are no UTF-8 become U+FFFD, and a
 * last line needs no terminator. A line with a NUL byte (the hole a truncated log leaves) is a fault: it is not text.
 */
export class LineSplitter {
  /** The start of a line whose end has not come yet: the first `#openBytes` bytes. */
  #open = Buffer.alloc(0);
  #openBytes = 0;
  #tooLong = false;
  #number = 0;

  /** The lines this chunk completes. */
  push(chunk: Uint8Array): Line[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(LINE_FEED, start);
      if (end === -1) break;
      if (this.#openBytes > 0 || this.#tooLong) {
        this.#append(bytes, start, end);
        lines.push(this.#close());
      } else {
        lines.push(this.#line(bytes, start, end));
      }
      start = end + 1;
    }
    this.#append(bytes, start, bytes.length);
    return lines;
  }

  /** The last line, when it has no terminator. */
  end(): Line[] {
    return this.#openBytes > 0 || this.#tooLong ? [this.#close()] : [];
  }

  /** The source failed: the line it was in is lost. */
  fail(fault: LineFault): Line {
    this.#openBytes = 0;
    this.#tooLong = false;
    return this.#faulty(fault);
  }

  #close(): Line {
    const line = this.#tooLong ? this.#faulty('LINE_TOO_LONG') : this.#line(this.#open, 0, this.#openBytes);
    this.#openBytes = 0;
    this.#tooLong = false;
    return line;
  }

  #line(bytes: Buffer, start: number, end: number): Line {
    if (end - start > MAX_LINE_BYTES) return this.#faulty('LINE_TOO_LONG');
    if (end > start && bytes[end - 1] === CARRIAGE_RETURN) end -= 1;
    const text = bytes.toString('utf8', start, end);
    if (text.includes('\0')) return this.#faulty('NUL_BYTE');
    this.#number += 1;
    const marked = this.#number === 1 && text.startsWith(BYTE_ORDER_MARK);
    return { text: marked ? text.slice(1) : text, number: this.#number };
  }

  #faulty(fault: LineFault): Line {
    this.#number += 1;
    return { text: '', number: this.#number, fault };
  }

  /** Keeps a copy: the chunk may be many times as large as what is needed of it, or be used again by its owner. */
  #append(bytes: Buffer, start: number, end: number): void {
    const needed = this.#openBytes + end - start;
    if (this.#tooLong || needed > MAX_LINE_BYTES) {
      this.#tooLong = true;
      this.#openBytes = 0;
      return;
    }
    if (needed > this.#open.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#open.length));
      this.#open.copy(larger, 0, 0, this.#openBytes);
      this.#open = larger;
    }
    bytes.copy(this.#open, this.#openBytes, start, end);
    this.#openBytes = needed;
  }
}

/**
 * The framing of every line-based format. Lines come in batches, one per chunk, since a promise for each would cost
 * more than the line.
 */
export async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter();
  try {
    for await (const chunk of bytes) {
      const lines = splitter.push(chunk);
      if (lines.length > 0) yield lines;
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
