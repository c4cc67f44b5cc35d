// The report: a line for each rule and a line at the end, or JSON.

import type { Conformance, Finding, Outcome } from './conformance.ts';

const OUTCOMES: readonly Outcome[] = ['ok', 'fail', 'warning', 'waived', 'skipped'];

/** `5.4 objects: added_after is exclusive ... ok` */
export function lineOf({ section, title, outcome, reason }: Finding): string {
  const told = outcome === 'fail' ? 'FAIL' : outcome;
  return `${section} ${title} ... ${told}${reason === '' ? '' : `: ${reason}`}`;
}

export function summaryOf({ findings, requests, apiRoot, collection }: Conformance): string {
  const counts = countsOf(findings);
  const told = OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
    (outcome) => `${counts[outcome]} ${outcome}`,
  );
  const where = collection === undefined ? apiRoot : `${apiRoot}collections/${collection}/`;
  return `${findings.length} rules at ${where} with ${requests} requests: ${told.join(', ')}`;
}

export function jsonOf(conformance: Conformance): string {
  return JSON.stringify({ ...conformance, counts: countsOf(conformance.findings) }, undefined, 2);
}

/** Whether every MUST holds that was tested and not waived. */
export function isConformant({ findings }: Conformance): boolean {
  return findings.every(({ outcome }) => outcome !== 'fail');
}

function countsOf(findings: readonly Finding[]): Readonly<Record<Outcome, number>> {
  const counts = { ok: 0, fail: 0, warning: 0, waived: 0, skipped: 0 };
  for (const { outcome } of findings) counts[outcome] += 1;
  return counts;
}
