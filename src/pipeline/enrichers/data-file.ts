// Data files that an operator provides: errors that name the file, and names that are safe to show.

import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../domain/errors.ts';

/** Names of lists and malware families appear in summaries and in the feed. */
const NAME_LIMIT = 200;

/** @param fault completes a sentence that starts with the path, such as `is not an mmdb file`. */
export function dataFileError(path: string, fault: string, cause?: unknown): ServiceError {
  return new ServiceError('failed_precondition', `${path} ${fault}`, { reason: 'DATA_FILE', cause });
}

/** The error for a failed file operation. */
export function unreadable(path: string, error: unknown): ServiceError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return dataFileError(path, code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`, error);
}

/** @throws ServiceError failed_precondition naming the file. */
export async function readDataFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The name on one line, without control and format characters. Empty if no other character is left. */
export function displayName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, NAME_LIMIT);
}
