// Writes small databases in the mmdb format (MaxMind DB 2.0) for tests.

import { type AddressRange, parseCidr } from '../../domain/observable/address.ts';

/** A value of a record. Whole numbers are written as unsigned 32-bit integers, others as doubles. */
export type Field = string | number | boolean | readonly Field[] | { readonly [name: string]: Field };

export interface MmdbOptions {
  readonly type?: string;
  readonly ipVersion?: 4 | 6;
  readonly recordSize?: 24 | 28 | 32;
  /** Seconds since 1970. */
  readonly builtAt?: number;
}

export const BUILT_AT = 1_767_225_600;

/** A node with two branches. Each is empty, another node, or the number of a record. */
type Place = undefined | Node | number;
type Node = [left: Place, right: Place];

const SEPARATOR = Buffer.alloc(16);
const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** @param records by network in CIDR notation. A network comes before the networks inside it. */
export function writeMmdb(records: Readonly<Record<string, Field>>, options: MmdbOptions = {}): Buffer {
  const { type = 'Test', ipVersion = 6, recordSize = 24, builtAt = BUILT_AT } = options;
  const root: Node = [undefined, undefined];
  const offsets: number[] = [];
  const data: Buffer[] = [];
  let length = 0;
  for (const [network, record] of Object.entries(records)) {
    const range = parseCidr(network);
    if (range === undefined) throw new Error(`not a network: ${network}`);
    insert(root, bitsOf(range, ipVersion), offsets.length);
    const bytes = encode(record);
    offsets.push(length);
    data.push(bytes);
    length += bytes.length;
  }
  const nodes = numbered(root);
  const tree = nodes.map((node) => {
    const [left = 0, right = 0] = node.map((place) => {
      if (place === undefined) return nodes.length;
      if (typeof place !== 'number') return nodes.indexOf(place);
      return nodes.length + SEPARATOR.length + (offsets[place] ?? 0);
    });
    return writeNode(left, right, recordSize);
  });
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: builtAt,
    database_type: type,
    description: { en: 'Written by a test' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: recordSize,
  });
  return Buffer.concat([...tree, SEPARATOR, ...data, METADATA_MARKER, metadata]);
}

/** An IPv6 tree contains the IPv4 addresses below ::/96. */
function bitsOf({ network, prefix }: AddressRange, ipVersion: 4 | 6): readonly number[] {
  const bits = network.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1));
  const padding = ipVersion === 6 && network.length === 4 ? new Array<number>(96).fill(0) : [];
  return [...padding, ...bits.slice(0, prefix)];
}

function insert(node: Node, [bit = 0, ...rest]: readonly number[], record: number): void {
  if (rest.length === 0) {
    node[bit] = record;
    return;
  }
  const place = node[bit];
  const next: Node = Array.isArray(place) ? place : [place, place];
  node[bit] = next;
  insert(next, rest, record);
}

function numbered(node: Node): Node[] {
  return [node, ...node.flatMap((place) => (Array.isArray(place) ? numbered(place) : []))];
}

function writeNode(left: number, right: number, recordSize: 24 | 28 | 32): Buffer {
  const bytes = Buffer.alloc(recordSize / 4);
  if (recordSize === 32) {
    bytes.writeUInt32BE(left, 0);
    bytes.writeUInt32BE(right, 4);
  } else if (recordSize === 28) {
    bytes.writeUIntBE(left & 0xffffff, 0, 3);
    bytes.writeUInt8(((left >> 24) << 4) | (right >> 24), 3);
    bytes.writeUIntBE(right & 0xffffff, 4, 3);
  } else {
    bytes.writeUIntBE(left, 0, 3);
    bytes.writeUIntBE(right, 3, 3);
  }
  return bytes;
}

const STRING = 2;
const DOUBLE = 3;
const UINT32 = 6;
const MAP = 7;
/** A type above 7 takes an extra byte. */
const ARRAY = 11;
const BOOLEAN = 14;

function encode(field: Field): Buffer {
  if (typeof field === 'string') {
    const bytes = Buffer.from(field);
    return Buffer.concat([control(STRING, bytes.length), bytes]);
  }
  if (typeof field === 'boolean') return control(BOOLEAN, field ? 1 : 0);
  if (typeof field === 'number') {
    const whole = Number.isInteger(field) && field >= 0;
    const bytes = Buffer.alloc(whole ? 4 : 8);
    if (whole) bytes.writeUInt32BE(field);
    else bytes.writeDoubleBE(field);
    return Buffer.concat([control(whole ? UINT32 : DOUBLE, bytes.length), bytes]);
  }
  if (Array.isArray(field)) return Buffer.concat([control(ARRAY, field.length), ...field.map(encode)]);
  const members = Object.entries(field);
  return Buffer.concat([control(MAP, members.length), ...members.flat().map(encode)]);
}

function control(type: number, size: number): Buffer {
  const small = Math.min(size, 29);
  const further = size < 29 ? [] : [size - 29];
  return Buffer.from(type > 7 ? [small, type - 7, ...further] : [(type << 5) | small, ...further]);
}
