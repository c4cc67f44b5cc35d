// The messages of the contract as JSON. Made by bin/generate-web-types.ts; never edit it.

export type AddIndicatorNoteBody = {
  readonly text: string;
  readonly tlp?: TlpMarking;
  readonly requestId?: string;
};

export type AggregateIndicatorsRequest = {
  readonly query?: string;
  readonly filter?: IndicatorFilter;
  readonly facets?: readonly Facet[];
  readonly top?: number;
  readonly histogramTime?: HistogramTime;
  readonly histogramBucket?: UsageBucket;
};

export type AggregateIndicatorsResponse = {
  readonly counted: string;
  readonly atLeast: boolean;
  readonly facets: readonly FacetCounts[];
  readonly histogram: readonly HistogramBucket[];
};

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly sensor: boolean;
  readonly scopes: readonly string[];
  readonly tlpCeiling: TlpMarking;
  readonly reliability: number;
  readonly sourceRanges: readonly string[];
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly lastUsedAt?: string;
  readonly sources: readonly string[];
  readonly createdBy: string;
  readonly parentId: string;
};

export type AsnInfo = {
  readonly number: number;
  readonly organization: string;
};

export type CreateApiKeyRequest = {
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly sensor?: boolean;
  readonly tlpCeiling?: TlpMarking;
  readonly reliability?: number;
  readonly sourceRanges?: readonly string[];
  readonly expiresAt?: string;
  readonly requestId?: string;
  readonly sources?: readonly string[];
};

export type CreateApiKeyResponse = {
  readonly apiKey: ApiKey;
  readonly plaintext: string;
};

export type DisputeIndicatorBody = {
  readonly reason?: string;
  readonly tlp?: TlpMarking;
  readonly undo?: boolean;
  readonly requestId?: string;
};

export type Enrichment = {
  readonly geo?: GeoLocation;
  readonly asn?: AsnInfo;
  readonly reverseDns?: string;
  readonly malwareFamilies: readonly string[];
  readonly attackTechniques: readonly string[];
  readonly aiSummary: string;
  readonly riskScore?: number;
  readonly enrichedAt?: string;
};

export type EventResult = {
  readonly eventId: string;
  readonly status: EventResultStatus;
  readonly indicatorId: string;
  readonly reason: string;
  readonly notUnderstood: readonly EvidenceRemark[];
};

export type EventResultStatus = 'STATUS_UNSPECIFIED' | 'ACCEPTED' | 'DUPLICATE' | 'REFUSED';

export type EventSource = {
  readonly id: string;
  readonly name?: string;
  readonly reliability?: number;
};

export type EvidenceRemark = {
  readonly key: string;
  readonly problem: EvidenceRemarkProblem;
  readonly nearestKey: string;
};

export type EvidenceRemarkProblem = 'PROBLEM_UNSPECIFIED' | 'UNKNOWN_KEY' | 'UNKNOWN_VALUE' | 'MISSING_KEY';

export type EvidenceValue = {
  readonly value: string;
  readonly count: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly truncated: boolean;
};

export type EvidenceValues = {
  readonly key: string;
  readonly values: readonly EvidenceValue[];
};

export type Facet = 'FACET_UNSPECIFIED' | 'FACET_TYPE' | 'FACET_CATEGORY' | 'FACET_SEVERITY' | 'FACET_STATE' | 'FACET_PROTOCOL' | 'FACET_SENSOR_TYPE' | 'FACET_TLP' | 'FACET_SOURCE' | 'FACET_COUNTRY' | 'FACET_ASN' | 'FACET_TECHNIQUE' | 'FACET_INTENT' | 'FACET_FAMILY' | 'FACET_TAG' | 'FACET_VERDICT';

export type FacetCounts = {
  readonly facet: Facet;
  readonly values: readonly ValueCount[];
  readonly omittedValueCount: number;
};

export type GeoLocation = {
  readonly countryCode: string;
  readonly city: string;
  readonly latitude?: number;
  readonly longitude?: number;
};

export type GetUsageResponse = {
  readonly records: readonly UsageRecord[];
};

export type HistogramBucket = {
  readonly start?: string;
  readonly count: string;
};

export type HistogramTime = 'HISTOGRAM_TIME_UNSPECIFIED' | 'HISTOGRAM_TIME_LAST_SEEN' | 'HISTOGRAM_TIME_CREATED_AT';

export type HumanAct = {
  readonly kind: HumanActKind;
  readonly at?: string;
  readonly actor: string;
  readonly note: string;
  readonly tlp: TlpMarking;
};

export type HumanActKind = 'HUMAN_ACT_KIND_UNSPECIFIED' | 'HUMAN_ACT_KIND_CONFIRM' | 'HUMAN_ACT_KIND_DISPUTE' | 'HUMAN_ACT_KIND_UNDO_DISPUTE' | 'HUMAN_ACT_KIND_WITHDRAW' | 'HUMAN_ACT_KIND_NOTE';

export type IndicatorEvidence = {
  readonly indicatorId: string;
  readonly seen: readonly EvidenceValues[];
  readonly droppedCount: string;
};

export type IndicatorFilter = {
  readonly types?: readonly IndicatorType[];
  readonly categories?: readonly ThreatCategory[];
  readonly minSeverity?: Severity;
  readonly minConfidenceScore?: number;
  readonly states?: readonly IndicatorState[];
  readonly tags?: readonly string[];
  readonly lastSeenWindow?: TimeWindow;
  readonly sourceIds?: readonly string[];
  readonly protocols?: readonly Protocol[];
  readonly sensorTypes?: readonly SensorType[];
  readonly minConfidence?: number;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly validAt?: string;
  readonly labels?: readonly string[];
  readonly intents?: readonly Intent[];
  readonly countryCodes?: readonly string[];
  readonly asns?: readonly number[];
  readonly attackTechniques?: readonly string[];
  readonly malwareFamilies?: readonly string[];
  readonly verdicts?: readonly Verdict[];
  readonly includeWithdrawn?: boolean;
};

export type IndicatorHistory = {
  readonly indicatorId: string;
  readonly standing: Standing;
  readonly transitions: readonly StateTransition[];
  readonly acts: readonly HumanAct[];
};

export type IndicatorLink = {
  readonly kind: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly count: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
};

export type IndicatorState = 'INDICATOR_STATE_UNSPECIFIED' | 'INDICATOR_STATE_RAW' | 'INDICATOR_STATE_SCORED' | 'INDICATOR_STATE_ENRICHED' | 'INDICATOR_STATE_VERIFIED';

export type IndicatorStix = {
  readonly indicatorId: string;
  readonly object: string;
};

export type IndicatorType = 'INDICATOR_TYPE_UNSPECIFIED' | 'INDICATOR_TYPE_IPV4' | 'INDICATOR_TYPE_IPV6' | 'INDICATOR_TYPE_DOMAIN' | 'INDICATOR_TYPE_URL' | 'INDICATOR_TYPE_FILE_HASH_MD5' | 'INDICATOR_TYPE_FILE_HASH_SHA1' | 'INDICATOR_TYPE_FILE_HASH_SHA256' | 'INDICATOR_TYPE_EMAIL' | 'INDICATOR_TYPE_CIDR' | 'INDICATOR_TYPE_JA3' | 'INDICATOR_TYPE_SSL_CERT_FINGERPRINT';

export type IngestSensorEventsRequest = {
  readonly events: readonly SensorEvent[];
  readonly requestId?: string;
};

export type IngestSensorEventsResponse = {
  readonly results: readonly EventResult[];
  readonly acceptedCount: number;
  readonly duplicateCount: number;
  readonly refusedCount: number;
};

export type Intent = 'INTENT_UNSPECIFIED' | 'INTENT_DISCOVER' | 'INTENT_READ' | 'INTENT_WRITE' | 'INTENT_CONTROL' | 'INTENT_PROGRAM';

export type Label = {
  readonly key: string;
  readonly value: string;
};

export type ListApiKeysResponse = {
  readonly apiKeys: readonly ApiKey[];
  readonly nextPageToken: string;
};

export type LookupIndicatorsRequest = {
  readonly values: readonly string[];
};

export type LookupIndicatorsResponse = {
  readonly results: readonly LookupResult[];
  readonly indicators: readonly ThreatIndicator[];
  readonly omittedIndicatorCount: number;
};

export type LookupMatch = {
  readonly kind: MatchKind;
  readonly indicatorId: string;
  readonly type: IndicatorType;
  readonly value: string;
  readonly standing: Standing;
};

export type LookupResult = {
  readonly value: string;
  readonly type: IndicatorType;
  readonly canonicalValue: string;
  readonly matches: readonly LookupMatch[];
  readonly truncated: boolean;
  readonly reason: string;
  readonly description: string;
};

export type MatchKind = 'MATCH_KIND_UNSPECIFIED' | 'MATCH_KIND_EXACT' | 'MATCH_KIND_HOST' | 'MATCH_KIND_PARENT_DOMAIN' | 'MATCH_KIND_COVERING_CIDR';

export type PageInfo = {
  readonly nextPageToken: string;
  readonly totalCount?: string;
};

export type Pagination = {
  readonly pageSize?: number;
  readonly pageToken?: string;
};

export type Protocol = 'PROTOCOL_UNSPECIFIED' | 'PROTOCOL_MODBUS' | 'PROTOCOL_DNP3' | 'PROTOCOL_BACNET' | 'PROTOCOL_S7' | 'PROTOCOL_OPC_UA' | 'PROTOCOL_SSH' | 'PROTOCOL_HTTP' | 'PROTOCOL_FTP' | 'PROTOCOL_TELNET' | 'PROTOCOL_SNMP';

export type ReceiptAdjustment = {
  readonly enricher: string;
  readonly points: number;
  readonly because: string;
};

export type ReceiptCap = {
  readonly rule: string;
  readonly limit: number;
  readonly because: string;
  readonly factor?: number;
};

export type ReceiptCorroboration = {
  readonly sensorDays: number;
  readonly doublings: number;
  readonly acts: number;
  readonly doubt: number;
  readonly spanDoublings: number;
};

export type ReceiptDataset = {
  readonly name: string;
  readonly builtAt?: string;
};

export type ReceiptDecay = {
  readonly tauDays: number;
  readonly delta: number;
};

export type ReceiptFailure = {
  readonly enricher: string;
  readonly reason: string;
};

export type ReceiptGroup = {
  readonly group: string;
  readonly sourceId: string;
  readonly reliability: number;
  readonly quality: number;
  readonly lastObservedAt?: string;
  readonly recency: number;
  readonly probability: number;
  readonly sourceName: string;
  readonly certainty: number;
};

export type ReceiptLifetime = {
  readonly days: number;
  readonly because: string;
  readonly persistence: number;
  readonly trust: number;
  readonly share: number;
};

export type ReceiptNeverBlock = {
  readonly entry: string;
  readonly because: string;
};

export type ReceiptRisk = {
  readonly model: string;
  readonly version: string;
  readonly score: number;
  readonly features: Readonly<Record<string, number>>;
  readonly weights: Readonly<Record<string, number>>;
};

export type ReceiptScanner = {
  readonly name: string;
  readonly by: string;
  readonly entry: string;
};

export type ReceiptSeverity = {
  readonly observed: Severity;
  readonly limit: Severity;
  readonly because: string;
};

export type ReceiptSummary = {
  readonly model: string;
  readonly facts: string;
};

export type ReceiptTechnique = {
  readonly id: string;
  readonly because: string;
};

export type ReceiptVerdict = {
  readonly rules: string;
  readonly verdict: Verdict;
  readonly because: string;
  readonly hostileScore: number;
};

export type ReceiptWarningList = {
  readonly name: string;
  readonly version: string;
  readonly entry: string;
  readonly standing: string;
};

export type RelatedIndicator = {
  readonly id: string;
  readonly type: IndicatorType;
  readonly value: string;
  readonly confidenceScore: number;
  readonly severity: Severity;
  readonly state: IndicatorState;
  readonly hops: number;
};

export type RelatedIndicators = {
  readonly indicatorId: string;
  readonly indicators: readonly RelatedIndicator[];
  readonly links: readonly IndicatorLink[];
  readonly truncated: boolean;
};

export type RevokeApiKeyBody = {
};

export type RotateApiKeyBody = {
  readonly overlapSeconds?: number;
  readonly requestId?: string;
};

export type RotateApiKeyResponse = {
  readonly apiKey: ApiKey;
  readonly plaintext: string;
};

export type ScoreReceipt = {
  readonly indicatorId: string;
  readonly rules: string;
  readonly type: IndicatorType;
  readonly categories: readonly ThreatCategory[];
  readonly lastSeen?: string;
  readonly groups: readonly ReceiptGroup[];
  readonly combined?: number;
  readonly corroboration?: ReceiptCorroboration;
  readonly lifetime?: ReceiptLifetime;
  readonly adjustments: readonly ReceiptAdjustment[];
  readonly adjustment?: number;
  readonly caps: readonly ReceiptCap[];
  readonly score?: number;
  readonly decay?: ReceiptDecay;
  readonly validUntil?: string;
  readonly risk?: ReceiptRisk;
  readonly techniques: readonly ReceiptTechnique[];
  readonly failures: readonly ReceiptFailure[];
  readonly history: readonly StateTransition[];
  readonly warningLists: readonly ReceiptWarningList[];
  readonly severity?: ReceiptSeverity;
  readonly datasets: readonly ReceiptDataset[];
  readonly scanner?: ReceiptScanner;
  readonly verdict?: ReceiptVerdict;
  readonly neverBlock?: ReceiptNeverBlock;
  readonly summary?: ReceiptSummary;
};

export type SearchIndicatorsRequest = {
  readonly query?: string;
  readonly filter?: IndicatorFilter;
  readonly pagination?: Pagination;
  readonly pageSize?: number;
  readonly orderBy?: SearchOrder;
};

export type SearchIndicatorsResponse = {
  readonly indicators: readonly ThreatIndicator[];
  readonly pageInfo: PageInfo;
};

export type SearchOrder = 'SEARCH_ORDER_UNSPECIFIED' | 'SEARCH_ORDER_CREATED' | 'SEARCH_ORDER_LAST_SEEN' | 'SEARCH_ORDER_CONFIDENCE' | 'SEARCH_ORDER_SEVERITY';

export type SensorEvent = {
  readonly eventId: string;
  readonly sensorId: string;
  readonly sensorType?: SensorType;
  readonly protocol?: Protocol;
  readonly indicatorType?: IndicatorType;
  readonly value: string;
  readonly observedAt: string;
  readonly count?: string;
  readonly source?: EventSource;
  readonly categories?: readonly ThreatCategory[];
  readonly severity?: Severity;
  readonly tags?: readonly string[];
  readonly labels?: readonly ({
    readonly key: string;
    readonly value: string;
  })[];
  readonly tlp?: TlpMarking;
  readonly evidence?: Readonly<Record<string, string>>;
};

export type SensorType = 'SENSOR_TYPE_UNSPECIFIED' | 'SENSOR_TYPE_ICS' | 'SENSOR_TYPE_NETWORK' | 'SENSOR_TYPE_ENDPOINT';

export type Severity = 'SEVERITY_UNSPECIFIED' | 'SEVERITY_INFO' | 'SEVERITY_LOW' | 'SEVERITY_MEDIUM' | 'SEVERITY_HIGH' | 'SEVERITY_CRITICAL';

export type Sighting = {
  readonly sourceId: string;
  readonly observedAt: string;
  readonly count: string;
};

export type Standing = 'STANDING_UNSPECIFIED' | 'STANDING_IN_FORCE' | 'STANDING_DISPUTED' | 'STANDING_WITHDRAWN';

export type StateTransition = {
  readonly from: IndicatorState;
  readonly to: IndicatorState;
  readonly at?: string;
  readonly actor: string;
};

export type ThreatCategory = 'THREAT_CATEGORY_UNSPECIFIED' | 'THREAT_CATEGORY_MALWARE' | 'THREAT_CATEGORY_PHISHING' | 'THREAT_CATEGORY_COMMAND_AND_CONTROL' | 'THREAT_CATEGORY_BOTNET' | 'THREAT_CATEGORY_SCANNER' | 'THREAT_CATEGORY_SPAM' | 'THREAT_CATEGORY_BRUTE_FORCE' | 'THREAT_CATEGORY_EXPLOIT' | 'THREAT_CATEGORY_TOR_EXIT_NODE' | 'THREAT_CATEGORY_PROXY';

export type ThreatIndicator = {
  readonly id: string;
  readonly type: IndicatorType;
  readonly value: string;
  readonly categories: readonly ThreatCategory[];
  readonly severity: Severity;
  readonly confidenceScore: number;
  readonly tlp: TlpMarking;
  readonly state: IndicatorState;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly validUntil?: string;
  readonly sources: readonly ThreatSource[];
  readonly sightings: readonly Sighting[];
  readonly enrichment?: Enrichment;
  readonly tags: readonly string[];
  readonly labels: readonly Label[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly protocol: Protocol;
  readonly sensorType: SensorType;
};

export type ThreatSource = {
  readonly id: string;
  readonly name: string;
  readonly reliability: number;
  readonly reportedAt: string;
};

export type TimeWindow = {
  readonly start?: string;
  readonly end?: string;
};

export type TlpMarking = 'TLP_MARKING_UNSPECIFIED' | 'TLP_MARKING_CLEAR' | 'TLP_MARKING_GREEN' | 'TLP_MARKING_AMBER' | 'TLP_MARKING_AMBER_STRICT' | 'TLP_MARKING_RED';

export type UsageBucket = 'USAGE_BUCKET_UNSPECIFIED' | 'USAGE_BUCKET_HOUR' | 'USAGE_BUCKET_DAY' | 'USAGE_BUCKET_MONTH';

export type UsageRecord = {
  readonly start: string;
  readonly end: string;
  readonly searchCount: string;
  readonly returnedCount: string;
  readonly lookupCount: string;
  readonly lookupRequestCount: string;
};

export type ValueCount = {
  readonly value: string;
  readonly count: string;
};

export type Verdict = 'VERDICT_UNSPECIFIED' | 'VERDICT_MALICIOUS' | 'VERDICT_SUSPICIOUS' | 'VERDICT_SCANNER' | 'VERDICT_BENIGN' | 'VERDICT_UNKNOWN';

export type VerifyIndicatorBody = {
  readonly note?: string;
  readonly requestId?: string;
  readonly tlp?: TlpMarking;
};

export type WatchEnd = {
  readonly reason: WatchEndReason;
};

export type WatchEndReason = 'WATCH_END_REASON_UNSPECIFIED' | 'WATCH_END_REASON_CREDENTIAL_ENDED' | 'WATCH_END_REASON_RIGHTS_CHANGED' | 'WATCH_END_REASON_UNAVAILABLE';

export type WatchGap = {
  readonly reason: WatchGapReason;
};

export type WatchGapReason = 'WATCH_GAP_REASON_UNSPECIFIED' | 'WATCH_GAP_REASON_TOO_OLD' | 'WATCH_GAP_REASON_BEHIND' | 'WATCH_GAP_REASON_UNKNOWN_ID';

export type WatchHeartbeat = {
};

export type WatchIndicatorsResponse = {
  readonly ready?: WatchReady;
  readonly indicator?: ThreatIndicator;
  readonly removed?: WatchRemoved;
  readonly gap?: WatchGap;
  readonly end?: WatchEnd;
  readonly heartbeat?: WatchHeartbeat;
};

export type WatchReady = {
  readonly heartbeatSeconds: number;
};

export type WatchRemoved = {
  readonly indicatorId: string;
};

export type WithdrawIndicatorBody = {
  readonly reason: string;
  readonly tlp?: TlpMarking;
  readonly requestId?: string;
};
