// Traffic Light Protocol 2.0: who may see what. Everything that shows indicators asks `isVisible`, or for the markings
// that it lets through.

import { higherOf, numberOf, TLP_MARKINGS, type TlpMarking } from './vocabulary.ts';

/**
 * Whether a reader cleared up to `ceiling` may know of something so marked. Fails closed: without a ceiling nothing
 * is visible, and what carries no marking is treated as RED.
 */
export function isVisible(marking: TlpMarking, ceiling: TlpMarking): boolean {
  return (
    numberOf(TLP_MARKINGS, marking === 'UNSPECIFIED' ? 'RED' : marking) <= numberOf(TLP_MARKINGS, ceiling)
  );
}

/** The markings visible up to `ceiling`, least restricted first. */
export function visibleMarkings(ceiling: TlpMarking): readonly TlpMarking[] {
  return TLP_MARKINGS.filter((marking) => marking !== 'UNSPECIFIED' && isVisible(marking, ceiling));
}

/** The marking of two things shown as one. UNSPECIFIED gives way to any marking. */
export function moreRestrictive(a: TlpMarking, b: TlpMarking): TlpMarking {
  return higherOf(TLP_MARKINGS, a, b);
}

/**
 * Reads what people and feeds write: `amber_strict`, `TLP:AMBER+STRICT`, `tlp-green`, `TLP_MARKING_RED`, in any case.
 * TLP 1.0's WHITE is CLEAR. Undefined for anything else, UNSPECIFIED included.
 */
export function parseTlp(text: string): TlpMarking | undefined {
  const name = text
    .trim()
    .toUpperCase()
    .replace(/^TLP(?:_MARKING_|[:_ -])/, '')
    .replace(/[+ -]/g, '_');
  if (name === 'WHITE') return 'CLEAR';
  return TLP_MARKINGS.find((marking) => marking === name && marking !== 'UNSPECIFIED');
}
