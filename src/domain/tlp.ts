// Traffic Light Protocol 2.0: which markings a reader may see. Everything that shows indicators uses `isVisible` or
// `visibleMarkings`.

import { higherOf, numberOf, TLP_MARKINGS, type TlpMarking } from './vocabulary.ts';

/**
 * Whether a reader with this ceiling may know about something with this marking. Fails closed: without a ceiling
 * nothing is visible, and a missing marking counts as RED.
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

/** The marking of two things that are shown together. Any marking outranks UNSPECIFIED. */
export function moreRestrictive(a: TlpMarking, b: TlpMarking): TlpMarking {
  return higherOf(TLP_MARKINGS, a, b);
}

/**
 * Reads the spellings of people and feeds: `amber_strict`, `TLP:AMBER+STRICT`, `tlp-green`, `TLP_MARKING_RED`, in any
 * case. WHITE of TLP 1.0 is CLEAR. Undefined for any other text and for UNSPECIFIED.
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
