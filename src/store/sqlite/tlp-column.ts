// Markings as SQLite keeps them, so that `tlp <= ceiling` says what domain/tlp.ts says.

import { numberOf, TLP_MARKINGS, type TlpMarking } from '../../domain/vocabulary.ts';

/** The number of a marking. No marking counts as RED: what nobody marked is shown to nobody by oversight. */
export function tlpColumn(marking: TlpMarking): number {
  return numberOf(TLP_MARKINGS, marking === 'UNSPECIFIED' ? 'RED' : marking);
}
