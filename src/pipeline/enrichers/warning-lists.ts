// The warning-list enricher: limits the score of values that are known to be shared or harmless, and names the list.

import { INTENTS } from '../../domain/indicator/indicator.ts';
import { numberOf, SEVERITIES } from '../../domain/vocabulary.ts';
import { LIST_EFFECTS, type ListEffect } from '../../domain/warning-list/warning-list.ts';
import type { ListMatch, WarningListIndex } from '../../domain/warning-list/warning-list-index.ts';
import type { Enricher, Finding, Signal } from '../enricher.ts';
import type { SeverityBound } from '../score.ts';

/** Research scanners read at most. A write to a controller is not research, even from the address of a scanner. */
const DEEPEST_RESEARCH = INTENTS.indexOf('read');

const NOTHING: Finding = {};

const NO_LIMIT = 100;

export function warningLists(index: WarningListIndex): Enricher {
  return {
    name: 'warning-list',
    appliesTo: () => true,
    enrich: (signal) => {
      const matches = index.match(signal.record.indicator);
      return matches.length === 0 ? NOTHING : findingOf(matches, signal);
    },
  };
}

function findingOf(matches: readonly ListMatch[], signal: Signal): Finding {
  const effects = matches.flatMap((match) => {
    const effect = effectOf(match, signal);
    return effect === undefined
      ? []
      : [{ ...effect, because: `on the list "${match.name}" (${match.version}): ${effect.because}` }];
  });
  const bound = lowestBound(effects);
  return {
    warningLists: matches.map(({ name, version, entry }) => ({ name, version, entry })),
    caps: effects
      .filter(({ limit }) => limit < NO_LIMIT)
      .map(({ limit, factor, because }) =>
        factor === undefined ? { limit, because } : { limit, factor, because },
      ),
    ...(bound === undefined ? undefined : { severityBound: bound }),
  };
}

function lowestBound(effects: readonly ListEffect[]): SeverityBound | undefined {
  let lowest: SeverityBound | undefined;
  for (const { severity, because } of effects) {
    if (severity === undefined) continue;
    if (lowest === undefined || numberOf(SEVERITIES, severity) < numberOf(SEVERITIES, lowest.limit))
      lowest = { limit: severity, because };
  }
  return lowest;
}

function effectOf({ standing }: ListMatch, { record }: Signal): ListEffect | undefined {
  if (standing === 'noted') return undefined;
  const { limit, ...effect } = LIST_EFFECTS[standing];
  if (standing !== 'scanner') return { limit, ...effect };
  if (INTENTS.indexOf(record.evidence.lead.intent) > DEEPEST_RESEARCH) return undefined;
  // The list confirms that it scans, and contradicts every other category.
  const isOnlyScanner = record.indicator.categories.every((category) => category === 'SCANNER');
  return { limit: isOnlyScanner ? NO_LIMIT : limit, ...effect };
}
