// Zeek's logs as text: values between tabs, under a header that names the columns. A record is a line. Header lines
// and blank lines are not records. One input may have several logs, each with its own header.

import { isPlaceholder } from '../../domain/evidence/evidence-key.ts';
import { splitLines } from '../framing/lines.ts';
import {
  type Line,
  type ReaderOptions,
  type RecordReader,
  type RecordResult,
  refused,
  type SensorFormat,
} from '../reader.ts';
import { ZeekRecords } from './record.ts';
import type { ZeekRow } from './row.ts';

/** Header lines. Zeek's own test logs start with the BTest line. */
const HEADER_LINE =
  /^#(?:(?:separator|set_separator|empty_field|unset_field|path|open|close|fields|types)(?:\s|$)|## BTest baseline )/;
/** A row without a header: time, connection id, address, port, address, port. */
const BARE_ROW =
  /^(?:\d{1,10}|X{10})\.(?:\d{1,9}|X{6})\t[CF][0-9A-Za-z]{8,24}\t[0-9A-Fa-f.:]+\t\d{1,5}\t[0-9A-Fa-f.:]+\t\d{1,5}\t/;

const COLUMN_NAME = /^[a-z_][\w.]{0,63}$/i;
/** Columns of which one is always there. `zeek-cut -m` keeps only the names of the header. */
const FAMILIAR_NAMES: ReadonlySet<string> = new Set([
  'ts',
  'uid',
  'fuid',
  'id.orig_h',
  'note',
  'seen.indicator',
]);

export const zeekTsv: SensorFormat = {
  name: 'zeek-tsv',
  frame: splitLines,
  recognise: (sample) =>
    sample.filter((line) => HEADER_LINE.test(line) || BARE_ROW.test(line) || isNameLine(line.split('\t')))
      .length,
  createReader: (options) => new ZeekTsvReader(options),
};

function isNameLine(names: readonly string[]): boolean {
  return (
    names.length > 1 &&
    names.every((name) => COLUMN_NAME.test(name)) &&
    names.some((name) => FAMILIAR_NAMES.has(name))
  );
}

/** Column names and their positions. */
type Columns = ReadonlyMap<string, number>;

interface Header {
  readonly separator: string;
  readonly unset: string;
  readonly empty: string;
  readonly path?: string;
  readonly columns?: Columns;
  readonly width?: number;
}

const DEFAULT_HEADER: Header = { separator: '\t', unset: '-', empty: '(empty)' };

class ZeekTsvReader implements RecordReader {
  readonly #records: ZeekRecords;
  #header = DEFAULT_HEADER;

  constructor(options: ReaderOptions) {
    this.#records = new ZeekRecords(options);
  }

  read(line: Line): RecordResult | undefined {
    if (line.fault !== undefined) return refused(line.number, line.fault);
    if (line.text.trim() === '') return undefined;
    if (line.text.startsWith('#')) {
      this.#header = changedHeader(this.#header, line.text);
      return undefined;
    }
    return this.#row(line.number, line.text);
  }

  end(): undefined {
    return undefined;
  }

  #row(line: number, text: string): RecordResult | undefined {
    const { columns, width, separator } = this.#header;
    const values = text.split(separator);
    if (columns === undefined) {
      if (!isNameLine(values)) return refused(line, 'NO_COLUMN_NAMES');
      this.#header = withColumns(this.#header, values);
      return undefined;
    }
    if (values.length !== width) return refused(line, 'WRONG_COLUMN_COUNT');
    return this.#records.result(line, new TextRow(text, values, columns, this.#header));
  }
}

/** Reads `#fields<TAB>ts<TAB>uid…`. The line `#separator \x09` has a space, because the separator is not known yet. */
function changedHeader(header: Header, line: string): Header {
  const separator = /^#separator\s+(\S+)/.exec(line)?.[1];
  // A new header starts a new log. Nothing of the old header remains.
  if (separator !== undefined) return { ...DEFAULT_HEADER, separator: unescaped(separator) };
  const [name, ...values] = line.split(header.separator);
  const [value] = values;
  if (value === undefined) return header;
  switch (name) {
    case '#unset_field':
      return { ...header, unset: value };
    case '#empty_field':
      return { ...header, empty: value };
    case '#path':
      return { ...header, path: value };
    case '#fields':
      return withColumns(header, values);
    default:
      return header;
  }
}

function withColumns(header: Header, names: readonly string[]): Header {
  return { ...header, columns: new Map(names.map((name, place) => [name, place])), width: names.length };
}

class TextRow implements ZeekRow {
  readonly text: string;
  readonly sensor = undefined;
  readonly #values: readonly string[];
  readonly #columns: Columns;
  readonly #header: Header;

  constructor(text: string, values: readonly string[], columns: Columns, header: Header) {
    this.text = text;
    this.#values = values;
    this.#columns = columns;
    this.#header = header;
  }

  get path(): string | undefined {
    return this.#header.path;
  }

  has(column: string): boolean {
    return this.#columns.has(column);
  }

  get(column: string): string | undefined {
    const value = this.#values[this.#columns.get(column) ?? -1];
    if (value === undefined || value === this.#header.unset || value === this.#header.empty) return undefined;
    return isPlaceholder(value) ? undefined : unescaped(value);
  }
}

/** Zeek writes a byte that is not text, or that would end a value, as `\x09`. Consecutive escapes are UTF-8. */
function unescaped(value: string): string {
  if (!value.includes('\\x')) return value;
  return value.replaceAll(/(?:\\x[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('\\x', ''), 'hex').toString('utf8'),
  );
}
