// The properties by which indicators are counted, read from stored documents (ProtoJSON of ThreatIndicator).

/** The index of a name is its number in the contract. */
export const FACETS = [
  'UNSPECIFIED',
  'TYPE',
  'CATEGORY',
  'SEVERITY',
  'STATE',
  'PROTOCOL',
  'SENSOR_TYPE',
  'TLP',
  'SOURCE',
  'COUNTRY',
  'ASN',
  'TECHNIQUE',
  'INTENT',
  'FAMILY',
  'TAG',
  'VERDICT',
] as const;
export type Facet = Exclude<(typeof FACETS)[number], 'UNSPECIFIED'>;

/** The index of a name is its number in the contract. */
export const HISTOGRAM_TIMES = ['UNSPECIFIED', 'LAST_SEEN', 'CREATED_AT'] as const;
export type HistogramTime = Exclude<(typeof HISTOGRAM_TIMES)[number], 'UNSPECIFIED'>;

/** The members of a document that are counted. */
export interface CountedDocument {
  readonly type: string;
  readonly categories: readonly string[];
  readonly severity: string;
  readonly state: string;
  readonly protocol: string;
  readonly sensorType: string;
  readonly tlp: string;
  readonly sources: readonly { readonly id: string }[];
  readonly tags: readonly string[];
  readonly labels: readonly { readonly key: string; readonly value: string }[];
  readonly enrichment?: {
    readonly geo?: { readonly countryCode: string };
    readonly asn?: { readonly number: number };
    readonly attackTechniques: readonly string[];
    readonly malwareFamilies: readonly string[];
  };
  readonly lastSeen: string;
  readonly createdAt: string;
}

/** The values of an indicator, each once. None where it has no value. */
export const VALUES_OF: Readonly<Record<Facet, (document: CountedDocument) => readonly string[]>> = {
  TYPE: ({ type }) => [type],
  CATEGORY: ({ categories }) => categories,
  SEVERITY: ({ severity }) => [severity],
  STATE: ({ state }) => [state],
  PROTOCOL: ({ protocol }) => [protocol],
  SENSOR_TYPE: ({ sensorType }) => [sensorType],
  TLP: ({ tlp }) => [tlp],
  SOURCE: ({ sources }) => sources.map(({ id }) => id),
  COUNTRY: ({ enrichment }) => known(enrichment?.geo?.countryCode),
  ASN: ({ enrichment }) => known(enrichment?.asn?.number.toString()),
  TECHNIQUE: ({ enrichment }) => enrichment?.attackTechniques ?? [],
  INTENT: (document) => labelled(document, 'intent'),
  FAMILY: ({ enrichment }) => enrichment?.malwareFamilies ?? [],
  TAG: ({ tags }) => tags,
  VERDICT: (document) => labelled(document, 'verdict'),
};

export const TIME_OF: Readonly<Record<HistogramTime, (document: CountedDocument) => string>> = {
  LAST_SEEN: ({ lastSeen }) => lastSeen,
  CREATED_AT: ({ createdAt }) => createdAt,
};

function labelled({ labels }: CountedDocument, wanted: string): readonly string[] {
  return labels.flatMap(({ key, value }) => (key === wanted ? [value] : []));
}

function known(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [value];
}
