// Address databases in CSV: `first address,last address,values…`, sorted by address, as ip-location-db publishes them. Three
// columns are a country, four a network, ten a place.
//
// The bounds of a row are numbers in one typed array. Equal values are kept once, as bytes of the file, and are read when
// they are asked for. A million rows of IPv4 take 12 MB and the bytes of their values.

import { basename } from 'node:path';
import { type Address, type AddressRange, parseAddress } from '../../domain/observable/address.ts';
import type { AddressDatabase } from '../enrichers/address-database.ts';
import { dataFileError, readDataFile } from '../enrichers/data-file.ts';

/** The members of a record, in the order of the columns behind the two addresses. Others are not used. */
const COLUMNS: Readonly<Record<number, readonly string[]>> = {
  1: ['country_code'],
  2: ['autonomous_system_number', 'autonomous_system_organization'],
  8: ['country_code', '', '', 'city', '', 'latitude', 'longitude'],
};
const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** Rows of one family. */
interface Table {
  /** First and last address of each row, as 32-bit words. */
  readonly bounds: Uint32Array;
  /** The number of its value. */
  readonly values: Uint32Array;
}

/** @throws ServiceError failed_precondition naming the file, and the line that cannot be read. */
export async function openRangeTable(path: string, builtAt: number): Promise<AddressDatabase> {
  const file = await readDataFile(path);
  const tables = { 4: new TableBuilder(1), 16: new TableBuilder(4) };
  const numbers = new Map<string, number>();
  let line = 0;
  for (let start = 0; start < file.length; ) {
    const newline = file.indexOf(NEWLINE, start);
    const end = newline < 0 ? file.length : newline;
    line++;
    const text = file.toString('utf8', start, end).trimEnd();
    start = end + 1;
    if (text === '') continue;
    const row = parseRow(text);
    if (row === undefined) throw dataFileError(path, `has no range of addresses in line ${line}`);
    const { first, last, value } = row;
    const table = tables[first.length as 4 | 16];
    if (!table.add(first, last, numberOf(numbers, value)))
      throw dataFileError(path, `is not sorted by address in line ${line}`);
  }
  const values = new ValueTexts([...numbers.keys()]);
  const names = values.count === 0 ? undefined : COLUMNS[values.fields(0).length];
  if (names === undefined) throw dataFileError(path, 'is not a CSV file of ranges with 3, 4 or 10 columns');
  const built = { 4: tables[4].build(), 16: tables[16].build() };
  return {
    dataset: { name: basename(path), builtAt },
    lookup: (range) => {
      const number = find(built[range.network.length as 4 | 16], range);
      return number === undefined ? undefined : recordOf(names, values.fields(number));
    },
    records: function* () {
      for (let number = 0; number < values.count; number++) yield recordOf(names, values.fields(number));
    },
  };
}

/** Texts in one buffer: strings would take four times as much. */
class ValueTexts {
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;

  constructor(texts: readonly string[]) {
    this.count = texts.length;
    this.#bytes = Buffer.from(texts.join(''));
    let end = 0;
    this.#ends = Uint32Array.from(texts, (text) => {
      end += Buffer.byteLength(text);
      return end;
    });
  }

  fields(number: number): readonly string[] {
    return fieldsOf(this.#bytes.toString('utf8', this.#ends[number - 1] ?? 0, this.#ends[number] ?? 0));
  }
}

function recordOf(names: readonly string[], fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
}

function parseRow(text: string): { first: Address; last: Address; value: string } | undefined {
  const one = text.indexOf(',');
  const two = text.indexOf(',', one + 1);
  if (one < 0 || two < 0) return undefined;
  const first = parseAddress(text.slice(0, one));
  const last = parseAddress(text.slice(one + 1, two));
  if (first === undefined || last === undefined || first.length !== last.length) return undefined;
  return { first, last, value: text.slice(two + 1) };
}

function numberOf(numbers: Map<string, number>, value: string): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  numbers.set(value, numbers.size);
  return numbers.size - 1;
}

/** The fields of a line of CSV (RFC 4180). */
function fieldsOf(text: string): readonly string[] {
  const fields: string[] = [];
  for (let start = 0; start <= text.length; ) {
    if (text.charCodeAt(start) === QUOTE) {
      const [quoted = ''] = /^"(?:[^"]|"")*"?/.exec(text.slice(start)) ?? [];
      fields.push(quoted.slice(1).replace(/"$/, '').replaceAll('""', '"'));
      start += quoted.length + 1;
    } else {
      const comma = text.indexOf(',', start);
      const end = comma < 0 ? text.length : comma;
      fields.push(text.slice(start, end));
      start = end + 1;
    }
  }
  return fields;
}

class TableBuilder {
  readonly #words: number;
  #bounds: Uint32Array;
  #values: Uint32Array;
  #rows = 0;

  /** @param words 32-bit words of an address. */
  constructor(words: number) {
    this.#words = words;
    this.#bounds = new Uint32Array(2 * words);
    this.#values = new Uint32Array(1);
  }

  /** @returns false if the row does not begin behind the beginning of the row before it. */
  add(first: Address, last: Address, value: number): boolean {
    if (this.#rows === this.#values.length) {
      this.#bounds = resized(this.#bounds, 2 * this.#bounds.length);
      this.#values = resized(this.#values, 2 * this.#values.length);
    }
    const place = 2 * this.#words * this.#rows;
    const from = wordsOf(first);
    const to = wordsOf(last);
    if (compare(from, to, 0, this.#words) > 0) return false;
    if (this.#rows > 0 && compare(from, this.#bounds, place - 2 * this.#words, this.#words) <= 0)
      return false;
    this.#bounds.set(from, place);
    this.#bounds.set(to, place + this.#words);
    this.#values[this.#rows++] = value;
    return true;
  }

  build(): Table {
    return {
      bounds: resized(this.#bounds, 2 * this.#words * this.#rows),
      values: resized(this.#values, this.#rows),
    };
  }
}

function resized(array: Uint32Array, length: number): Uint32Array {
  const copy = new Uint32Array(length);
  copy.set(array.length > length ? array.subarray(0, length) : array);
  return copy;
}

function wordsOf(address: Address): Uint32Array {
  const words = new Uint32Array(address.length / 4);
  for (const [index, byte] of address.entries()) words[index >> 2] = ((words[index >> 2] ?? 0) << 8) | byte;
  return words;
}

/** Negative, 0 or positive, as the address is before, at or behind the one at a place. */
function compare(address: Uint32Array, bounds: Uint32Array, place: number, words: number): number {
  for (let index = 0; index < words; index++) {
    const difference = (address[index] ?? 0) - (bounds[place + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The value of the row that covers the whole range. Where rows overlap, the one that begins last decides. */
function find({ bounds, values }: Table, { network, prefix }: AddressRange): number | undefined {
  const words = network.length / 4;
  const first = wordsOf(network);
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(first, bounds, 2 * words * middle, words) < 0) high = middle;
    else low = middle + 1;
  }
  const row = low - 1;
  const isCovered = row >= 0 && compare(lastOf(first, prefix), bounds, 2 * words * row + words, words) <= 0;
  return isCovered ? values[row] : undefined;
}

/** The last address of a range. */
function lastOf(first: Uint32Array, prefix: number): Uint32Array {
  return first.map((word, index) => {
    const fixed = Math.min(Math.max(prefix - 32 * index, 0), 32);
    return fixed === 32 ? word : word | (0xffffffff >>> fixed);
  });
}
