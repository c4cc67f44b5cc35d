// The examples of the OpenAPI document. Requests are written here by hand, one for each operation with a body. Answers are
// made from their messages, so a new field and a new operation have an example too.

import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isTimestamp, WHOLE_RANGES } from './field-types.ts';

const INDICATOR = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
const KEY = '0b5c7c3e-52f1-4b8a-9d3c-2f1f6a1c7e55';
const OBSERVED = '2026-11-20T08:00:00Z';

/** By operationId: a body that the service answers with 200. */
export const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  searchIndicators: {
    query: 'pump',
    filter: {
      protocols: ['PROTOCOL_MODBUS'],
      minSeverity: 'SEVERITY_HIGH',
      lastSeenWindow: { start: '2026-11-01T00:00:00Z' },
    },
    pagination: { pageSize: 100 },
  },
  aggregateIndicators: {
    filter: { protocols: ['PROTOCOL_MODBUS'] },
    facets: ['FACET_COUNTRY', 'FACET_TECHNIQUE'],
    histogramTime: 'HISTOGRAM_TIME_LAST_SEEN',
  },
  lookupIndicators: { values: ['198[.]51[.]100[.]7', 'hxxp://malware.example/a.sh'] },
  verifyIndicator: { note: 'seen on our own controller' },
  disputeIndicator: { reason: 'the scanner of our insurer' },
  withdrawIndicator: { reason: 'a test address of our own' },
  addIndicatorNote: { text: 'ask the plant manager', tlp: 'TLP_MARKING_AMBER' },
  ingestSensorEvents: {
    events: [
      {
        eventId: '1',
        sensorId: 'plant-7',
        sensorType: 'SENSOR_TYPE_ICS',
        protocol: 'PROTOCOL_MODBUS',
        value: '198.51.100.7',
        observedAt: OBSERVED,
        evidence: { 'modbus.function_code': '5' },
      },
    ],
  },
  createApiKey: { name: 'siem', scopes: ['indicators:read'] },
  rotateApiKey: { overlapSeconds: 3_600 },
  revokeApiKey: {},
};

/** By field: `Message.field` in JSON spelling, or the field alone. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  id: INDICATOR,
  indicatorId: INDICATOR,
  value: '198.51.100.7',
  canonicalValue: '198.51.100.7',
  eventId: '1',
  sourceId: 'plant-7',
  tags: ['pump'],
  confidenceScore: 83,
  count: '3',
  searchCount: '12',
  returnedCount: '340',
  droppedCount: '0',
  totalCount: '1',
  omittedIndicatorCount: 0,
  omittedValueCount: 0,
  duplicateCount: 0,
  refusedCount: 0,
  reliability: 0.9,
  reason: '',
  description: '',
  nextPageToken: '',
  name: 'plant-7',
  'ThreatSource.id': 'plant-7',
  'Label.key': 'site',
  'Label.value': 'east',
  'EvidenceValues.key': 'modbus.function_code',
  'EvidenceValue.value': '5',
  'EvidenceRemark.key': 'modbus.function',
  nearestKey: 'modbus.function_code',
  reverseDns: 'host-7.example.net',
  malwareFamilies: ['FrostyGoop'],
  attackTechniques: ['T0855'],
  aiSummary: 'Wrote a coil of one Modbus sensor.',
  riskScore: 0.62,
  countryCode: 'NL',
  city: 'Amsterdam',
  latitude: 52.37,
  longitude: 4.9,
  number: 64_496,
  organization: 'Example Networks',
  'ApiKey.id': KEY,
  'ApiKey.name': 'siem',
  account: 'default',
  scopes: ['indicators:read'],
  prefix: 'tis_Ab3',
  lastFour: '9xYz',
  sourceRanges: ['203.0.113.0/24'],
  'ApiKey.sources': [],
  createdBy: 'cli',
  parentId: '',
  plaintext: 'tis_EXAMPLE',
  keyId: KEY,
  'RotateApiKeyRequest.id': KEY,
  'RevokeApiKeyRequest.id': KEY,
  pageSize: 50,
  pageToken: '',
  'ListApiKeysRequest.endsWithId': KEY,
  validUntil: '2026-12-20T08:00:00Z',
  expiresAt: '2027-02-18T08:00:00Z',
  'TimeWindow.start': '2026-11-01T00:00:00Z',
  'TimeWindow.end': '2026-12-01T00:00:00Z',
  'UsageRecord.start': '2026-11-20T00:00:00Z',
  'UsageRecord.end': '2026-11-21T00:00:00Z',
};

/** The value that an enumeration has in examples; the first one behind UNSPECIFIED for others. */
const ENUM_SAMPLES: Readonly<Record<string, string>> = {
  ThreatCategory: 'THREAT_CATEGORY_SCANNER',
  Severity: 'SEVERITY_HIGH',
  IndicatorState: 'INDICATOR_STATE_ENRICHED',
  TlpMarking: 'TLP_MARKING_GREEN',
  UsageBucket: 'USAGE_BUCKET_DAY',
};

/** An answer, with every field. */
export function exampleOf(message: DescMessage): Record<string, unknown> {
  return Object.fromEntries(message.fields.map((field) => [field.jsonName, exampleOfField(field)]));
}

export function exampleOfField(field: DescField): unknown {
  const sample = SAMPLES[`${field.parent.name}.${field.jsonName}`] ?? SAMPLES[field.jsonName];
  if (sample !== undefined && fits(sample, field)) return sample;
  if (field.fieldKind === 'map') return {};
  const element = elementOf(field);
  return field.fieldKind === 'list' ? [element] : element;
}

/** Whether a sample that was found by the name alone is of the type of the field. */
function fits(sample: unknown, field: DescField): boolean {
  if (field.fieldKind === 'list') return Array.isArray(sample);
  if (field.fieldKind === 'message') return isTimestamp(field.message) && typeof sample === 'string';
  if (field.fieldKind !== 'scalar') return false;
  return typeof sample === typeof scalarOf(field.scalar);
}

function elementOf(field: DescField): unknown {
  if (field.enum !== undefined) return enumValue(field.enum);
  if (field.message === undefined) return scalarOf(field.scalar as ScalarType);
  return isTimestamp(field.message) ? OBSERVED : exampleOf(field.message);
}

function enumValue(desc: DescEnum): string {
  return ENUM_SAMPLES[desc.name] ?? desc.values[1]?.name ?? desc.values[0]?.name ?? '';
}

function scalarOf(scalar: ScalarType): string | number | boolean {
  if (scalar === ScalarType.STRING) return '';
  if (scalar === ScalarType.BOOL) return false;
  if (scalar === ScalarType.DOUBLE) return 0.5;
  return WHOLE_RANGES.get(scalar)?.wide === true ? '1' : 1;
}
