// The enrichers of an installation without any further data, in the order they run.

import type { Enricher } from '../enricher.ts';
import { attackTechniques } from './attack-techniques.ts';
import { evidenceRisk } from './evidence-risk.ts';
import { templateSummary } from './template-summary.ts';

/** All of them answer from memory. The summary comes last, since it tells what the others found. */
export function defaultEnrichers(): readonly Enricher[] {
  return [attackTechniques(), evidenceRisk, templateSummary];
}
