// The stored explanation of a confidence score. It has every term and value that is needed to recompute the score by
// hand.

import type { Instant } from '../instant.ts';
import type { IndicatorType, Severity, ThreatCategory, VerdictName } from '../vocabulary.ts';
import type { Standing } from '../warning-list/warning-list.ts';
import type { Lifetime } from './lifetime.ts';
import type { Decay } from './recency.ts';

/** What was repeated (corroboration.ts). */
export interface Corroboration {
  /** Distinct pairs of sensor and day. */
  readonly sensorDays: number;
  /** How often the number of events has doubled: 0 for one event, 3 for 8 to 15. A doubling is a small step. */
  readonly doublings: number;
  /** Distinct behaviours. */
  readonly acts: number;
  /** How often the minutes between the first and the last sighting have doubled: 0 below one minute, 10 for 17 hours. */
  readonly spanDoublings: number;
  /** The share of the doubt that stays, 0 to 1. */
  readonly doubt: number;
}

/** The contribution of one independence group of sources. */
export interface ReceiptGroup {
  readonly group: string;
  /** The strongest source of the group. */
  readonly sourceId: string;
  /** As readers saw it when the indicator was scored. */
  readonly sourceName: string;
  readonly reliability: number;
  readonly quality: number;
  /** The quality, raised by repetition, 0 to 1. */
  readonly certainty: number;
  readonly lastObservedAt: Instant;
  /** What is left between this source's last observation and the indicator's lastSeen, 0 to 1. */
  readonly recency: number;
  /** reliability × certainty × recency. */
  readonly probability: number;
}

/** An upper bound that applied, whether or not it lowered the score. */
export interface ReceiptCap {
  /** Such as `single-source`, `disputed`, `unproven`, `lone-ja3`, `warning-list`. */
  readonly rule: string;
  readonly limit: number;
  /** Multiplies the combined share first, 0 to 1. Of several caps, only the smallest factor counts. */
  readonly factor?: number;
  readonly because: string;
}

/** A warning list that contains the indicator, whether or not that changed the score. */
export interface ReceiptWarningList {
  readonly name: string;
  readonly version: string;
  /** The entry that matched, in canonical form. */
  readonly entry: string;
  /** What the list states of the indicator. */
  readonly standing: Standing;
}

/** A research scanner that the indicator belongs to. */
export interface ReceiptScanner {
  readonly name: string;
  /** `address`: a list has the address. `reverse-name`: its reverse name leads back to it. */
  readonly by: 'address' | 'reverse-name';
  /** The entry of the list, or the name. */
  readonly entry: string;
}

/** The verdict on an indicator (verdict.ts). */
export interface Verdict {
  /** Name of the rule set. */
  readonly rules: string;
  readonly verdict: Exclude<VerdictName, 'UNSPECIFIED'>;
  readonly because: string;
  /** The score of the sources alone that report a hostile category. */
  readonly hostileScore: number;
}

/** A data set that an enricher read. */
export interface ReceiptDataset {
  readonly name: string;
  readonly builtAt: Instant;
}

/** An upper bound of the severity. */
export interface ReceiptSeverity {
  /** The highest observed severity, which the indicator would show without the bound. */
  readonly observed: Severity;
  readonly limit: Severity;
  readonly because: string;
}

/** Points that an enricher added or removed. */
export interface ReceiptAdjustment {
  readonly enricher: string;
  readonly points: number;
  readonly because: string;
}

export interface ScoreReceipt {
  /** Name of the rule set. Every new set has a new name, so that an old receipt stays explainable. */
  readonly rules: string;
  readonly type: IndicatorType;
  readonly categories: readonly ThreatCategory[];
  readonly lastSeen: Instant;
  /** What was repeated, and the doubt that it leaves. */
  readonly corroboration: Corroboration;
  /** Sorted by group. */
  readonly groups: readonly ReceiptGroup[];
  /** Noisy-or over the groups, 0 to 1. */
  readonly combined: number;
  readonly adjustments: readonly ReceiptAdjustment[];
  /** Sum of the adjustments, bounded to ±10. */
  readonly adjustment: number;
  readonly caps: readonly ReceiptCap[];
  /** 0 to 100, rounded once, half up. */
  readonly score: number;
  /** The decay behind `recency`; absent for types that do not decay. */
  readonly decay?: Decay;
  /** The factors behind validUntil; absent for types without an end, and while the indicator is disputed. */
  readonly lifetime?: Lifetime;
  readonly validUntil?: Instant;
  /** The risk model and its result; absent while SCORED. */
  readonly risk?: {
    readonly model: string;
    readonly version: string;
    readonly score: number;
    readonly features: Readonly<Record<string, number>>;
    readonly weights: Readonly<Record<string, number>>;
  };
  /** Each technique with the rule that named it. */
  readonly techniques?: readonly { readonly id: string; readonly because: string }[];
  /** Sorted by name. */
  readonly warningLists?: readonly ReceiptWarningList[];
  readonly scanner?: ReceiptScanner;
  /** Absent while SCORED. */
  readonly verdict?: Verdict;
  /** The model that wrote the summary, and a hash of the facts that it was given. Absent if the template did. */
  readonly summary?: { readonly model: string; readonly facts: string };
  /** Absent while the severity is not bounded. */
  readonly severity?: ReceiptSeverity;
  /** Sorted by name. */
  readonly datasets?: readonly ReceiptDataset[];
  /** Enrichers that failed, with a reason safe to show. */
  readonly failures?: readonly { readonly enricher: string; readonly reason: string }[];
}
