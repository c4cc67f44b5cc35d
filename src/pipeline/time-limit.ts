// A time limit for work that somebody else does.

import { ServiceError } from '../domain/errors.ts';

/**
 * What the promise brings, unless it takes too long; then rejects with `unavailable`. The work itself is not stopped,
 * but whatever comes of it later is passed over.
 */
export function within<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  const { promise: limited, resolve, reject } = Promise.withResolvers<Value>();
  const timer = setTimeout(() => {
    reject(new ServiceError('unavailable', `no answer within ${milliseconds} ms`, { reason: 'TIME_LIMIT' }));
  }, milliseconds);
  promise.then(resolve, reject).finally(() => clearTimeout(timer));
  return limited;
}
