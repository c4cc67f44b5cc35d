// What the service keeps about one observable: the public indicator, and the record that explains it.

import type { Instant } from '../instant.ts';
import type { ScoreReceipt } from '../score/score-receipt.ts';
import type {
  IndicatorState,
  IndicatorType,
  Protocol,
  SensorType,
  Severity,
  ThreatCategory,
  TlpMarking,
} from '../vocabulary.ts';

/** A party that reported the indicator. */
export interface ThreatSource {
  /** Stable across reports. */
  readonly id: string;
  readonly name: string;
  /** Trust in this source, 0 to 1. */
  readonly reliability: number;
  /** When this source first reported the indicator. */
  readonly reportedAt: Instant;
}

/** The occurrences one source saw on one UTC day, or (the oldest, folded) on all days before the newest hundred. */
export interface Sighting {
  readonly sourceId: string;
  /** The latest observation folded into this sighting. */
  readonly observedAt: Instant;
  /** At least 1, at most 2^64 - 1. */
  readonly count: bigint;
}

export interface GeoLocation {
  /** ISO 3166-1 alpha-2, or empty when unknown. */
  readonly countryCode: string;
  readonly city: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

export interface AsnInfo {
  readonly number: number;
  readonly organization: string;
}

export interface Enrichment {
  readonly geo?: GeoLocation;
  readonly asn?: AsnInfo;
  readonly reverseDns?: string;
  readonly malwareFamilies: readonly string[];
  /** Technique ids of the form T1234 or T1234.567, sorted. */
  readonly attackTechniques: readonly string[];
  readonly aiSummary: string;
  /** Model-assessed, 0 to 1. */
  readonly riskScore?: number;
  readonly enrichedAt: Instant;
}

export interface Label {
  readonly key: string;
  readonly value: string;
}

/** The resource of the contract (`threatintel.v1.ThreatIndicator`). */
export interface Indicator {
  /** UUID of version 4 form, derived from type and value (see identity.ts). */
  readonly id: string;
  readonly type: IndicatorType;
  /** Canonical form (see observable.ts). */
  readonly value: string;
  /** In vocabulary order. */
  readonly categories: readonly ThreatCategory[];
  readonly severity: Severity;
  /** 0 to 100, whole. */
  readonly confidenceScore: number;
  readonly tlp: TlpMarking;
  readonly state: IndicatorState;
  readonly firstSeen: Instant;
  readonly lastSeen: Instant;
  /** The instant after which the indicator is stale; absent where it never goes stale or is not scored yet. */
  readonly validUntil?: Instant;
  /** In order of first report, then id. Those beyond the limits of source-limits.ts are one. */
  readonly sources: readonly ThreatSource[];
  /** Newest first. */
  readonly sightings: readonly Sighting[];
  /** Absent until the enrichers ran. */
  readonly enrichment?: Enrichment;
  /** Sorted. */
  readonly tags: readonly string[];
  /** Sorted by key, then value. */
  readonly labels: readonly Label[];
  readonly createdAt: Instant;
  /** Strictly increasing over the versions of one indicator: STIX `modified` is taken from it. */
  readonly updatedAt: Instant;
  readonly protocol: Protocol;
  readonly sensorType: SensorType;
}

/** How deep an observed control message reaches into a plant; each step includes the danger of those before. */
export const INTENTS = ['none', 'discover', 'read', 'write', 'control', 'program'] as const;
export type Intent = (typeof INTENTS)[number];

/** What one source contributes to the score. */
export interface SourceEvidence {
  readonly sourceId: string;
  /** Sources of one group are not independent: the group counts once, at its strongest. */
  readonly group: string;
  readonly reliability: number;
  /** Quality of the best evidence this source gave, 0 to 1. */
  readonly quality: number;
  readonly lastObservedAt: Instant;
}

/** The observation whose protocol and sensor type the indicator shows. */
export interface LeadObservation {
  readonly intent: Intent;
  readonly severity: Severity;
  readonly observedAt: Instant;
  readonly sourceId: string;
  readonly protocol: Protocol;
  readonly sensorType: SensorType;
}

/** All that scoring and enrichment read, kept bounded so that a popular scanner does not grow without end. */
export interface Evidence {
  /** Sorted by source id, then group. */
  readonly sources: readonly SourceEvidence[];
  /** Distinct `sensor/day` pairs, at most SENSOR_DAY_LIMIT: beyond that the score is saturated anyway. */
  readonly sensorDays: readonly string[];
  /** Distinct behaviour codes (see behaviour.ts), sorted. */
  readonly behaviours: readonly string[];
  readonly lead: LeadObservation;
}

/** One of the three moves of the lifecycle, or the receipt of the first event (`from` UNSPECIFIED). */
export interface Transition {
  readonly from: IndicatorState;
  readonly to: IndicatorState;
  readonly at: Instant;
  /** `pipeline` or the subject of the person who acted. */
  readonly actor: string;
}

/** What the feed holds about an indicator besides its own versions, so that only what changed is published again. */
export interface FeedState {
  /** Under which all of it was last published. */
  readonly tlp: TlpMarking;
  /** Declared collections it was published in. */
  readonly collections: readonly string[];
  /** When each relationship was first published, by type and key of its target. */
  readonly relationships: Readonly<Record<string, Instant>>;
  /** When each daily sighting was first published and the count published last, by `day/source id`. */
  readonly sightings: Readonly<Record<string, readonly [createdAt: Instant, count: number]>>;
  /** The day of lastSeen then: sightings of earlier days had their final count. */
  readonly day: number;
  readonly revoked: boolean;
}

/** Everything kept about an indicator. Immutable: a change makes a new record. */
export interface IndicatorRecord {
  readonly indicator: Indicator;
  readonly evidence: Evidence;
  readonly history: readonly Transition[];
  /** Absent while RAW. */
  readonly receipt?: ScoreReceipt;
  /** Fingerprint of the material fields last published to the feed; absent while unpublished. */
  readonly published?: string;
  /** Absent while unpublished. */
  readonly feed?: FeedState;
  /** When it was withdrawn: the feed says so, and says nothing new about it any more. */
  readonly revokedAt?: Instant;
}
