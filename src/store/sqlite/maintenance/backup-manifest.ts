// The manifest of a backup: `backup.json`, beside the copied files.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../../domain/errors.ts';
import type { Backup } from '../../driver.ts';

export const MANIFEST = 'backup.json';
export const BACKUP_FORMAT = 1;

export interface BackupManifest extends Backup {
  readonly format: number;
}

/**
 * Reads and checks the manifest. Rejects with ServiceError `failed_precondition` for a folder that is not a backup.
 * @param names the possible files of a data folder. A manifest may name no others.
 */
export async function readManifest(folder: string, names: readonly string[]): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((cause: unknown) => {
    throw notABackup(`${folder} has no ${MANIFEST}`, cause);
  });
  const manifest = parse(text);
  if (manifest?.format !== BACKUP_FORMAT || !Array.isArray(manifest.files) || manifest.files.length === 0) {
    throw notABackup(`${join(folder, MANIFEST)} is not a backup manifest of format ${BACKUP_FORMAT}`);
  }
  for (const { name } of manifest.files) {
    if (!names.includes(name))
      throw notABackup(`${join(folder, MANIFEST)} names a file that does not belong to a store`);
  }
  return manifest;
}

function parse(text: string): BackupManifest | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) hash.update(chunk);
  return hash.digest('hex');
}

export function notABackup(message: string, cause?: unknown): ServiceError {
  return new ServiceError('failed_precondition', message, { reason: 'NOT_A_BACKUP', cause });
}
