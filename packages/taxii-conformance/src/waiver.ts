// Rules that may be broken: for a server that departs from the standard on purpose.

import type { Rule } from './rule.ts';
import type { Survey } from './survey.ts';
import type { Violation } from './violation.ts';

/** Excuses one rule. A waiver that says no more than that excuses whatever breaks the rule, at any server. */
export interface Waiver {
  /** Title of the rule. */
  readonly rule: string;
  readonly reason: string;
  /** Only at a server that lists a collection with this id. */
  readonly collection?: string;
  /** Only where each fault is one of these, as a finding tells it. */
  readonly seen?: readonly string[];
}

export function waiverFor(
  rule: Rule,
  { faults }: Violation,
  survey: Survey,
  waivers: readonly Waiver[],
): Waiver | undefined {
  return waivers.find(
    ({ rule: title, collection, seen }) =>
      title === rule.title &&
      (collection === undefined || survey.listed.some(({ id }) => id === collection)) &&
      (seen === undefined || faults.every((fault) => seen.includes(fault))),
  );
}
