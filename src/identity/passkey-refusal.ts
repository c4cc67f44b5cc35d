// The one answer to every passkey that does not sign in.

import { ServiceError } from '../domain/errors.ts';

/** @param cause for the log. */
export function passkeyRefused(cause: unknown): ServiceError {
  return new ServiceError('unauthenticated', 'the passkey was not accepted', {
    reason: 'PASSKEY_REFUSED',
    cause,
  });
}
