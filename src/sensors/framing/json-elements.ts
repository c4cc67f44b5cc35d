// Cuts a JSON array into its elements as a stream, so an export of millions of records is never in memory as a whole.

import type { Line, LineFault } from '../reader.ts';
import { MAX_PIECE_BYTES, OpenPiece, type Splitter } from './lines.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** No log nests deeper. The bound keeps hostile input from filling the memory. */
const MAX_DEPTH = 256;

/**
 * Cuts the text between the brackets and commas of an array, on one line or many. The splitter follows quotes and
 * braces only to find the ends. The reader decides whether an element is JSON.
 *
 * A damaged element does not damage its neighbours. It ends where a string runs into the end of its line, where a
 * brace cannot stand, and where a brace closes nothing.
 */
export class ElementSplitter implements Splitter {
  readonly #open = new OpenPiece();
  #line: number;
  /** Line on which the open element starts; 0 between elements. */
  #startLine = 0;
  /** The open brackets and braces of the element. */
  readonly #nesting: number[] = [];
  #inString = false;
  #escaped = false;
  /** The last byte that was not white space. */
  #before = 0;

  /** @param line number of the line of the first byte */
  constructor(line = 1) {
    this.#line = line;
  }

  push(chunk: Uint8Array): Line[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const elements: Line[] = [];
    let start = 0;
    let index = 0;
    while (index < bytes.length) {
      const byte = bytes[index] ?? 0;
      if (this.#startLine === 0) {
        if (!isBetween(byte)) {
          this.#startLine = this.#line;
          this.#before = 0;
          start = index;
          continue;
        }
      } else {
        const end = this.#inString ? this.#endInString(byte, index) : this.#endOutside(byte, index);
        if (end !== undefined) {
          this.#open.append(bytes, start, end);
          elements.push(this.#close());
          // The byte that ended a broken element may start or separate the next one.
          index = end;
          continue;
        }
      }
      if (byte === LINE_FEED) this.#line += 1;
      index += 1;
    }
    if (this.#startLine !== 0) this.#open.append(bytes, start, bytes.length);
    return elements;
  }

  end(): Line[] {
    return this.#startLine === 0 ? [] : [this.#close()];
  }

  fail(fault: LineFault): Line {
    this.#open.clear();
    return { text: '', number: this.#startLine === 0 ? this.#line : this.#startLine, fault };
  }

  /** Where the element ends, if it ends at or right behind this byte of a string. */
  #endInString(byte: number, index: number): number | undefined {
    if (byte === LINE_FEED) return index;
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
    return undefined;
  }

  #endOutside(byte: number, index: number): number | undefined {
    const nesting = this.#nesting;
    const around = nesting.at(-1);
    switch (byte) {
      case TAB:
      case CARRIAGE_RETURN:
      case SPACE:
        return undefined;
      case LINE_FEED:
        return around === undefined ? index : undefined;
      case COMMA:
        if (around === undefined) return index;
        break;
      case QUOTE:
        this.#inString = true;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (!this.#mayOpen(around)) return index;
        nesting.push(byte);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (around === undefined) return byte === CLOSE_BRACE ? index + 1 : index;
        if (around !== (byte === CLOSE_BRACE ? OPEN_BRACE : OPEN_BRACKET)) return index + 1;
        nesting.pop();
        if (nesting.length === 0) return index + 1;
    }
    this.#before = byte;
    return undefined;
  }

  /** Whether a value may start here: at the start, behind a colon, or behind a comma of an array. */
  #mayOpen(around: number | undefined): boolean {
    const before = this.#before;
    if (this.#nesting.length >= MAX_DEPTH) return false;
    return around === undefined
      ? before === 0
      : before === COLON || before === OPEN_BRACKET || (before === COMMA && around === OPEN_BRACKET);
  }

  #close(): Line {
    const number = this.#startLine;
    const bytes = this.#open.take();
    this.#startLine = 0;
    this.#nesting.length = 0;
    this.#inString = false;
    this.#escaped = false;
    if (bytes === undefined || bytes.length > MAX_PIECE_BYTES)
      return { text: '', number, fault: 'LINE_TOO_LONG' };
    const text = bytes.toString('utf8').trimEnd();
    return text.includes('\0') ? { text: '', number, fault: 'NUL_BYTE' } : { text, number };
  }
}

function isBetween(byte: number): boolean {
  switch (byte) {
    case TAB:
    case LINE_FEED:
    case CARRIAGE_RETURN:
    case SPACE:
    case COMMA:
    case OPEN_BRACKET:
    case CLOSE_BRACKET:
      return true;
    default:
      return false;
  }
}
