// ATT&CK techniques by the rule table: each technique with the behaviour that shows it.

import { type AttackRelease, idInRelease } from '../../domain/evidence/attack-technique.ts';
import { behaviourRule } from '../../domain/evidence/behaviour-rules.ts';
import { compareText } from '../../domain/sorted-list.ts';
import type { Enricher } from '../enricher.ts';

const CURRENT_RELEASE: AttackRelease = 19;

/** @param release of ATT&CK whose ids are given; the names of techniques hardly change, some ids did with 19. */
export function attackTechniques(release: AttackRelease = CURRENT_RELEASE): Enricher {
  return {
    name: 'attack-techniques',
    appliesTo: ({ record }) => record.evidence.behaviours.length > 0,
    enrich: ({ record }) => {
      const reasons = new Map<string, string>();
      // Behaviours are sorted, so the reason that is kept for a technique is always the same one.
      for (const because of record.evidence.behaviours) {
        for (const technique of behaviourRule(because)?.techniques ?? []) {
          const id = idInRelease(technique, release);
          if (!reasons.has(id)) reasons.set(id, because);
        }
      }
      const techniques = [...reasons].map(([id, because]) => ({ id, because }));
      return { techniques: techniques.sort((a, b) => compareText(a.id, b.id)) };
    },
  };
}
