// The refusal of a credential: HTTP 401.

import { ServiceError } from '../domain/errors.ts';

/** What each interface takes in the Authorization header (bearer.ts). */
const TAKEN = {
  rest: 'a Bearer credential of at most 8 KiB is needed in the Authorization header',
  taxii:
    'an API key is needed in the Authorization header: as the password of Basic, as Token or as Bearer, of at most 8 KiB',
} as const;

/** No credential was given, or none in a form this interface takes: the message says what it takes. */
export function credentialMissing(to: keyof typeof TAKEN): ServiceError {
  return new ServiceError('unauthenticated', TAKEN[to], { reason: 'CREDENTIAL_MISSING' });
}

/**
 * The one answer to every credential that is no good, so that a guesser learns nothing from it.
 * @param cause what was wrong, for the log: never the credential or a part of it.
 */
export function credentialInvalid(cause: unknown): ServiceError {
  return new ServiceError('unauthenticated', 'the credential is not valid', {
    reason: 'CREDENTIAL_INVALID',
    cause,
  });
}
