// The warning-list enricher: limits the score of values that are known to be shared or harmless, and names the list.

import { scannerName } from '../../domain/warning-list/built-in-lists.ts';
import { LIST_EFFECTS, type ListEffect } from '../../domain/warning-list/warning-list.ts';
import type { ListMatch, WarningListIndex } from '../../domain/warning-list/warning-list-index.ts';
import { type Enricher, type Finding, lowerBound, type Signal } from '../enricher.ts';
import type { SeverityBound } from '../score.ts';
import { NO_LIMIT, scannerEffect } from './scanner-effect.ts';

const NOTHING: Finding = {};

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
  const scanner = matches.find(({ standing }) => standing === 'scanner');
  return {
    warningLists: matches.map(({ name, version, entry, standing }) => ({ name, version, entry, standing })),
    caps: effects
      .filter(({ limit }) => limit < NO_LIMIT)
      .map(({ limit, factor, because }) =>
        factor === undefined ? { limit, because } : { limit, factor, because },
      ),
    ...(bound === undefined ? undefined : { severityBound: bound }),
    ...(scanner === undefined
      ? undefined
      : { scanner: { name: scannerName(scanner.name), by: 'address', entry: scanner.entry } }),
  };
}

function lowestBound(effects: readonly ListEffect[]): SeverityBound | undefined {
  let lowest: SeverityBound | undefined;
  for (const { severity, because } of effects) {
    if (severity === undefined) continue;
    const bound = { limit: severity, because };
    lowest = lowest === undefined ? bound : lowerBound(lowest, bound);
  }
  return lowest;
}

function effectOf({ standing }: ListMatch, signal: Signal): ListEffect | undefined {
  if (standing === 'noted') return undefined;
  return standing === 'scanner' ? scannerEffect(signal) : LIST_EFFECTS[standing];
}
