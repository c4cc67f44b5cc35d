// Bounding the severity of an indicator without losing what was observed: a bound may go again, as lists change.

import type { ReceiptSeverity } from '../score/score-receipt.ts';
import { higherOf, numberOf, SEVERITIES, type Severity } from '../vocabulary.ts';
import type { IndicatorRecord } from './indicator.ts';

/** Where the severity must not go above, and why. */
export type SeverityBound = Omit<ReceiptSeverity, 'observed'>;

/** The highest severity observed: merging only ever raises it, and a bound that lowered it remembers it. */
export function observedSeverity({ indicator, receipt }: IndicatorRecord): Severity {
  return higherOf(SEVERITIES, indicator.severity, receipt?.severity?.observed ?? 'UNSPECIFIED');
}

function lowerOf(a: Severity, b: Severity): Severity {
  return numberOf(SEVERITIES, a) <= numberOf(SEVERITIES, b) ? a : b;
}

/** The record with the severity that was observed, under the bound if there is one. Its receipt is left to the caller. */
export function withSeverity(
  record: IndicatorRecord,
  observed: Severity,
  bound: SeverityBound | undefined,
): IndicatorRecord {
  const severity = bound === undefined ? observed : lowerOf(observed, bound.limit);
  return severity === record.indicator.severity
    ? record
    : { ...record, indicator: { ...record.indicator, severity } };
}
