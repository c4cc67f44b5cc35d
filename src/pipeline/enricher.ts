// An enricher adds what it knows about an indicator, and leaves out what it does not know.

import type { AsnInfo, GeoLocation, IndicatorRecord } from '../domain/indicator/indicator.ts';
import type { SeverityBound } from '../domain/indicator/severity-bound.ts';
import type {
  ReceiptAdjustment,
  ReceiptCap,
  ReceiptDataset,
  ReceiptWarningList,
  ScoreReceipt,
} from '../domain/score/score-receipt.ts';

/** One enricher's addition; members that are absent are left as the enrichers before made them. */
export interface Finding {
  readonly geo?: GeoLocation;
  readonly asn?: AsnInfo;
  readonly reverseDns?: string;
  readonly malwareFamilies?: readonly string[];
  readonly techniques?: readonly { readonly id: string; readonly because: string }[];
  readonly risk?: NonNullable<ScoreReceipt['risk']>;
  readonly summary?: string;
  readonly adjustment?: Omit<ReceiptAdjustment, 'enricher'>;
  /** Upper bounds of the score; the name of the enricher becomes their rule. */
  readonly caps?: readonly Omit<ReceiptCap, 'rule'>[];
  readonly severityBound?: SeverityBound;
  readonly warningLists?: readonly ReceiptWarningList[];
  /** What the answers were read from. */
  readonly datasets?: readonly ReceiptDataset[];
}

/**
 * What is known when an enricher runs: the scored record, its severity under the bound found so far, and the findings of
 * the enrichers before it, merged.
 */
export interface Signal {
  readonly record: IndicatorRecord;
  readonly receipt: ScoreReceipt;
  readonly findings: Finding;
}

export interface Enricher {
  /** Stable: it is written into receipts and metrics. */
  readonly name: string;
  appliesTo(signal: Signal): boolean;
  /** Rejects (or throws) on failure; the others run all the same. Local enrichers answer without a promise. */
  enrich(signal: Signal): Finding | Promise<Finding>;
}
