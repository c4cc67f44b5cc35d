// Address databases in the mmdb format (MaxMind DB 2.0), from any publisher, and their records.

import { basename } from 'node:path';
import { type CityResponse, Reader } from 'mmdb-lib';
import { type AddressRange, formatAddress } from '../../domain/observable/address.ts';
import type { ReceiptDataset } from '../../domain/score/score-receipt.ts';
import { dataFileError, readDataFile } from './data-file.ts';

export interface AddressDatabase {
  readonly dataset: ReceiptDataset;
  /** The record that covers the whole range. Undefined if there is none. */
  lookup(range: AddressRange): unknown;
  /** The records in the order of their addresses. One that covers several blocks of addresses may come again. */
  records(): Iterable<unknown>;
}

/** 16 zero bytes between the search tree and the data. */
const SEPARATOR_LENGTH = 16;

/** A longer text is damage, not a name. */
const TEXT_LIMIT = 200;

/** @throws ServiceError failed_precondition naming the file that is missing or broken. */
export async function openAddressDatabase(path: string): Promise<AddressDatabase> {
  const { reader, builtAt } = parse(path, await readDataFile(path));
  const { databaseType, ipVersion } = reader.metadata;
  return {
    dataset: { name: databaseType || basename(path), builtAt },
    lookup: ({ network, prefix }) => {
      // A database of IPv4 addresses would read the first 32 bits of an IPv6 address as an IPv4 address.
      if (ipVersion === 4 && network.length !== 4) return undefined;
      const [record, covered] = reader.getWithPrefixLength(formatAddress(network));
      return record !== null && covered <= prefix ? record : undefined;
    },
    records: () => recordsOf(reader),
  };
}

/** Each step goes from a block of addresses, with or without a record, to the next one. */
function* recordsOf(reader: Reader<CityResponse>): Generator<unknown> {
  const length = reader.metadata.ipVersion === 4 ? 4 : 16;
  const bits = BigInt(8 * length);
  for (let place = 0n; place < 1n << bits; ) {
    const address = Array.from({ length }, (_, index) =>
      Number((place >> BigInt(8 * (length - 1 - index))) & 0xffn),
    );
    const [record, covered] = reader.getWithPrefixLength(formatAddress(address));
    if (record !== null) yield record;
    place += 1n << (bits - BigInt(covered));
  }
}

function parse(path: string, file: Buffer): { reader: Reader<CityResponse>; builtAt: number } {
  try {
    const reader = new Reader<CityResponse>(file);
    const { binaryFormatMajorVersion, searchTreeSize, buildEpoch } = reader.metadata;
    const builtAt = buildEpoch.getTime();
    if (binaryFormatMajorVersion === 2 && searchTreeSize + SEPARATOR_LENGTH < file.length && builtAt >= 0)
      return { reader, builtAt };
  } catch (error) {
    throw dataFileError(path, 'is not an mmdb file, or it is broken', error);
  }
  throw dataFileError(path, 'is not an mmdb file, or it is broken');
}

/** The first database with a record that `read` understands answers. */
export function firstAnswer<Value>(
  databases: readonly AddressDatabase[],
  range: AddressRange,
  read: (record: unknown) => Value | undefined,
): { readonly value: Value; readonly dataset: ReceiptDataset } | undefined {
  for (const { dataset, lookup } of databases) {
    const value = read(lookup(range));
    if (value !== undefined) return { value, dataset };
  }
  return undefined;
}

/** The member at a path such as `country.iso_code`. Undefined if a part of the path does not exist. */
export function memberAt(record: unknown, path: string): unknown {
  let member = record;
  for (const name of path.split('.')) {
    if (typeof member !== 'object' || member === null || !Object.hasOwn(member, name)) return undefined;
    member = Reflect.get(member, name);
  }
  return member;
}

/** The first of these members that is a text and not blank. */
export function textAt(record: unknown, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const member = memberAt(record, path);
    if (typeof member !== 'string') continue;
    const text = member
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, TEXT_LIMIT);
    if (text !== '') return text;
  }
  return undefined;
}

/** The first of these members that is a number within the bounds, or the text of one. */
export function numberAt(
  record: unknown,
  paths: readonly string[],
  min: number,
  max: number,
): number | undefined {
  for (const path of paths) {
    const member = memberAt(record, path);
    const number = typeof member === 'string' && /^-?\d/.test(member.trim()) ? Number(member) : member;
    if (typeof number === 'number' && number >= min && number <= max) return number;
  }
  return undefined;
}
