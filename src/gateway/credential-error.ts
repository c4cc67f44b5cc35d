// The refusal of a credential: HTTP 401.

import { ServiceError } from '../domain/errors.ts';

/** No credential was given, or none in a form this interface takes. */
export function credentialMissing(): ServiceError {
  return new ServiceError('unauthenticated', 'a credential is needed in the Authorization header', {
    reason: 'CREDENTIAL_MISSING',
  });
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
