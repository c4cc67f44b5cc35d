// Indicators that a path names: ids in their one form, and the answer for what is not there.

import { ServiceError } from '../../domain/errors.ts';

/** Ids are written in lower case. Text of any other form is no id, so the store is not asked. */
const INDICATOR_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** @throws ServiceError `not_found` for text that is no id. */
export function existing(id: string): string {
  if (!INDICATOR_ID.test(id)) throw notFound(id);
  return id;
}

/** @throws ServiceError `not_found` without a value. */
export function found<Value>(id: string, value: Value | undefined): Value {
  if (value === undefined) throw notFound(id);
  return value;
}

function notFound(id: string): ServiceError {
  return new ServiceError('not_found', 'no such indicator', {
    reason: 'INDICATOR_NOT_FOUND',
    metadata: { id: id.slice(0, 64) },
  });
}
