// What people and the operator say of an indicator by its labels.

import type { Standing, ThreatIndicator } from '../api/contract.ts';

type Labelled = Pick<ThreatIndicator, 'labels'>;

function has({ labels }: Labelled, wanted: string): boolean {
  return labels.some(({ key }) => key === wanted);
}

/** Withdrawal is the stronger verdict. */
export function standingOf(indicator: Labelled): Standing {
  if (has(indicator, 'withdrawn')) return 'STANDING_WITHDRAWN';
  return has(indicator, 'false-positive') ? 'STANDING_DISPUTED' : 'STANDING_IN_FORCE';
}

/** The intent that the label names, such as `write`. */
export function intentOf({ labels }: Labelled): string | undefined {
  return labels.find(({ key }) => key === 'intent')?.value;
}
