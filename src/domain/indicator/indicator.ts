// An indicator as the contract shows it, and the record behind it with evidence, history and receipt.

import type { Highlight } from '../evidence/highlights.ts';
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
import type { HumanAct } from './human-act.ts';

/** A party that reported the indicator. */
export interface ThreatSource {
  /** Stable across reports. It begins with the id of the reporter (source-name.ts). */
  readonly id: string;
  /** As readers see it, with the reporter if that is another party. */
  readonly name: string;
  /** Trust in this source, 0 to 1. */
  readonly reliability: number;
  /** When this source first reported the indicator. */
  readonly reportedAt: Instant;
}

/** The occurrences that one source saw on one UTC day, or on all days older than the newest 100 sightings. */
export interface Sighting {
  readonly sourceId: string;
  /** The latest observation in this sighting. */
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

/** What the enrichers found. A field that is added here needs no other change in the pipeline than its enricher. */
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
  /** The instant after which the indicator is stale. Absent if it never goes stale or is not scored yet. */
  readonly validUntil?: Instant;
  /** In order of first report, then id. Sources beyond the limits of source-limits.ts share one entry. */
  readonly sources: readonly ThreatSource[];
  /** Newest first. */
  readonly sightings: readonly Sighting[];
  /** Absent until the enrichers have run. */
  readonly enrichment?: Enrichment;
  /** Sorted. */
  readonly tags: readonly string[];
  /** Sorted by key, then value. */
  readonly labels: readonly Label[];
  readonly createdAt: Instant;
  /** Increases with every version, since STIX `modified` is taken from it. */
  readonly updatedAt: Instant;
  readonly protocol: Protocol;
  readonly sensorType: SensorType;
}

/** How deep an observed control message reaches into a plant. Each step is more dangerous than those before it. */
export const INTENTS = ['none', 'discover', 'read', 'write', 'control', 'program'] as const;
export type Intent = (typeof INTENTS)[number];

/** The evidence of one source. */
export interface SourceEvidence {
  readonly sourceId: string;
  /** Sources of one group are not independent. The group counts once, with its strongest source. */
  readonly group: string;
  /** The group of the credential that reported it, if that is another one. Limits go by it. */
  readonly credential?: string;
  readonly reliability: number;
  /** Quality of the best evidence of this source, 0 to 1. */
  readonly quality: number;
  /** It reported a hostile category (hostile.ts). */
  readonly hostile?: true;
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

/** The input of scoring and enrichment. Every list is bounded, so that the record of a busy scanner stays small. */
export interface Evidence {
  /** Sorted by source id, then group. */
  readonly sources: readonly SourceEvidence[];
  /** Distinct `sensor/day` pairs, at most SENSOR_DAY_LIMIT. More would not change the score. */
  readonly sensorDays: readonly string[];
  /** Distinct behaviour codes (see behaviour.ts), sorted. */
  readonly behaviours: readonly string[];
  readonly lead: LeadObservation;
  /** What a summary quotes (highlights.ts). Absent if there is nothing. */
  readonly highlights?: readonly Highlight[];
  /** The group that reported each tag, in the order of the tags (shares.ts). Absent without tags. */
  readonly tagGroups?: readonly string[];
  /** The group that reported each label, without computed labels. Absent without labels. */
  readonly labelGroups?: readonly string[];
}

/** A change of state. The first one, from UNSPECIFIED to RAW, is made by the first event. */
export interface Transition {
  readonly from: IndicatorState;
  readonly to: IndicatorState;
  readonly at: Instant;
  /** `pipeline`, or the subject of the person who acted. */
  readonly actor: string;
}

/** What was published about an indicator besides its own versions, so that only changes are published again. */
export interface FeedState {
  /** The marking of the last publication. */
  readonly tlp: TlpMarking;
  /** The declared collections that contain the indicator. */
  readonly collections: readonly string[];
  /** When each relationship was first published, by type and key of its target. */
  readonly relationships: Readonly<Record<string, Instant>>;
  /** When each daily sighting was first published, and its last published count, by `day/source id`. */
  readonly sightings: Readonly<Record<string, readonly [createdAt: Instant, count: number]>>;
  /** The UTC day of lastSeen at that time. Sightings of earlier days had their final count. */
  readonly day: number;
  readonly revoked: boolean;
  /** The last published version said that the indicator was archived. */
  readonly archived?: true;
}

/** Everything that is kept about an indicator. Immutable: a change makes a new record. */
export interface IndicatorRecord {
  readonly indicator: Indicator;
  readonly evidence: Evidence;
  readonly history: readonly Transition[];
  /** Absent while RAW. */
  readonly receipt?: ScoreReceipt;
  /** Fingerprint of the material fields in the last published version; absent while unpublished. */
  readonly published?: string;
  /** Absent while unpublished. */
  readonly feed?: FeedState;
  /** The categories that a person confirmed. Later reports may add others, which nobody has judged. */
  readonly confirmed?: readonly ThreatCategory[];
  /** What people did, oldest first, bounded by human-act.ts. Absent until somebody did something. */
  readonly acts?: readonly HumanAct[];
  /** When a person disputed it. Absent in a record that nobody disputes now. */
  readonly disputedAt?: Instant;
  /** When it was withdrawn. The feed holds its revoked version, and nothing is published after it. */
  readonly revokedAt?: Instant;
  /** The entry of the never-block list in which it lies or which it covers. The feed does not have it. */
  readonly neverBlock?: string;
  /** When it was archived. Absent in a record that is not in the archive. */
  readonly archivedAt?: Instant;
}
