// Installing data: the files are copied beside the installed ones, opened and asked, and then take their place.

import { cp, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ServiceError } from '../../domain/errors.ts';
import type { Instant } from '../../domain/instant.ts';
import { dataFileError, unreadable } from '../enrichers/data-file.ts';
import { readGalaxies } from '../enrichers/malware-families.ts';
import { readWarningLists } from '../enrichers/warning-list-files.ts';
import { ADDRESS_KINDS, type AddressKind, addressFilesIn, verifyAddressFiles } from './address-data.ts';
import { type InstalledData, makeIncomingFolder, type Provenance, swapIn } from './installed-data.ts';
import type { InstallableKind } from './kinds.ts';

/** Where the data comes from. What is missing is read from the files. */
export type Origin = Omit<Provenance, 'builtAt' | 'name'> & Partial<Pick<Provenance, 'builtAt' | 'name'>>;

/**
 * @param from a file or a folder, which stays as it is.
 * @throws ServiceError failed_precondition naming the file that is missing, broken or of another kind. Then the installed
 * data stays.
 */
export async function installData(
  dataDir: string,
  kind: InstallableKind,
  from: string,
  origin: Origin,
  now: Instant,
): Promise<InstalledData> {
  const source = await stat(from).catch((error: unknown) => {
    throw unreadable(from, error);
  });
  const builtAt = origin.builtAt ?? Math.floor(source.mtimeMs);
  const incoming = await makeIncomingFolder(dataDir);
  try {
    await copy(kind, from, source.isDirectory(), incoming);
    const provenance = { name: basename(from), ...origin, builtAt: await verify(kind, incoming, builtAt) };
    return await swapIn(dataDir, kind, incoming, provenance, now);
  } catch (error) {
    await rm(incoming, { recursive: true, force: true });
    throw error instanceof ServiceError ? namingOrigin(error, incoming, from) : error;
  }
}

/** The same error with the path that the user knows in place of the copy. */
function namingOrigin({ code, message, details }: ServiceError, copy: string, from: string): ServiceError {
  return new ServiceError(code, message.replace(copy, from), details);
}

/** Copies only the files that are read. */
async function copy(kind: InstallableKind, from: string, isFolder: boolean, to: string): Promise<void> {
  if (!isFolder) {
    if (kind === 'warninglists') throw dataFileError(from, 'is not a folder of warning lists');
    await cp(from, join(to, basename(from)));
  } else if (isAddressKind(kind)) {
    for (const path of await addressFilesIn(from)) await cp(path, join(to, basename(path)));
  } else {
    // A checkout has its data in one folder.
    const folder = kind === 'galaxies' ? 'clusters' : 'lists';
    const hasFolder = (await readdir(from)).includes(folder);
    await cp(hasFolder ? join(from, folder) : from, to, { recursive: true, filter: isJsonOrFolder });
  }
}

function isJsonOrFolder(path: string): boolean {
  return path.endsWith('.json') || !/\.[^/.]+$/.test(basename(path));
}

/** @returns when the data was built. */
async function verify(kind: InstallableKind, folder: string, builtAt: Instant): Promise<Instant> {
  if (isAddressKind(kind)) return verifyAddressFiles(kind, await addressFilesIn(folder), builtAt);
  if (kind === 'galaxies') {
    await readGalaxies([folder]);
    return builtAt;
  }
  const { lists } = await readWarningLists([folder]);
  return Math.max(...lists.map(({ version }) => dateOfVersion(version)), 0) || builtAt;
}

/** Versions of MISP warning lists are dates, such as 20260820. Otherwise 0. */
function dateOfVersion(version: string): Instant {
  const [, year, month, day] = /^(20\d\d)(\d\d)(\d\d)$/.exec(version) ?? [];
  return day === undefined ? 0 : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

function isAddressKind(kind: string): kind is AddressKind {
  return (ADDRESS_KINDS as readonly string[]).includes(kind);
}
