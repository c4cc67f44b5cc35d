// The OpenAPI document against the specification of the service, member by member. Every table is written out by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiKeyService } from '../gen/threatintel/v1/api_key_service_pb.ts';
import { IndicatorService } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { SensorEventService } from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { UsageService } from '../gen/threatintel/v1/usage_service_pb.ts';
import { openApiDocument } from './openapi.ts';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly default?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: unknown;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { readonly schema: Schema }>;
  };
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: Schema }> }>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, { type: string; in: string; name: string }>>;
  };
}

// The document as the service serves it.
const document: Document = JSON.parse(
  JSON.stringify(openApiDocument([IndicatorService, SensorEventService, ApiKeyService, UsageService])),
);
const { schemas } = document.components;

/** `string`, `string date-time`, `Severity`, `Severity[]`. */
function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.type === 'array') return `${typeText(schema.items ?? {})}[]`;
  return [schema.type, schema.format].filter((part) => part !== undefined).join(' ');
}

/** The tables of the specification: what must be there. The contract may have further members. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ThreatIndicator: {
    id: 'string',
    type: 'IndicatorType',
    value: 'string',
    categories: 'ThreatCategory[]',
    severity: 'Severity',
    confidenceScore: 'integer int64',
    tlp: 'TlpMarking',
    state: 'IndicatorState',
    firstSeen: 'string date-time',
    lastSeen: 'string date-time',
    validUntil: 'string date-time',
    sources: 'ThreatSource[]',
    sightings: 'Sighting[]',
    enrichment: 'Enrichment',
    tags: 'string[]',
    labels: 'Label[]',
    createdAt: 'string date-time',
    updatedAt: 'string date-time',
    protocol: 'Protocol',
    sensorType: 'SensorType',
  },
  ThreatSource: {
    id: 'string',
    name: 'string',
    reliability: 'number double',
    reportedAt: 'string date-time',
  },
  Sighting: { sourceId: 'string', observedAt: 'string date-time', count: 'string uint64' },
  Enrichment: {
    geo: 'GeoLocation',
    asn: 'AsnInfo',
    reverseDns: 'string',
    malwareFamilies: 'string[]',
    attackTechniques: 'string[]',
    aiSummary: 'string',
    riskScore: 'number double',
    enrichedAt: 'string date-time',
  },
  GeoLocation: {
    countryCode: 'string',
    city: 'string',
    latitude: 'number double',
    longitude: 'number double',
  },
  AsnInfo: { number: 'integer int64', organization: 'string' },
  Label: { key: 'string', value: 'string' },
  TimeWindow: { start: 'string date-time', end: 'string date-time' },
  IndicatorFilter: {
    types: 'IndicatorType[]',
    categories: 'ThreatCategory[]',
    minSeverity: 'Severity',
    minConfidenceScore: 'integer int64',
    states: 'IndicatorState[]',
    tags: 'string[]',
    lastSeenWindow: 'TimeWindow',
    sourceIds: 'string[]',
    protocols: 'Protocol[]',
    sensorTypes: 'SensorType[]',
    // Shorthand of the request examples, and ours.
    minConfidence: 'integer int64',
    createdAfter: 'string date-time',
    createdBefore: 'string date-time',
    validAt: 'string date-time',
  },
  Pagination: { pageSize: 'integer int64', pageToken: 'string' },
  PageInfo: { nextPageToken: 'string', totalCount: 'string uint64' },
  SearchIndicatorsRequest: {
    query: 'string',
    filter: 'IndicatorFilter',
    pagination: 'Pagination',
    // Shorthand of the request examples.
    pageSize: 'integer int64',
  },
  SearchIndicatorsResponse: { indicators: 'ThreatIndicator[]', pageInfo: 'PageInfo' },
  rpcStatus: { code: 'integer int32', message: 'string', details: 'protobufAny[]' },
  protobufAny: { '@type': 'string' },
};

const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  IndicatorType: [
    'INDICATOR_TYPE_UNSPECIFIED',
    'INDICATOR_TYPE_IPV4',
    'INDICATOR_TYPE_IPV6',
    'INDICATOR_TYPE_DOMAIN',
    'INDICATOR_TYPE_URL',
    'INDICATOR_TYPE_FILE_HASH_MD5',
    'INDICATOR_TYPE_FILE_HASH_SHA1',
    'INDICATOR_TYPE_FILE_HASH_SHA256',
    'INDICATOR_TYPE_EMAIL',
    'INDICATOR_TYPE_CIDR',
    'INDICATOR_TYPE_JA3',
    'INDICATOR_TYPE_SSL_CERT_FINGERPRINT',
  ],
  ThreatCategory: [
    'THREAT_CATEGORY_UNSPECIFIED',
    'THREAT_CATEGORY_MALWARE',
    'THREAT_CATEGORY_PHISHING',
    'THREAT_CATEGORY_COMMAND_AND_CONTROL',
    'THREAT_CATEGORY_BOTNET',
    'THREAT_CATEGORY_SCANNER',
    'THREAT_CATEGORY_SPAM',
    'THREAT_CATEGORY_BRUTE_FORCE',
    'THREAT_CATEGORY_EXPLOIT',
    'THREAT_CATEGORY_TOR_EXIT_NODE',
    'THREAT_CATEGORY_PROXY',
  ],
  Severity: [
    'SEVERITY_UNSPECIFIED',
    'SEVERITY_INFO',
    'SEVERITY_LOW',
    'SEVERITY_MEDIUM',
    'SEVERITY_HIGH',
    'SEVERITY_CRITICAL',
  ],
  IndicatorState: [
    'INDICATOR_STATE_UNSPECIFIED',
    'INDICATOR_STATE_RAW',
    'INDICATOR_STATE_SCORED',
    'INDICATOR_STATE_ENRICHED',
    'INDICATOR_STATE_VERIFIED',
  ],
  Protocol: [
    'PROTOCOL_UNSPECIFIED',
    'PROTOCOL_MODBUS',
    'PROTOCOL_DNP3',
    'PROTOCOL_BACNET',
    'PROTOCOL_S7',
    'PROTOCOL_OPC_UA',
    'PROTOCOL_SSH',
    'PROTOCOL_HTTP',
    'PROTOCOL_FTP',
    'PROTOCOL_TELNET',
    'PROTOCOL_SNMP',
  ],
  SensorType: ['SENSOR_TYPE_UNSPECIFIED', 'SENSOR_TYPE_ICS', 'SENSOR_TYPE_NETWORK', 'SENSOR_TYPE_ENDPOINT'],
  TlpMarking: [
    'TLP_MARKING_UNSPECIFIED',
    'TLP_MARKING_CLEAR',
    'TLP_MARKING_GREEN',
    'TLP_MARKING_AMBER',
    'TLP_MARKING_AMBER_STRICT',
    'TLP_MARKING_RED',
  ],
};

for (const [name, members] of Object.entries(TABLES)) {
  test(`${name} has the members of its table`, () => {
    assert.equal(schemas[name]?.type, 'object');
    const types = Object.entries(schemas[name]?.properties ?? {}).map(([member, schema]) => [
      member,
      typeText(schema),
    ]);
    assert.partialDeepStrictEqual(Object.fromEntries(types), members);
  });
}

for (const [name, values] of Object.entries(ENUMERATIONS)) {
  test(`${name} has the values of its list, and UNSPECIFIED by default`, () => {
    assert.equal(schemas[name]?.type, 'string');
    assert.deepEqual(schemas[name]?.enum, values);
    assert.equal(schemas[name]?.default, values[0]);
  });
}

test('the confidence filter is a percentage', () => {
  const { minConfidenceScore, minConfidence } = schemas.IndicatorFilter?.properties ?? {};
  for (const schema of [minConfidenceScore, minConfidence]) {
    assert.equal(schema?.minimum, 0);
    assert.equal(schema?.maximum, 100);
  }
});

test('version, security scheme and operations', () => {
  assert.match(document.openapi, /^3\.1\./);
  assert.equal(document.info.version, '1.0.0');
  const { type, in: place, name } = document.components.securitySchemes.Authorization!;
  assert.deepEqual({ type, place, name }, { type: 'apiKey', place: 'header', name: 'Authorization' });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  // A method may be added; none of these is ever renamed, moved or removed.
  const published = [
    'post /v1/indicators/search searchIndicators',
    'get /v1/indicators/{id} getIndicator',
    'post /v1/indicators/{id}:verify verifyIndicator',
    'get /v1/indicators/{id}:explain explainIndicator',
    'post /v1/sensorEvents:ingest ingestSensorEvents',
    'post /v1/apiKeys createApiKey',
    'get /v1/apiKeys listApiKeys',
    'post /v1/apiKeys/{id}:rotate rotateApiKey',
    'post /v1/apiKeys/{id}:revoke revokeApiKey',
    'get /v1/usage getUsage',
  ];
  assert.deepEqual(
    operations.filter((operation) => published.includes(operation)),
    published,
  );
});

test('the tag of an operation is the collection its path begins with', () => {
  const tags = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => [path.split(/[/:]/)[2], operation.tags]),
  );
  for (const [collection, [tag]] of tags as [string, string[]][]) {
    assert.equal(tag, collection.charAt(0).toUpperCase() + collection.slice(1));
  }
});

test('the members of a window are parameters of the query', () => {
  const { parameters } = document.paths['/v1/usage']!.get!;
  assert.deepEqual(
    parameters?.map(({ name, in: place }) => [name, place]),
    [
      ['window.start', 'query'],
      ['window.end', 'query'],
      ['bucket', 'query'],
      ['keyId', 'query'],
    ],
  );
});

test('searchIndicators', () => {
  const search = document.paths['/v1/indicators/search']!.post!;
  assert.deepEqual(search.tags, ['Indicators']);
  assert.equal(search.requestBody?.required, true);
  assert.equal(
    typeText(search.requestBody?.content['application/json']?.schema ?? {}),
    'SearchIndicatorsRequest',
  );
  assert.equal(
    typeText(search.responses['200']!.content['application/json']!.schema),
    'SearchIndicatorsResponse',
  );
});

test('every operation needs the Authorization header and answers errors with rpcStatus', () => {
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    assert.deepEqual(operation.security, [{ Authorization: [] }]);
    assert.equal(typeText(operation.responses.default!.content['application/json']!.schema), 'rpcStatus');
  }
});

test('what the path holds is a parameter and not in the body', () => {
  const verify = document.paths['/v1/indicators/{id}:verify']!.post!;
  assert.deepEqual(
    verify.parameters?.map(({ name, in: place, required }) => [name, place, required]),
    [['id', 'path', true]],
  );
  assert.deepEqual(Object.keys(schemas.VerifyIndicatorBody?.properties ?? {}), ['note', 'requestId', 'tlp']);
});

test('the statuses of an event are the three words of the contract', () => {
  assert.deepEqual(schemas.EventResultStatus?.enum, [
    'STATUS_UNSPECIFIED',
    'ACCEPTED',
    'DUPLICATE',
    'REFUSED',
  ]);
});

test('every reference leads somewhere, and everything is described', () => {
  for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    assert.ok(schemas[name ?? ''], name);
  }
  for (const [name, schema] of Object.entries(schemas)) {
    assert.ok(schema.description, name);
    for (const [member, { description }] of Object.entries(schema.properties ?? {})) {
      assert.ok(description, `${name}.${member}`);
    }
  }
});
