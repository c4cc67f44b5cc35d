// Ids of ATT&CK techniques in searches: of any release, with sub-techniques.

/** The ICS techniques that release 19 (April 2026) turned into sub-techniques, by MITRE's crosswalk. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ['T0803', 'T1691.001'],
  ['T0804', 'T1691.002'],
  ['T0805', 'T1695.001'],
  ['T0812', 'T1694.001'],
  ['T0839', 'T1693.002'],
  ['T0855', 'T1692.001'],
  ['T0856', 'T1692.002'],
  ['T0857', 'T1693.001'],
  ['T0891', 'T1694.002'],
]);

const TECHNIQUE_ID = /^T[0-9]{4}(?:\.[0-9]{3})?$/;

export function isTechniqueId(text: string): boolean {
  return TECHNIQUE_ID.test(text);
}

/** The id of release 19. */
export function currentTechniqueId(id: string): string {
  return REPLACED.get(id) ?? id;
}

/** The ids of release 19 by which a technique is found: its own, and that of the technique above it. */
export function coveringTechniqueIds(id: string): readonly string[] {
  const current = currentTechniqueId(id);
  const dot = current.indexOf('.');
  return dot < 0 ? [current] : [current, current.slice(0, dot)];
}
