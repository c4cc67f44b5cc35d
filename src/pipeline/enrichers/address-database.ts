// Databases of addresses in the mmdb format (MaxMind DB 2.0), whoever made them.

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type CityResponse, Reader } from 'mmdb-lib';
import { type AddressRange, formatAddress } from '../../domain/observable/address.ts';
import type { ReceiptDataset } from '../../domain/score/score-receipt.ts';
import { dataFileError, unreadable } from './data-file-error.ts';

export interface AddressDatabase {
  readonly dataset: ReceiptDataset;
  /** What it says about all of these addresses alike; undefined when it says nothing, or not the same about all. */
  lookup(range: AddressRange): unknown;
}

/** 16 zero bytes between the search tree and the data. */
const SEPARATOR_LENGTH = 16;

/** @throws ServiceError failed_precondition naming the file, when it is missing or broken. */
export async function openAddressDatabase(path: string): Promise<AddressDatabase> {
  const file = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const { reader, builtAt } = parse(path, file);
  const { databaseType, ipVersion } = reader.metadata;
  return {
    dataset: { name: databaseType || basename(path), builtAt },
    lookup: ({ network, prefix }) => {
      // In a tree of IPv4 addresses any other one would be read as the IPv4 address of its first bits.
      if (ipVersion === 4 && network.length !== 4) return undefined;
      const [record, known] = reader.getWithPrefixLength(formatAddress(network));
      return record !== null && known <= prefix ? record : undefined;
    },
  };
}

function parse(path: string, file: Buffer): { reader: Reader<CityResponse>; builtAt: number } {
  try {
    const reader = new Reader<CityResponse>(file);
    const { binaryFormatMajorVersion, searchTreeSize, buildEpoch } = reader.metadata;
    const builtAt = buildEpoch.getTime();
    if (binaryFormatMajorVersion === 2 && searchTreeSize + SEPARATOR_LENGTH < file.length && builtAt >= 0)
      return { reader, builtAt };
  } catch (error) {
    throw dataFileError(path, 'is not an mmdb file, or a broken one', error);
  }
  throw dataFileError(path, 'is not an mmdb file, or a broken one');
}

/** The first answer of several databases that `read` can make something of, and where it came from. */
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
