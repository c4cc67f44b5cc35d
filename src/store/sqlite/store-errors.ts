// Errors of SQLite and of the file system as errors of the store interface. The client learns that the store is
// unavailable; the operator learns the cause and what to do.

import { basename } from 'node:path';
import { ServiceError } from '../../domain/errors.ts';
import { type Damage, type DamageKind, storeDamaged } from '../damage.ts';

/** Primary result codes of SQLite (sqlite.org/rescode.html) that are about the file and not about the statement. */
const CAUSES: ReadonlyMap<number, string> = new Map([
  [5, 'another process holds its lock; end that process or try again later'],
  [6, 'another connection holds its lock; try again later'],
  [8, 'it or its folder may not be written by this user, or the file system is read-only; change that'],
  [10, 'the disk refused a read or a write; look at the log of the system and at the disk'],
  [13, 'the disk is full; free some space'],
  [14, 'it cannot be opened; look at the rights of the file and of its folder'],
]);

/** Codes of Node for failed calls to the file system. */
const SYSTEM_CAUSES: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'this user may not open it; change the rights or the user'],
  ['EPERM', 'this user may not open it; change the rights or the user'],
  ['EROFS', 'the file system is read-only; choose another folder'],
  ['ENOSPC', 'the disk is full; free some space'],
  ['EDQUOT', 'the quota of this user is used up; free some space'],
  ['EISDIR', 'it is a folder; choose another data folder'],
  ['ENOTDIR', 'a part of its path is a file; choose another data folder'],
  ['EEXIST', 'a part of its path is a file; choose another data folder'],
  ['ENOENT', 'it does not exist and cannot be created; choose another data folder'],
  ['ENAMETOOLONG', 'its path is too long; choose another data folder'],
  ['ELOOP', 'its path is a loop of symbolic links; choose another data folder'],
]);

const CORRUPT = 11;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;
/** Extended codes: the file ends before a page that should be there, and the file system found a wrong checksum. */
const SHORT_READ = 522;
const WRONG_CHECKSUM = 8_458;

/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. */
const SYNC_FAILURES = new Set([1_034, 1_290]);

/** Whether an fsync failed: the disk did not confirm the write. */
export function isSyncFailure(error: unknown): boolean {
  return SYNC_FAILURES.has(resultCode(error));
}

/** The extended result code of SQLite. 0 for an error that does not come from a statement. */
function resultCode(error: unknown): number {
  const source = error instanceof ServiceError ? error.details.cause : error;
  const { errcode = 0 } = (source ?? {}) as { errcode?: number };
  return errcode;
}

/** The kind of damage that an error of SQLite proves. */
export function damageShownBy(error: unknown): DamageKind | undefined {
  const code = resultCode(error);
  if (code === SHORT_READ) return 'TRUNCATED';
  // FTS5 has no code of its own for a damaged configuration.
  if (code === 1 && messageOf(error).startsWith('invalid fts5 file format')) return 'CORRUPT';
  if ((code & 0xff) === CORRUPT || code === WRONG_CHECKSUM) return 'CORRUPT';
  return (code & 0xff) === NOT_A_DATABASE ? 'NOT_A_DATABASE' : undefined;
}

/**
 * Turns whatever was thrown into the error of the store interface.
 * @param path of the file that was used, if that is known.
 */
export function asStoreError(error: unknown, path = 'the store'): ServiceError {
  if (error instanceof ServiceError) return error;
  const problem = damageShownBy(error);
  if (problem !== undefined) return damageError(path, problem, messageOf(error), error);
  // No statement breaks a constraint of a sound store. It is an answer to one change, and no proof against the file.
  if ((resultCode(error) & 0xff) === CONSTRAINT) return damageError(path, 'CORRUPT', messageOf(error), error);
  const cause = causeOf(error);
  if (cause === undefined)
    return new ServiceError('internal', 'internal error', { reason: 'INTERNAL', cause: error });
  return new ServiceError('unavailable', 'the store is unavailable at the moment; try again later', {
    reason: 'STORE_UNAVAILABLE',
    diagnosis: `${path}: ${cause}`,
    retryAfterMs: 5_000,
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function causeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (code === 'ERR_INVALID_STATE') return 'it is closed';
  if (syscall !== undefined) return SYSTEM_CAUSES.get(code ?? '') ?? error.message;
  // The low byte of an extended code is the primary code.
  return CAUSES.get(resultCode(error) & 0xff);
}

/** Makes a synchronous function asynchronous. The promise rejects with a ServiceError only. */
export function guarded<Arguments extends unknown[], Result>(
  read: (...given: Arguments) => Result,
): (...given: Arguments) => Promise<Result> {
  return async (...given) => {
    try {
      return read(...given);
    } catch (error) {
      throw asStoreError(error);
    }
  };
}

const SEEN: Readonly<Record<DamageKind, string>> = {
  CORRUPT: 'is damaged',
  NOT_A_DATABASE: 'is not a database',
  FOREIGN: 'is not the file that belongs here',
  OTHER_INSTALLATION: 'belongs to another installation',
  MISSING: 'is missing or empty',
  REPLACED: 'was replaced by another file while it was open',
  TRUNCATED: 'was cut off',
};

/** @param seen the particulars, if there are some. */
export function describeDamage(
  path: string,
  problem: DamageKind,
  seen?: string,
  remedy = remedyOf(basename(path)),
): Damage {
  const file = basename(path);
  const particulars = seen === undefined ? '' : ` (${seen})`;
  return { file, problem, diagnosis: `${path} ${SEEN[problem]}${particulars}; ${remedy}` };
}

/** The way out for the operator (docs/operating.md, "When the store is damaged"). */
function remedyOf(file: string): string {
  return file.startsWith('usage.db')
    ? 'stop the service, then put usage.db of a backup there, or start a new one with `tis check --new-usage`'
    : 'stop the service, look with `tis check`, then restore a backup into an empty folder with `tis restore`';
}

/** Fails as a damaged file does. */
export function damageError(path: string, problem: DamageKind, seen?: string, cause?: unknown): ServiceError {
  return storeDamaged(describeDamage(path, problem, seen), cause);
}
