// Damage: what is wrong with a file of the store for good. Waiting does not end it; the operator has to act.

import { ServiceError } from '../domain/errors.ts';

export interface Damage {
  /** Name of the file, without its folder. */
  readonly file: string;
  readonly problem: DamageKind;
  /** What was seen and what to do, for the operator. It names the file with its folder. */
  readonly diagnosis: string;
}

export type DamageKind =
  /** Pages contradict each other, or content differs from its checksum. */
  | 'CORRUPT'
  /** The file begins with something else than a database. */
  | 'NOT_A_DATABASE'
  /** A database of another program, or the other file of the data folder. */
  | 'FOREIGN'
  /** The file belongs to another installation than its neighbour. */
  | 'OTHER_INSTALLATION'
  /** The file is gone or empty, although it was used. */
  | 'MISSING'
  /** Another file has taken the place of the open one. */
  | 'REPLACED'
  /** The file has become shorter. */
  | 'TRUNCATED';

/** What an opened part of the store knows of its file. */
export interface Soundness {
  /** Looks at the file, which takes microseconds. Undefined while nothing is known to be wrong. */
  findDamage(): Damage | undefined;
  /**
   * Lets every further call reject with STORE_DAMAGED, if the damage is that of its own file. For damage that another
   * thread has found: nothing is answered from a damaged file, because nobody knows what is missing in the answer.
   */
  condemn(damage: Damage): void;
}

/** A damaged store does not heal, so clients wait for a while. */
const RETRY_AFTER_MS = 60_000;

export function storeDamaged({ diagnosis }: Damage, cause?: unknown): ServiceError {
  return new ServiceError('unavailable', 'the store is damaged; its operator has to repair it', {
    reason: 'STORE_DAMAGED',
    diagnosis,
    retryAfterMs: RETRY_AFTER_MS,
    cause,
  });
}

export function isStoreDamaged(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.details.reason === 'STORE_DAMAGED';
}
