// What cannot be done to an indicator against which a person has spoken.

import { ServiceError } from '../domain/errors.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';

/** @throws ServiceError `failed_precondition` for a withdrawn indicator, since that is for good. */
export function requireNotWithdrawn({ revokedAt }: IndicatorRecord): void {
  if (revokedAt === undefined) return;
  throw new ServiceError('failed_precondition', 'the indicator was withdrawn for good', {
    reason: 'INDICATOR_WITHDRAWN',
  });
}

/** @throws ServiceError `failed_precondition` for a withdrawn or disputed indicator. */
export function requireInForce(record: IndicatorRecord): void {
  requireNotWithdrawn(record);
  if (record.disputedAt === undefined) return;
  throw new ServiceError('failed_precondition', 'the indicator is disputed; undo the dispute first', {
    reason: 'INDICATOR_DISPUTED',
  });
}
