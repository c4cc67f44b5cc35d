// The verdicts of analysts in a store: what they confirmed, and what they disputed.

import { MATCH_ALL } from '../../domain/filter.ts';
import type { IndicatorRecord } from '../../domain/indicator/indicator.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { Stores } from '../../store/stores.ts';
import { namedHost } from '../enrichers/evidence-risk.ts';
import { evidenceFeatures } from './evidence-features.ts';
import type { Verdict } from './train-evidence.ts';

export interface StoredVerdict extends Verdict {
  /** Of a domain or URL. */
  readonly host?: string;
}

/** The label that the service gives to a disputed indicator. */
const DISPUTED = 'false-positive';

/**
 * @param ceiling what is above it is not learned from: every reader sees the scores.
 */
export async function readVerdicts(
  { indicators }: Pick<Stores, 'indicators'>,
  ceiling: TlpMarking,
): Promise<readonly StoredVerdict[]> {
  const verdicts: StoredVerdict[] = [];
  const confirmed = { ...MATCH_ALL, states: ['VERIFIED'] as const };
  for await (const record of indicators.each({ filter: confirmed, terms: [], ceiling }))
    verdicts.push(...verdictOf(record, true));
  const disputed = { ...MATCH_ALL, labels: [DISPUTED], includeWithdrawn: true };
  for await (const record of indicators.each({ filter: disputed, terms: [], ceiling }))
    verdicts.push(...verdictOf(record, false));
  return verdicts;
}

/** An indicator that is not scored yet says nothing. */
function verdictOf(record: IndicatorRecord, isBad: boolean): readonly StoredVerdict[] {
  const { receipt, indicator } = record;
  if (receipt === undefined) return [];
  const [strongest] = receipt.groups.toSorted((one, other) => other.probability - one.probability);
  const host = namedHost(indicator);
  return [
    {
      isBad,
      features: evidenceFeatures(record, receipt),
      sourceId: strongest?.sourceId ?? '',
      ...(host === undefined ? {} : { host }),
    },
  ];
}
