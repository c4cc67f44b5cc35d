// Signals for tests of single enrichers.

import type { IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { observation, recordOf } from '../../domain/indicator/observation.test-support.ts';
import type { Observation } from '../../domain/indicator/sensor-event.ts';
import { scoreIndicator } from '../../domain/score/confidence.ts';
import type { Enricher, Finding, Signal } from '../enricher.ts';
import { attackTechniques } from './attack-techniques.ts';
import { evidenceRisk } from './evidence-risk.ts';
import { templateSummary } from './summary/template-summary.ts';

/** The enrichers that need no data, in the order of an installation. */
export const LOCAL_ENRICHERS: readonly Enricher[] = [attackTechniques(), evidenceRisk, templateSummary];

/** A signal about a record of these observations, with the findings of earlier enrichers. */
export function signalOf(observations: readonly Partial<Observation>[], findings: Finding = {}): Signal {
  return signalAbout(recordOf(observations.map(observation)), findings);
}

export function signalAbout(record: IndicatorRecord, findings: Finding = {}): Signal {
  return { record, receipt: scoreIndicator(record), findings };
}

/** The finding of an enricher that answers synchronously. */
export function found(enricher: Enricher, signal: Signal): Finding {
  const finding = enricher.enrich(signal);
  if (finding instanceof Promise) throw new Error('expected a finding, not a promise');
  return finding;
}
