// How long a read may take. A search that takes longer is given up, so that it does not hold up others.

import { ServiceError } from '../domain/errors.ts';

/** The failure of a read that took too long. */
export function outOfTime(): ServiceError {
  return new ServiceError(
    'unavailable',
    'the search takes too long; narrow it with a type, a tag, a time window or a longer text',
    { reason: 'SEARCH_TOO_SLOW' },
  );
}

export function isOutOfTime(error: unknown): boolean {
  return error instanceof ServiceError && error.details.reason === 'SEARCH_TOO_SLOW';
}
