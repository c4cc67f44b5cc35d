// Signals for tests of single enrichers.

import type { IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { observation, recordOf } from '../../domain/indicator/observation.test-support.ts';
import type { Observation } from '../../domain/indicator/observation.ts';
import { scoreIndicator } from '../../domain/score/confidence.ts';
import type { Enricher, Finding, Signal } from '../enricher.ts';

/** A signal about a record of these observations, with the findings of enrichers before. */
export function signalOf(observations: readonly Partial<Observation>[], findings: Finding = {}): Signal {
  return signalAbout(recordOf(observations.map(observation)), findings);
}

export function signalAbout(record: IndicatorRecord, findings: Finding = {}): Signal {
  return { record, receipt: scoreIndicator(record), findings };
}

/** What an enricher that answers from memory finds. */
export function found(enricher: Enricher, signal: Signal): Finding {
  const finding = enricher.enrich(signal);
  if (finding instanceof Promise) throw new Error('expected an answer at once');
  return finding;
}
