// Scoring: from what is known to how sure we are. RAW becomes SCORED; later states are re-scored in place.

import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { advance, nextVersionAt, PIPELINE } from '../domain/indicator/lifecycle.ts';
import { observedSeverity, withSeverity } from '../domain/indicator/severity-bound.ts';
import type { Instant } from '../domain/instant.ts';
import { imposedCaps, scoreIndicator } from '../domain/score/confidence.ts';
import type { ScoreReceipt } from '../domain/score/score-receipt.ts';
import type { Severity } from '../domain/vocabulary.ts';

/**
 * The record with a fresh receipt, score and validUntil. What enrichment contributed to an earlier receipt is kept
 * until the enrichers run again, so that a new sighting does not make the score jump to and fro.
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

/** The record with the score and validUntil of a receipt; the caller makes a version of it. */
export function withReceipt(record: IndicatorRecord, receipt: ScoreReceipt): IndicatorRecord {
  const { score: confidenceScore, validUntil } = receipt;
  const indicator =
    validUntil === undefined
      ? { ...record.indicator, confidenceScore }
      : { ...record.indicator, confidenceScore, validUntil };
  return { ...record, indicator, receipt };
}

function enrichmentTerms(earlier: ScoreReceipt, observed: Severity): Partial<ScoreReceipt> {
  const { risk, techniques, warningLists, severity, datasets, failures } = earlier;
  return {
    ...(risk === undefined ? undefined : { risk }),
    ...(techniques === undefined ? undefined : { techniques }),
    ...(warningLists === undefined ? undefined : { warningLists }),
    ...(severity === undefined ? undefined : { severity: { ...severity, observed } }),
    ...(datasets === undefined ? undefined : { datasets }),
    ...(failures === undefined ? undefined : { failures }),
  };
}
