// The warning-list enricher: what is known to be nobody's in particular does not become a confident indicator, and the
// analyst is told by which list.

import { INTENTS } from '../../domain/indicator/indicator.ts';
import { LIST_EFFECTS, type ListEffect } from '../../domain/warning-list/warning-list.ts';
import type { ListMatch, WarningListIndex } from '../../domain/warning-list/warning-list-index.ts';
import type { Enricher, Finding, Signal } from '../enricher.ts';

/** Research scanners look. What writes to a controller is something else, whosever address it comes from. */
const DEEPEST_RESEARCH = INTENTS.indexOf('read');

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
  const bound = effects.find(({ severity }) => severity !== undefined);
  return {
    warningLists: matches.map(({ name, version, entry }) => ({ name, version, entry })),
    caps: effects.map(({ limit, factor, because }) =>
      factor === undefined ? { limit, because } : { limit, factor, because },
    ),
    ...(bound?.severity === undefined
      ? undefined
      : { severityBound: { limit: bound.severity, because: bound.because } }),
  };
}

function effectOf({ standing }: ListMatch, { record }: Signal): ListEffect | undefined {
  if (standing === 'noted') return undefined;
  if (standing === 'scanner' && INTENTS.indexOf(record.evidence.lead.intent) > DEEPEST_RESEARCH)
    return undefined;
  return LIST_EFFECTS[standing];
}
