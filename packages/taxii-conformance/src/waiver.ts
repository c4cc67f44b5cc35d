// Waivers: rules that a server breaks on purpose.

import type { Rule } from './rule.ts';
import type { Survey } from './survey.ts';
import type { Violation } from './violation.ts';

/** Waives one rule. Without further members it waives every fault, at every server. */
export interface Waiver {
  /** Title of the rule. */
  readonly rule: string;
  readonly reason: string;
  /** Only at a server that lists a collection with this id. */
  readonly collection?: string;
  /** Only if every fault is one of these texts of a finding. */
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
