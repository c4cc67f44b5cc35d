// Findings of enrichers: checked one by one, and put together.

import { ServiceError } from '../domain/errors.ts';
import { compareText, withItems } from '../domain/sorted-list.ts';
import type { Finding } from './enricher.ts';

/** A summary is a paragraph; whatever is longer was not written by a summariser. */
const SUMMARY_LIMIT = 4_000;
const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/;

/**
 * Holds a finding to the contract's ranges: one bad number would spoil the score or the document of the indicator.
 * @throws ServiceError internal, which makes the enricher a failed one.
 */
export function checkFinding({ summary, risk, techniques, adjustment, caps }: Finding): void {
  if (summary !== undefined && (summary === '' || summary.length > SUMMARY_LIMIT)) throw invalid('summary');
  if (risk !== undefined && !(risk.score >= 0 && risk.score <= 1)) throw invalid('risk');
  if (techniques?.some(({ id }) => !TECHNIQUE_ID.test(id))) throw invalid('technique');
  if (adjustment !== undefined && !Number.isFinite(adjustment.points)) throw invalid('adjustment');
  if (caps?.some(({ limit, factor = 1 }) => !(limit >= 0 && limit <= 100 && factor >= 0 && factor <= 1)))
    throw invalid('cap');
}

function invalid(member: string): ServiceError {
  return new ServiceError('internal', `the ${member} found is not valid`, { reason: 'INVALID_FINDING' });
}

type Technique = NonNullable<Finding['techniques']>[number];
type Dataset = NonNullable<Finding['datasets']>[number];

function compareTechniques(a: Technique, b: Technique): number {
  return compareText(a.id, b.id);
}

function compareDatasets(a: Dataset, b: Dataset): number {
  return compareText(a.name, b.name) || a.builtAt - b.builtAt;
}

/** The later finding goes before; lists are united, and of two reasons for one technique the first stays. */
export function mergeFindings(known: Finding, found: Finding): Finding {
  const { malwareFamilies, techniques, datasets } = found;
  return {
    ...known,
    ...found,
    ...(malwareFamilies === undefined
      ? undefined
      : { malwareFamilies: withItems(known.malwareFamilies ?? [], malwareFamilies, compareText) }),
    ...(techniques === undefined
      ? undefined
      : { techniques: withItems(known.techniques ?? [], techniques, compareTechniques) }),
    ...(datasets === undefined
      ? undefined
      : { datasets: withItems(known.datasets ?? [], datasets, compareDatasets) }),
  };
}
