// ATT&CK techniques from the rule table, each with the behaviour that it was derived from.

import { type AttackRelease, idInRelease } from '../../domain/evidence/attack-technique.ts';
import { behaviourRule } from '../../domain/evidence/behaviour-rules.ts';
import { compareText } from '../../domain/sorted-list.ts';
import type { Enricher } from '../enricher.ts';

const CURRENT_RELEASE: AttackRelease = 19;

/** @param release of ATT&CK whose ids are used. Release 19 changed some ids. */
export function attackTechniques(release: AttackRelease = CURRENT_RELEASE): Enricher {
  return {
    name: 'attack-techniques',
    appliesTo: ({ record }) => record.evidence.behaviours.length > 0,
    enrich: ({ record }) => {
      const reasons = new Map<string, string>();
      // Behaviours are sorted, so the first reason of a technique does not depend on their order of arrival.
      for (const because of record.evidence.behaviours) {
        for (const technique of behaviourRule(because)?.techniques ?? []) {
          const id = idInRelease(technique, release);
          if (!reasons.has(id)) reasons.set(id, because);
        }
      }
      const precise = [...reasons].filter(([id]) => !hasSubTechnique(reasons, id));
      const techniques = precise.map(([id, because]) => ({ id, because }));
      return { techniques: techniques.sort((a, b) => compareText(a.id, b.id)) };
    },
  };
}

/** A technique says nothing beside one of its sub-techniques. */
function hasSubTechnique(reasons: ReadonlyMap<string, string>, id: string): boolean {
  return reasons.keys().some((other) => other.startsWith(`${id}.`));
}
