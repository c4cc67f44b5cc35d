// Data files that an operator named and that cannot be used.

import { ServiceError } from '../../domain/errors.ts';

/** @param fault what is wrong, such as `is not an mmdb file`. */
export function dataFileError(path: string, fault: string, cause?: unknown): ServiceError {
  return new ServiceError('failed_precondition', `${path} ${fault}`, { reason: 'DATA_FILE', cause });
}

/** Of a failed file operation. */
export function unreadable(path: string, error: unknown): ServiceError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return dataFileError(path, code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`, error);
}
