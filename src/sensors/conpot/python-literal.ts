// A parser of Python literals (`repr`), which honeypots written in Python put into their logs.

/** Bytes become a string of the characters U+0000 to U+00FF. A tuple becomes an array, and a dict becomes a Map. */
export type PythonValue = null | boolean | number | string | readonly PythonValue[] | PythonDict;
export type PythonDict = ReadonlyMap<PythonValue, PythonValue>;

/** Deeper nesting is refused, so that text of an attacker cannot exhaust the stack. */
const MAX_DEPTH = 32;

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};
const HEX_ESCAPE_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?L?/y;
const WORD = /None|True|False/y;
const STRING_START = /(?:[bB][rR]?|[rR][bB]?|[uU])?(['"])/y;
const PLAIN_TEXT = { "'": /[^'\\]*/y, '"': /[^"\\]*/y };
const HEX = /^[0-9a-fA-F]+$/;
const WORDS: ReadonlyMap<string, PythonValue> = new Map([
  ['None', null],
  ['True', true],
  ['False', false],
]);

export interface Parsed {
  readonly value: PythonValue;
  /** Index of the first character after the literal. */
  readonly end: number;
}

/** Reads one literal at `start`. Undefined when it is cut off, nested too deep, or the `repr` of an object. */
export function parsePythonLiteral(text: string, start = 0): Parsed | undefined {
  const parser = new Parser(text, start);
  const value = parser.value(0);
  return value === undefined ? undefined : { value, end: parser.at };
}

class Parser {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): PythonValue | undefined {
    if (depth > MAX_DEPTH) return undefined;
    this.#take(SPACE);
    const opener = this.#text[this.at] ?? '';
    const closer = CLOSERS[opener];
    if (closer !== undefined) {
      this.at += 1;
      return opener === '{' ? this.#dict(depth) : this.#list(closer, depth);
    }
    const quote = this.#take(STRING_START);
    if (quote !== undefined) return this.#string(quote);
    const word = this.#take(WORD);
    if (word !== undefined) return WORDS.get(word);
    const number = this.#take(NUMBER);
    return number === undefined ? undefined : Number(number.replace('L', ''));
  }

  #list(closer: string, depth: number): PythonValue[] | undefined {
    const items: PythonValue[] = [];
    for (;;) {
      if (this.#skip(closer)) return items;
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#skip(',')) return this.#skip(closer) ? items : undefined;
    }
  }

  #dict(depth: number): PythonDict | undefined {
    const entries = new Map<PythonValue, PythonValue>();
    for (;;) {
      if (this.#skip('}')) return entries;
      const key = this.value(depth + 1);
      if (key === undefined || !this.#skip(':')) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      entries.set(key, value);
      if (!this.#skip(',')) return this.#skip('}') ? entries : undefined;
    }
  }

  /** The rest of a string whose prefix and opening quote were `start`. */
  #string(start: string): string | undefined {
    const quote = start.endsWith('"') ? '"' : "'";
    const raw = /r/i.test(start);
    let result = '';
    for (;;) {
      result += this.#take(PLAIN_TEXT[quote]) ?? '';
      const next = this.#text[this.at];
      if (next === undefined) return undefined;
      this.at += 1;
      if (next === quote) return result;
      const escaped = raw ? `\\${this.#text[this.at++] ?? ''}` : this.#escape();
      if (escaped === undefined) return undefined;
      result += escaped;
    }
  }

  #escape(): string | undefined {
    const code = this.#text[this.at];
    if (code === undefined) return undefined;
    this.at += 1;
    const simple = SIMPLE_ESCAPES[code];
    if (simple !== undefined) return simple;
    const length = HEX_ESCAPE_LENGTHS[code];
    if (length === undefined) return `\\${code}`;
    const digits = this.#text.slice(this.at, this.at + length);
    const point = HEX.test(digits) && digits.length === length ? Number.parseInt(digits, 16) : Number.NaN;
    if (!(point <= 0x10ffff)) return undefined;
    this.at += length;
    return String.fromCodePoint(point);
  }

  #skip(token: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.at] !== token) return false;
    this.at += 1;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.at = pattern.lastIndex;
    return match[0];
  }
}
