// The stored explanation of a confidence score: every term and value, enough to recompute the score by hand.

import type { Instant } from '../instant.ts';
import type { IndicatorType, Severity, ThreatCategory } from '../vocabulary.ts';

/** What one independence group of sources contributed. */
export interface ReceiptGroup {
  readonly group: string;
  /** The source that was the strongest of the group. */
  readonly sourceId: string;
  readonly reliability: number;
  readonly quality: number;
  readonly lastObservedAt: Instant;
  /** Decay between this source's last observation and the indicator's lastSeen, 0 to 1. */
  readonly recency: number;
  /** reliability × quality × recency. */
  readonly probability: number;
}

/** An upper bound that applied, whether or not it lowered the score. */
export interface ReceiptCap {
  /** Such as `single-source`, `lone-ja3`, `warning-list`. */
  readonly rule: string;
  readonly limit: number;
  /** What the saturated share is multiplied by first, 0 to 1. Of several caps the smallest factor counts, once. */
  readonly factor?: number;
  readonly because: string;
}

/** A warning list the indicator is on, whether or not that changed anything. */
export interface ReceiptWarningList {
  readonly name: string;
  readonly version: string;
  /** The entry that matched, in canonical form. */
  readonly entry: string;
}

/** A data set that an enricher read an answer from. */
export interface ReceiptDataset {
  readonly name: string;
  readonly builtAt: Instant;
}

/** A bound on the severity. */
export interface ReceiptSeverity {
  /** The highest severity observed, which the indicator would show without the bound. */
  readonly observed: Severity;
  readonly limit: Severity;
  readonly because: string;
}

/** What an enricher added or took away. */
export interface ReceiptAdjustment {
  readonly enricher: string;
  readonly points: number;
  readonly because: string;
}

export interface ScoreReceipt {
  /** Name of the rule set; a new set gets a new name, so that an old receipt still says how it was reckoned. */
  readonly rules: string;
  readonly type: IndicatorType;
  readonly categories: readonly ThreatCategory[];
  readonly lastSeen: Instant;
  /** Sorted by group. */
  readonly groups: readonly ReceiptGroup[];
  /** Noisy-or over the groups, 0 to 1. */
  readonly combined: number;
  /** Distinct sensor-days counted. */
  readonly sensorDays: number;
  /** After saturation by sensor-days, 0 to 1. */
  readonly saturated: number;
  readonly adjustments: readonly ReceiptAdjustment[];
  /** Sum of the adjustments after the bound of ±10. */
  readonly adjustment: number;
  readonly caps: readonly ReceiptCap[];
  /** 0 to 100, rounded once, half up. */
  readonly score: number;
  /** Decay used for validUntil; absent for types that do not decay. */
  readonly decay?: { readonly tauDays: number; readonly delta: number; readonly threshold: number };
  readonly validUntil?: Instant;
  /** The risk model that ran, absent while SCORED. */
  readonly risk?: {
    readonly model: string;
    readonly version: string;
    readonly score: number;
    readonly features: Readonly<Record<string, number>>;
    readonly weights: Readonly<Record<string, number>>;
  };
  /** Which rule named each technique. */
  readonly techniques?: readonly { readonly id: string; readonly because: string }[];
  /** Sorted by name. */
  readonly warningLists?: readonly ReceiptWarningList[];
  /** Absent while nothing bounds the severity. */
  readonly severity?: ReceiptSeverity;
  /** Sorted by name. */
  readonly datasets?: readonly ReceiptDataset[];
  /** Enrichers that failed, with a reason safe to show. */
  readonly failures?: readonly { readonly enricher: string; readonly reason: string }[];
}
