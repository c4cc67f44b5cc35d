// What it means that an indicator belongs to a research scanner, however that was found out.

import { INTENTS } from '../../domain/indicator/indicator.ts';
import { LIST_EFFECTS, type ListEffect } from '../../domain/warning-list/warning-list.ts';
import type { Finding, Signal } from '../enricher.ts';

/** Research scanners read at most. A write to a controller is not research, even from the address of a scanner. */
const DEEPEST_RESEARCH = INTENTS.indexOf('read');

export const NO_LIMIT = 100;

/** Undefined if the indicator did more than a research scanner does. */
export function scannerEffect({ record }: Signal): ListEffect | undefined {
  if (INTENTS.indexOf(record.evidence.lead.intent) > DEEPEST_RESEARCH) return undefined;
  const { limit, ...effect } = LIST_EFFECTS.scanner;
  // That it belongs to a scanner confirms that it scans, and contradicts every other category.
  const isOnlyScanner = record.indicator.categories.every((category) => category === 'SCANNER');
  return { limit: isOnlyScanner ? NO_LIMIT : limit, ...effect };
}

/** What belonging to a scanner adds, where no list names it. */
export function scannerFinding(scanner: NonNullable<Finding['scanner']>, signal: Signal): Finding {
  const effect = scannerEffect(signal);
  if (effect === undefined) return { scanner };
  const because = `${scanner.entry} is a name of ${scanner.name} and leads back to it: ${effect.because}`;
  return {
    scanner,
    caps: effect.limit < NO_LIMIT ? [{ limit: effect.limit, because }] : [],
    ...(effect.severity === undefined ? undefined : { severityBound: { limit: effect.severity, because } }),
  };
}
