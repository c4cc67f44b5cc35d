// The JSON of the contract as a client sees it. Written by hand, so that a change of the contract shows here and not
// only in generated code.

export interface WireIndicator {
  readonly id: string;
  readonly type: string;
  readonly value: string;
  readonly categories: readonly string[];
  readonly severity: string;
  readonly confidenceScore: number;
  readonly tlp: string;
  readonly state: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly validUntil?: string;
  readonly sources: readonly {
    readonly id: string;
    readonly name: string;
    readonly reliability: number;
    readonly reportedAt: string;
  }[];
  readonly sightings: readonly {
    readonly sourceId: string;
    readonly observedAt: string;
    readonly count: string;
  }[];
  readonly enrichment?: {
    readonly malwareFamilies: readonly string[];
    readonly attackTechniques: readonly string[];
    readonly aiSummary: string;
    readonly riskScore?: number;
    readonly enrichedAt: string;
  };
  readonly tags: readonly string[];
  readonly labels: readonly { readonly key: string; readonly value: string }[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly protocol: string;
  readonly sensorType: string;
}

export interface SearchReply {
  readonly indicators: readonly WireIndicator[];
  readonly pageInfo: { readonly nextPageToken: string; readonly totalCount?: string };
}

export interface WireEvent {
  readonly eventId: string;
  readonly sensorId: string;
  readonly sensorType?: string;
  readonly protocol?: string;
  readonly indicatorType?: string;
  readonly value: string;
  readonly observedAt: string;
  readonly count?: string | number;
  readonly source?: { readonly id: string; readonly name?: string; readonly reliability?: number };
  readonly categories?: readonly string[];
  readonly severity?: string;
  readonly tags?: readonly string[];
  readonly labels?: readonly { readonly key: string; readonly value: string }[];
  readonly tlp?: string;
  readonly evidence?: Readonly<Record<string, string>>;
}

export interface IngestReply {
  readonly results: readonly {
    readonly eventId: string;
    readonly status: string;
    readonly indicatorId: string;
    readonly reason: string;
  }[];
  readonly acceptedCount: number;
  readonly duplicateCount: number;
  readonly refusedCount: number;
}

export interface WireReceipt {
  readonly indicatorId: string;
  readonly rules: string;
  readonly lastSeen: string;
  readonly groups: readonly {
    readonly group: string;
    readonly sourceId: string;
    readonly sourceName: string;
    readonly reliability: number;
    readonly quality: number;
    readonly certainty: number;
    readonly lastObservedAt: string;
    readonly recency: number;
    readonly probability: number;
  }[];
  readonly combined?: number;
  readonly corroboration?: {
    readonly sensorDays: number;
    readonly doublings: number;
    readonly acts: number;
    readonly spanDoublings: number;
    readonly doubt: number;
  };
  readonly adjustments: readonly {
    readonly enricher: string;
    readonly points: number;
    readonly because: string;
  }[];
  readonly adjustment?: number;
  readonly caps: readonly { readonly rule: string; readonly limit: number; readonly because: string }[];
  readonly score?: number;
  readonly techniques: readonly { readonly id: string; readonly because: string }[];
  readonly history: readonly {
    readonly from: string;
    readonly to: string;
    readonly at: string;
    readonly actor: string;
  }[];
}

export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  readonly details: readonly {
    readonly '@type': string;
    readonly reason?: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly fieldViolations?: readonly { readonly field: string; readonly description: string }[];
  }[];
}

export interface TaxiiFault {
  readonly title: string;
  readonly description: string;
  readonly error_code: string;
  readonly http_status: string;
}

export type StixObject = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly id: string;
  readonly created: string;
  readonly modified?: string;
};

export interface Envelope {
  readonly more: boolean;
  readonly next?: string;
  readonly objects?: readonly StixObject[];
}

export interface ManifestPage {
  readonly more: boolean;
  readonly next?: string;
  readonly objects?: readonly ManifestRecord[];
}

export interface ManifestRecord {
  readonly id: string;
  readonly date_added: string;
  readonly version: string;
}
