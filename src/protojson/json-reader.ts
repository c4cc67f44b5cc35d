// Reads JSON (RFC 8259) step by step. The decoder sees what JSON.parse hides: repeated members, and numbers beyond
// 2^53. The reader makes one pass without recursion, so no text makes it slow or overflows the stack.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;

/** The limit of Protobuf's own parsers. */
const MAX_DEPTH = 10_000;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** The text is not JSON. The message has the position and none of the text. */
export class JsonSyntaxError extends Error {}

export type JsonKind = 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';

export class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The kind of the next value. The caller consumes it with exactly one of the methods below. */
  kind(): JsonKind {
    const code = this.#skipSpace();
    if (code === QUOTE) return 'string';
    if (code === OPEN_BRACE) return 'object';
    if (code === OPEN_BRACKET) return 'list';
    if (code === MINUS || (code >= 0x30 && code <= 0x39)) return 'number';
    if (code === LETTER_T || code === LETTER_F) return 'boolean';
    if (code === LETTER_N) return 'null';
    throw this.#error('a value');
  }

  /** Steps into an object or list. Then `more` says whether there is a member or element to read. */
  open(): void {
    this.#at++;
  }

  /**
   * Returns false at the closing bracket, and steps out.
   * @param first true if nothing has been read since `open`
   */
  more(close: typeof CLOSE_BRACE | typeof CLOSE_BRACKET, first: boolean): boolean {
    const code = this.#skipSpace();
    if (code === close) {
      this.#at++;
      return false;
    }
    if (first) return true;
    if (code !== COMMA) throw this.#error("',' or a closing bracket");
    this.#at++;
    return true;
  }

  /** Reads the name of a member and its colon. */
  readName(): string {
    if (this.#skipSpace() !== QUOTE) throw this.#error('a member name in quotes');
    const name = this.readString();
    if (this.#skipSpace() !== COLON) throw this.#error("':'");
    this.#at++;
    return name;
  }

  /** JSON.parse resolves escapes ten times faster than code that handles each escape. */
  readString(): string {
    const text = this.#text;
    const start = this.#at;
    let at = start + 1;
    let code = text.charCodeAt(at);
    let escaped = false;
    while (code >= 0x20 && code !== QUOTE) {
      if (code === BACKSLASH) {
        escaped = true;
        at++;
      }
      code = text.charCodeAt(++at);
    }
    if (code !== QUOTE) return this.#readStringPiecewise();
    if (!escaped) {
      this.#at = at + 1;
      return text.slice(start + 1, at);
    }
    const value = unescaped(text.slice(start, at + 1));
    if (value === undefined) return this.#readStringPiecewise();
    this.#at = at + 1;
    return value;
  }

  /** Reads a string with a fault, to find the position of the fault. */
  #readStringPiecewise(): string {
    const text = this.#text;
    let value = '';
    let runStart = this.#at + 1;
    for (let at = runStart; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return value + text.slice(runStart, at);
      }
      if (code === BACKSLASH) {
        this.#at = at;
        value += text.slice(runStart, at) + this.#readEscape();
        runStart = this.#at;
        at = runStart - 1;
      } else if (!(code >= 0x20)) {
        // A raw control character, or the end of the text (NaN).
        this.#at = at;
        throw this.#error('a closing quote');
      }
    }
  }

  /** The number as written. The field decides which numbers are valid. */
  readNumber(): string {
    NUMBER.lastIndex = this.#at;
    const lexeme = NUMBER.exec(this.#text)?.[0];
    if (lexeme === undefined) throw this.#error('a number');
    this.#at += lexeme.length;
    return lexeme;
  }

  readBoolean(): boolean {
    const value = this.#text.charCodeAt(this.#at) === LETTER_T;
    this.#readLiteral(value ? 'true' : 'false');
    return value;
  }

  readNull(): void {
    this.#readLiteral('null');
  }

  /** Skips a whole value. It must be valid JSON too. */
  skip(): void {
    const owed: (typeof CLOSE_BRACE | typeof CLOSE_BRACKET)[] = [];
    for (;;) {
      const kind = this.kind();
      if (kind === 'object' || kind === 'list') {
        const close = kind === 'object' ? CLOSE_BRACE : CLOSE_BRACKET;
        this.open();
        if (this.more(close, true)) {
          if (owed.push(close) > MAX_DEPTH) throw this.#error('less nesting');
          if (close === CLOSE_BRACE) this.readName();
          continue;
        }
      } else {
        this.#skipScalar(kind);
      }
      // The value has ended. Continue in the innermost object or list that has more.
      for (;;) {
        const close = owed.at(-1);
        if (close === undefined) return;
        if (this.more(close, false)) {
          if (close === CLOSE_BRACE) this.readName();
          break;
        }
        owed.pop();
      }
    }
  }

  /** Only white space may follow the value. */
  end(): void {
    if (!Number.isNaN(this.#skipSpace())) throw this.#error('the end of the text');
  }

  #skipScalar(kind: Exclude<JsonKind, 'object' | 'list'>): void {
    if (kind === 'string') this.readString();
    else if (kind === 'number') this.readNumber();
    else if (kind === 'boolean') this.readBoolean();
    else this.readNull();
  }

  #readLiteral(literal: string): void {
    if (!this.#text.startsWith(literal, this.#at)) throw this.#error('a value');
    this.#at += literal.length;
  }

  /** Reads one escape sequence. A pair of surrogates counts as one, and half a pair is a fault (RFC 8259 §8.2). */
  #readEscape(): string {
    const letter = this.#text.charAt(this.#at + 1);
    if (letter !== 'u') {
      const value = ESCAPES[letter];
      if (value === undefined) throw this.#error('a known escape sequence');
      this.#at += 2;
      return value;
    }
    const unit = this.#readCodeUnit();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    const isPair = unit < 0xdc00 && this.#text.startsWith('\\u', this.#at);
    const low = isPair ? this.#readCodeUnit() : 0;
    if (low < 0xdc00 || low > 0xdfff) throw this.#error('a pair of surrogates');
    return String.fromCharCode(unit, low);
  }

  #readCodeUnit(): number {
    const digits = this.#text.slice(this.#at + 2, this.#at + 6);
    if (!HEX4.test(digits)) throw this.#error('four hexadecimal digits');
    this.#at += 6;
    return Number.parseInt(digits, 16);
  }

  /** The code of the next character that is not white space; NaN at the end. */
  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at++;
    }
  }

  #error(expected: string): JsonSyntaxError {
    return new JsonSyntaxError(`malformed JSON at character ${this.#at + 1}: expected ${expected}`);
  }
}

/**
 * The value of a JSON string. Undefined for an invalid one, and for half a pair of surrogates, which JSON.parse
 * accepts.
 */
function unescaped(literal: string): string | undefined {
  try {
    const value: string = JSON.parse(literal);
    return value.isWellFormed() ? value : undefined;
  } catch {
    return undefined;
  }
}
