// What is installed in the folder `enrichment` of a data folder: one folder of files and one manifest for each kind.
//
// A manifest is replaced by renaming, so a reader finds the old data or the new data, and never a half. Its `changedAt`
// grows with every change, also when data is removed.

import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY, type Instant } from '../../domain/instant.ts';
import { DATA_KINDS, type DataKind } from './kinds.ts';

/** Older data is reported in the log. */
const OLD_AFTER_DAYS = 90;

/** As in the manifest. */
interface Installed {
  /** Name of a package, or of a file or folder. */
  readonly name: string;
  readonly version?: string;
  readonly builtAt: Instant;
  readonly installedAt: Instant;
  /** SPDX identifier, or what the user says of his files. */
  readonly licence?: string;
  readonly attribution?: string;
  /** SHA-512 of the package as the registry states it. Absent for files that the user brought. */
  readonly integrity?: string;
  /** Below the folder `enrichment`. */
  readonly folder: string;
}

interface Manifest {
  readonly changedAt: Instant;
  readonly data?: Installed;
}

export type Provenance = Omit<Installed, 'installedAt' | 'folder'>;

export interface InstalledData extends Installed {
  readonly kind: DataKind;
  /** Absolute, or relative to the working directory as the data folder is. */
  readonly path: string;
}

export interface Installation {
  readonly kind: DataKind;
  readonly changedAt: Instant;
  /** Undefined after a removal. */
  readonly data: InstalledData | undefined;
}

function enrichmentFolder(dataDir: string): string {
  return join(dataDir, 'enrichment');
}

/** Kinds that were never installed are missing. A manifest that cannot be read counts as missing. */
export async function readInstallations(dataDir: string): Promise<readonly Installation[]> {
  const read = await Promise.all(DATA_KINDS.map((kind) => readManifest(dataDir, kind)));
  return read.filter((installation) => installation !== undefined);
}

export async function readInstalled(dataDir: string): Promise<readonly InstalledData[]> {
  return (await readInstallations(dataDir)).flatMap(({ data }) => data ?? []);
}

async function readManifest(dataDir: string, kind: DataKind): Promise<Installation | undefined> {
  const folder = enrichmentFolder(dataDir);
  const text = await readFile(join(folder, `${kind}.json`), 'utf8').catch(() => undefined);
  const manifest = text === undefined ? undefined : parsed(text);
  if (manifest === undefined || !Number.isSafeInteger(manifest.changedAt)) return undefined;
  const { changedAt, data } = manifest;
  return { kind, changedAt, data: data && { ...data, kind, path: join(folder, data.folder) } };
}

/** Only this file writes manifests, so their members are not checked. */
function parsed(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined;
  }
}

/** A number that grows with every change of the installed data. 0 if nothing was ever installed. */
export function generationOf(installations: readonly Installation[]): Instant {
  return Math.max(0, ...installations.map(({ changedAt }) => changedAt));
}

/** Whole days since the data was built. */
export function ageInDays({ builtAt }: Pick<InstalledData, 'builtAt'>, now: Instant): number {
  return Math.max(0, Math.floor((now - builtAt) / DAY));
}

export function isOld(data: Pick<InstalledData, 'builtAt'>, now: Instant): boolean {
  return ageInDays(data, now) > OLD_AFTER_DAYS;
}

/** An empty folder for files that are about to be installed, on the file system of the data folder. */
export async function makeIncomingFolder(dataDir: string): Promise<string> {
  const folder = join(enrichmentFolder(dataDir), `incoming-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Makes the files of an incoming folder the data of a kind, and deletes the earlier files.
 * @param incoming gone afterwards.
 */
export async function swapIn(
  dataDir: string,
  kind: DataKind,
  incoming: string,
  provenance: Provenance,
  now: Instant,
): Promise<InstalledData> {
  const name = `${kind}-${randomUUID()}`;
  const path = join(enrichmentFolder(dataDir), name);
  await rename(incoming, path);
  const data = { ...provenance, installedAt: now, folder: name };
  await writeManifest(dataDir, kind, now, data);
  return { ...data, kind, path };
}

/** @returns whether there was anything to remove. */
export async function removeInstalled(dataDir: string, kind: DataKind, now: Instant): Promise<boolean> {
  const installation = await readManifest(dataDir, kind);
  if (installation?.data === undefined) return false;
  await writeManifest(dataDir, kind, now, undefined);
  return true;
}

async function writeManifest(
  dataDir: string,
  kind: DataKind,
  now: Instant,
  data: Installed | undefined,
): Promise<void> {
  const folder = enrichmentFolder(dataDir);
  const earlier = await readManifest(dataDir, kind);
  const changedAt = Math.max(now, (earlier?.changedAt ?? 0) + 1);
  const temporary = join(folder, `${kind}.json.${randomUUID()}`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ changedAt, data }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(folder, `${kind}.json`));
  await removeOthers(folder, kind, data?.folder);
}

/** A service that is just reading files of a deleted folder keeps its earlier data and reads the new manifest next. */
async function removeOthers(folder: string, kind: DataKind, kept: string | undefined): Promise<void> {
  const names = await readdir(folder);
  const others = names.filter((name) => name.startsWith(`${kind}-`) && name !== kept);
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
