// Starting metered use anew after its file was lost or damaged. The operator asks for it: what was recorded is gone.

import { renameSync } from 'node:fs';
import { ServiceError } from '../../../domain/errors.ts';
import { type Clock, toRfc3339 } from '../../../domain/instant.ts';
import { isStoreDamaged } from '../../damage.ts';
import { Connection } from '../connection.ts';
import { type DataFiles, fileExists, fileHasContent } from '../files.ts';
import { OpenFile } from '../open-file.ts';
import { noteMetered, type Pairing, readPairing, requirePair, requireUsageOrNothing } from '../pairing.ts';
import { damageError } from '../store-errors.ts';
import { USAGE_SCHEMA } from '../usage/usage-schema.ts';

/**
 * Renames the usage file and its log, so that the next opening makes a new one. Returns the new name, if there was a file.
 * @throws ServiceError `failed_precondition` if there is no store, or if the usage file is in order.
 */
export function setUsageAside(files: DataFiles, clock: Clock): string | undefined {
  const pairing = readPairing(files);
  if (pairing === undefined) {
    throw new ServiceError('failed_precondition', `there is no store at ${files.store}`, {
      reason: 'NO_STORE',
    });
  }
  if (!isLost(files, pairing)) {
    throw new ServiceError('failed_precondition', `${files.usage} is in order and was left as it is`, {
      reason: 'NOT_DAMAGED',
    });
  }
  const suffix = `.damaged-${toRfc3339(clock()).replaceAll(':', '-')}`;
  const left = [files.usage, `${files.usage}-wal`, `${files.usage}-shm`].filter(fileExists);
  for (const path of left) renameSync(path, path.replace(files.usage, files.usage + suffix));
  noteMetered(files, false);
  return left.length === 0 ? undefined : files.usage + suffix;
}

/** Whether the file is missing, damaged, or belongs to something else. */
function isLost(files: DataFiles, pairing: Pairing): boolean {
  try {
    requireUsageOrNothing(files, pairing);
    if (fileHasContent(files.usage)) requireIntact(files.usage, pairing.mark);
    return false;
  } catch (error) {
    if (isStoreDamaged(error)) return true;
    throw error;
  }
}

function requireIntact(path: string, mark: Uint8Array): void {
  const connection = new Connection(new OpenFile(path), { readOnly: true, schema: USAGE_SCHEMA });
  try {
    requirePair(connection, mark);
    const [found] = connection.rows('pragma integrity_check(1)');
    if (found?.[0] !== 'ok') throw damageError(path, 'CORRUPT', String(found?.[0]));
  } finally {
    connection.close();
  }
}
