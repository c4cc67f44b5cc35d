// Markings as numbers: every driver keeps them so, because `number <= ceilingNumber` then says the same as `isVisible`.

import { visibleMarkings } from '../../domain/tlp.ts';
import { numberOf, TLP_MARKINGS, type TlpMarking } from '../../domain/vocabulary.ts';

/** The number that is kept. A missing marking counts as RED, so that nothing is shown by oversight. */
export function markingNumber(marking: TlpMarking): number {
  return numberOf(TLP_MARKINGS, marking === 'UNSPECIFIED' ? 'RED' : marking);
}

/** The highest number that a reader may see. Without a ceiling it is 0, and nothing is visible. */
export function ceilingNumber(ceiling: TlpMarking): number {
  return numberOf(TLP_MARKINGS, ceiling);
}

/** The numbers that a reader may see, in ascending order. */
export function visibleNumbers(ceiling: TlpMarking): readonly number[] {
  return visibleMarkings(ceiling).map(markingNumber);
}

/** The numbers that are hidden from a reader, in ascending order. */
export function hiddenNumbers(ceiling: TlpMarking): readonly number[] {
  const first = ceilingNumber(ceiling) + 1;
  return Array.from({ length: TLP_MARKINGS.length - first }, (_, index) => first + index);
}
