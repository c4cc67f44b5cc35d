// Audiences: sets of TLP ceilings. What is kept about an indicator depends on the ceiling of its reader, so every row
// that is shown to readers names the ceilings that it is for.

import { visibleMarkings } from './tlp.ts';
import { numberOf, TLP_MARKINGS, type TlpMarking } from './vocabulary.ts';

/** A set of ceilings as bits: CLEAR is 1, GREEN 2, AMBER 4, AMBER_STRICT 8, RED 16. */
export type Audience = number;

export const NOBODY: Audience = 0;

/** The ceilings in ascending order. */
export const CEILINGS: readonly TlpMarking[] = visibleMarkings('RED');

/** The readers with exactly this ceiling. Without a ceiling there is none. */
export function readersAt(ceiling: TlpMarking): Audience {
  return ceiling === 'UNSPECIFIED' ? NOBODY : 1 << (numberOf(TLP_MARKINGS, ceiling) - 1);
}

/**
 * The readers who may see a marking. A missing marking counts as RED.
 * @param below leaves out the readers who may also see this marking, which is more restrictive.
 */
export function readersOf(marking: TlpMarking, below?: TlpMarking): Audience {
  const hidden = below === undefined ? NOBODY : readersOf(below);
  const first = readersAt(marking === 'UNSPECIFIED' ? 'RED' : marking);
  return EVERYBODY & ~(first - 1) & ~hidden;
}

export const EVERYBODY: Audience = (1 << CEILINGS.length) - 1;

/** The ceilings of an audience, in ascending order. */
export function ceilingsOf(audience: Audience): readonly TlpMarking[] {
  return CEILINGS.filter((ceiling) => isReader(ceiling, audience));
}

export function isReader(ceiling: TlpMarking, audience: Audience): boolean {
  return (readersAt(ceiling) & audience) !== 0;
}
