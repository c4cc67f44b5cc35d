// An enricher adds what it knows about an indicator. Its findings are checked, limited in time and merged here.

import { ServiceError } from '../domain/errors.ts';
import type { Enrichment, IndicatorRecord } from '../domain/indicator/indicator.ts';
import type {
  ReceiptAdjustment,
  ReceiptCap,
  ReceiptDataset,
  ReceiptScanner,
  ReceiptWarningList,
  ScoreReceipt,
} from '../domain/score/score-receipt.ts';
import { compareText, withItems } from '../domain/sorted-list.ts';
import { numberOf, SEVERITIES } from '../domain/vocabulary.ts';
import type { SeverityBound } from './score.ts';

/** The fields of an enrichment that enrich.ts derives from other members of the finding. */
type DerivedField = 'attackTechniques' | 'aiSummary' | 'riskScore' | 'enrichedAt';

/** The fields of an enrichment that an enricher sets directly. A field added to Enrichment is one of them. */
export type EnrichmentFields = Partial<Omit<Enrichment, DerivedField>>;

/** The additions of one enricher. An absent member keeps what earlier enrichers found. */
export interface Finding extends EnrichmentFields {
  readonly techniques?: readonly { readonly id: string; readonly because: string }[];
  readonly risk?: NonNullable<ScoreReceipt['risk']>;
  readonly summary?: string;
  /** Set by a model that wrote the summary. */
  readonly summaryBy?: NonNullable<ScoreReceipt['summary']>;
  readonly adjustment?: Omit<ReceiptAdjustment, 'enricher'>;
  /** Upper bounds of the score. The name of the enricher becomes their rule. */
  readonly caps?: readonly Omit<ReceiptCap, 'rule'>[];
  readonly severityBound?: SeverityBound;
  readonly warningLists?: readonly ReceiptWarningList[];
  /** The first enricher that names one is believed. */
  readonly scanner?: ReceiptScanner;
  /** The data sets that were read. */
  readonly datasets?: readonly ReceiptDataset[];
}

/** The scored record, with its severity under the bound found so far, and the merged findings of earlier enrichers. */
export interface Signal {
  readonly record: IndicatorRecord;
  readonly receipt: ScoreReceipt;
  readonly findings: Finding;
}

export interface Enricher {
  /** Stable: receipts and metrics contain it. */
  readonly name: string;
  /** Set where an answer may take longer than a look into memory. */
  readonly mayWait?: true;
  appliesTo(signal: Signal): boolean;
  /** Rejects or throws on failure; the other enrichers still run. A local enricher answers without a promise. */
  enrich(signal: Signal): Finding | Promise<Finding>;
}

/**
 * Resolves as the promise does, or rejects with `unavailable` after the time limit. The work itself goes on, and its
 * late result is ignored.
 */
export function within<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  const { promise: limited, resolve, reject } = Promise.withResolvers<Value>();
  const timer = setTimeout(() => {
    reject(new ServiceError('unavailable', `no answer within ${milliseconds} ms`, { reason: 'TIME_LIMIT' }));
  }, milliseconds);
  promise.then(resolve, reject).finally(() => clearTimeout(timer));
  return limited;
}

/** Characters. A summary is one paragraph. */
const SUMMARY_LIMIT = 4_000;
const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/;

/**
 * Checks a finding against the ranges of the contract. One invalid number would spoil the score or the document.
 * @throws ServiceError internal, which counts as a failure of the enricher.
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
  return new ServiceError('internal', `the ${member} of the finding is not valid`, {
    reason: 'INVALID_FINDING',
  });
}

type Technique = NonNullable<Finding['techniques']>[number];

function compareTechniques(a: Technique, b: Technique): number {
  return compareText(a.id, b.id);
}

function compareDatasets(a: ReceiptDataset, b: ReceiptDataset): number {
  return compareText(a.name, b.name) || a.builtAt - b.builtAt;
}

/** Of two equal bounds, the first. */
export function lowerBound(one: SeverityBound, other: SeverityBound): SeverityBound {
  return numberOf(SEVERITIES, other.limit) < numberOf(SEVERITIES, one.limit) ? other : one;
}

/** The later finding replaces the earlier one. Lists are united, and a technique keeps its first reason. */
export function mergeFindings(known: Finding, found: Finding): Finding {
  const { malwareFamilies, techniques, datasets } = found;
  return {
    ...known,
    ...found,
    ...(known.scanner === undefined ? undefined : { scanner: known.scanner }),
    ...(known.severityBound === undefined || found.severityBound === undefined
      ? undefined
      : { severityBound: lowerBound(known.severityBound, found.severityBound) }),
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

/** The fields of a finding that go into the enrichment unchanged. The others go into the score and its receipt. */
export function enrichmentFields({
  techniques,
  risk,
  summary,
  summaryBy,
  adjustment,
  caps,
  severityBound,
  warningLists,
  scanner,
  datasets,
  ...fields
}: Finding): EnrichmentFields {
  return fields;
}
