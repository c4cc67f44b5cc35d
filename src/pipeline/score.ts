// Scoring: applies a score receipt to a record. RAW becomes SCORED; later states are scored again in place.

import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { advance, nextVersionAt, PIPELINE } from '../domain/indicator/lifecycle.ts';
import type { Instant } from '../domain/instant.ts';
import { imposedCaps, scoreIndicator } from '../domain/score/confidence.ts';
import type { ReceiptSeverity, ScoreReceipt } from '../domain/score/score-receipt.ts';
import { higherOf, numberOf, SEVERITIES, type Severity } from '../domain/vocabulary.ts';

/**
 * The record with a new receipt, score and validUntil. It keeps the terms that enrichment added to the earlier receipt
 * until the enrichers run again. Otherwise each sighting would make the score jump twice.
 */
export function score(record: IndicatorRecord, at: Instant): IndicatorRecord {
  const { receipt: earlier, indicator } = record;
  const observed = observedSeverity(record);
  const receipt =
    earlier === undefined
      ? scoreIndicator(record)
      : {
          ...enrichmentTerms(earlier, observed),
          ...scoreIndicator(record, earlier.adjustments, imposedCaps(earlier)),
        };
  const scored = withReceipt(withSeverity(record, observed, earlier?.severity), receipt);
  return indicator.state === 'RAW'
    ? advance(scored, 'SCORED', at, PIPELINE)
    : { ...scored, indicator: { ...scored.indicator, updatedAt: nextVersionAt(indicator.updatedAt, at) } };
}

/** The record with the score and validUntil of a receipt. The caller sets updatedAt. */
export function withReceipt(record: IndicatorRecord, receipt: ScoreReceipt): IndicatorRecord {
  const { score: confidenceScore, validUntil } = receipt;
  // A dispute gives even a file hash an end, and its undoing takes it away.
  const { validUntil: _, ...indicator } = record.indicator;
  return {
    ...record,
    indicator: { ...indicator, confidenceScore, ...(validUntil === undefined ? {} : { validUntil }) },
    receipt,
  };
}

function enrichmentTerms(earlier: ScoreReceipt, observed: Severity): Partial<ScoreReceipt> {
  const { risk, techniques, warningLists, scanner, verdict, summary, severity, datasets, failures } = earlier;
  return {
    ...(risk === undefined ? undefined : { risk }),
    ...(techniques === undefined ? undefined : { techniques }),
    ...(warningLists === undefined ? undefined : { warningLists }),
    ...(scanner === undefined ? undefined : { scanner }),
    ...(verdict === undefined ? undefined : { verdict }),
    ...(summary === undefined ? undefined : { summary }),
    ...(severity === undefined ? undefined : { severity: { ...severity, observed } }),
    ...(datasets === undefined ? undefined : { datasets }),
    ...(failures === undefined ? undefined : { failures }),
  };
}

/** The highest severity that an indicator may show, and why. */
export type SeverityBound = Omit<ReceiptSeverity, 'observed'>;

/** The highest severity observed. Merging only raises it, and the receipt remembers it while a bound lowers it. */
export function observedSeverity({ indicator, receipt }: IndicatorRecord): Severity {
  return higherOf(SEVERITIES, indicator.severity, receipt?.severity?.observed ?? 'UNSPECIFIED');
}

function lowerOf(a: Severity, b: Severity): Severity {
  return numberOf(SEVERITIES, a) <= numberOf(SEVERITIES, b) ? a : b;
}

/**
 * The record with the observed severity, lowered to the bound if there is one. A later version of a list may lift the
 * bound. The caller sets the receipt.
 */
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
