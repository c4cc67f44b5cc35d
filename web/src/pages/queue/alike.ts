// Which indicators are alike: one cause often makes many, and one look is then enough.

import type { ThreatIndicator } from '../../api/contract.ts';

export const ALIKE = ['source', 'technique', 'network'] as const;
export type Alike = (typeof ALIKE)[number];

/** What an indicator has of this kind. */
function marksOf({ sources, enrichment }: ThreatIndicator, by: Alike): readonly (string | number)[] {
  if (by === 'source') return sources.map(({ id }) => id);
  if (by === 'technique') return enrichment?.attackTechniques ?? [];
  return enrichment?.asn === undefined ? [] : [enrichment.asn.number];
}

/** The ids of those that share something of this kind with one of them, itself included. Empty if it has nothing. */
export function alikeOf(one: ThreatIndicator, all: readonly ThreatIndicator[], by: Alike): readonly string[] {
  const wanted = new Set(marksOf(one, by));
  if (wanted.size === 0) return [];
  return all.filter((other) => marksOf(other, by).some((mark) => wanted.has(mark))).map(({ id }) => id);
}
