// The address databases of a folder of data: mmdb files, or CSV files of ranges.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '../../domain/instant.ts';
import { compareText } from '../../domain/sorted-list.ts';
import { type AddressDatabase, openAddressDatabase } from '../enrichers/address-database.ts';
import { readSystem } from '../enrichers/autonomous-system.ts';
import { dataFileError } from '../enrichers/data-file.ts';
import { readLocation } from '../enrichers/geo-location.ts';
import { openRangeTable } from './range-table.ts';

export const ADDRESS_KINDS = ['country', 'city', 'asn'] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** Whether a record has what the kind is about. */
const IS_ANSWER: Readonly<Record<AddressKind, (record: unknown) => boolean>> = {
  country: (record) => readLocation(record)?.countryCode !== '' && readLocation(record) !== undefined,
  city: (record) => {
    const place = readLocation(record);
    return place !== undefined && (place.city !== '' || place.latitude !== undefined);
  },
  asn: (record) => readSystem(record) !== undefined,
};
const MISSING: Readonly<Record<AddressKind, string>> = {
  country: 'has no record with a country',
  city: 'has no record with a city or a place',
  asn: 'has no record with the number of an autonomous system',
};

/** Files by which the packages of ip-location-db name the family. Where both are there, others repeat them. */
const BY_FAMILY = /-ipv[46]\.(?:mmdb|csv)$/;
/** The same ranges with addresses as numbers. */
const NUMERIC = /-num\.csv$/;
/** Records that are read before a database counts as one of another kind. */
const PROBES = 20_000;

/** The files of a folder that are read. mmdb files come before CSV files. */
export async function addressFilesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => !NUMERIC.test(name)).sort(compareText);
  for (const ending of ['.mmdb', '.csv']) {
    const found = names.filter((name) => name.endsWith(ending));
    const byFamily = found.filter((name) => BY_FAMILY.test(name));
    if (found.length > 0) return (byFamily.length > 0 ? byFamily : found).map((name) => join(folder, name));
  }
  throw dataFileError(folder, 'has no mmdb file and no CSV file');
}

/**
 * @param name of the data set, for receipts. @param builtAt used where a file does not say it.
 * @throws ServiceError failed_precondition naming the file that is broken.
 */
export async function openAddressFiles(
  paths: readonly string[],
  name: string | undefined,
  builtAt: Instant,
): Promise<readonly AddressDatabase[]> {
  const databases = await Promise.all(
    paths.map((path) => (path.endsWith('.csv') ? openRangeTable(path, builtAt) : openAddressDatabase(path))),
  );
  return databases.map((database) =>
    name === undefined ? database : { ...database, dataset: { ...database.dataset, name } },
  );
}

/**
 * @returns when the oldest of the databases was built.
 * @throws ServiceError failed_precondition naming a file that has no record of the kind.
 */
export async function verifyAddressFiles(
  kind: AddressKind,
  paths: readonly string[],
  builtAt: Instant,
): Promise<Instant> {
  const databases = await openAddressFiles(paths, undefined, builtAt);
  for (const [index, database] of databases.entries())
    if (!answers(database, IS_ANSWER[kind])) throw dataFileError(paths[index] ?? '', MISSING[kind]);
  return Math.min(...databases.map(({ dataset }) => dataset.builtAt));
}

function answers(database: AddressDatabase, isAnswer: (record: unknown) => boolean): boolean {
  let probes = 0;
  for (const record of database.records()) {
    if (isAnswer(record)) return true;
    if (++probes === PROBES) return false;
  }
  return false;
}
