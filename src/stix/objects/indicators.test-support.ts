// Random records with indicators in canonical form, for tests of rendering.

import fc from 'fast-check';
import type { Enrichment, IndicatorRecord } from '../../domain/indicator/indicator.ts';
import {
  INDICATOR_STATES,
  type IndicatorType,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
} from '../../domain/vocabulary.ts';

type ObservableType = Exclude<IndicatorType, 'UNSPECIFIED'>;

/** Includes quotes, backslashes and line breaks, which must survive rendering. */
const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const instant = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
const ratio = fc.float({ min: 0, max: 1, noNaN: true });

function hex(...lengths: number[]): fc.Arbitrary<string> {
  return fc
    .constantFrom(...lengths)
    .chain((length) =>
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length }),
    );
}

export const VALUES: Readonly<Record<ObservableType, fc.Arbitrary<string>>> = {
  IPV4: fc.ipV4(),
  IPV6: fc.ipV6(),
  DOMAIN: fc.domain(),
  URL: fc.tuple(fc.webUrl(), text).map(([url, rest]) => `${url}/${rest}`),
  FILE_HASH_MD5: hex(32),
  FILE_HASH_SHA1: hex(40),
  FILE_HASH_SHA256: hex(64),
  EMAIL: fc.tuple(word, fc.domain()).map(([local, domain]) => `${local}@${domain}`),
  CIDR: fc.constantFrom('192.0.2.0/24', '198.51.100.128/25', '2001:db8::/32'),
  JA3: hex(32),
  SSL_CERT_FINGERPRINT: hex(32, 40, 64),
};

const OBSERVABLE_TYPES = Object.keys(VALUES) as ObservableType[];

/** Present or absent, but never present and undefined. */
function optional<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;
}

const geo = fc
  .record({
    countryCode: fc.constantFrom('', 'DE', 'NL'),
    city: fc.constantFrom('', 'Delft'),
    latitude: optional(fc.double({ min: -90, max: 90, noNaN: true })),
    longitude: optional(fc.double({ min: -180, max: 180, noNaN: true })),
  })
  .map(withoutUndefined);

const enrichment = fc
  .record({
    geo: optional(geo),
    asn: optional(fc.record({ number: fc.nat(4294967295), organization: text })),
    reverseDns: optional(fc.domain()),
    malwareFamilies: fc.array(word, { maxLength: 2 }),
    attackTechniques: fc.subarray(['T0846', 'T0855', 'T1110.001']),
    aiSummary: text,
    riskScore: optional(ratio),
    enrichedAt: instant,
  })
  .map((value) => withoutUndefined(value) as Enrichment);

const observable = fc
  .constantFrom(...OBSERVABLE_TYPES)
  .chain((type) => VALUES[type].map((value) => ({ type, value })));

/** Records from RAW to VERIFIED with every TLP marking. Only the indicator is random. */
export const records: fc.Arbitrary<IndicatorRecord> = fc
  .record({
    observable,
    id: fc.uuid({ version: 4 }),
    categories: fc.subarray([...THREAT_CATEGORIES]),
    severity: fc.constantFrom(...SEVERITIES),
    confidenceScore: fc.nat(100),
    tlp: fc.constantFrom(...TLP_MARKINGS.slice(1)),
    state: fc.constantFrom(...INDICATOR_STATES.slice(1)),
    firstSeen: instant,
    seenFor: fc.nat(1_000_000_000),
    validUntil: optional(instant),
    sources: fc.array(fc.record({ id: word, name: text, reliability: ratio, reportedAt: instant }), {
      maxLength: 2,
    }),
    enrichment: optional(enrichment),
    tags: fc.array(word, { maxLength: 2 }),
    labels: fc.array(fc.record({ key: word, value: text }), { maxLength: 2 }),
    createdAt: instant,
    age: fc.nat(1_000_000_000),
    protocol: fc.constantFrom(...PROTOCOLS),
    sensorType: fc.constantFrom(...SENSOR_TYPES),
  })
  .map(({ observable, seenFor, age, ...rest }) => ({
    indicator: withoutUndefined({
      ...rest,
      ...observable,
      lastSeen: rest.firstSeen + seenFor,
      updatedAt: rest.createdAt + age,
      sightings: [],
    }) as IndicatorRecord['indicator'],
    evidence: {
      sources: [],
      sensorDays: [],
      behaviours: [],
      lead: {
        intent: 'none',
        severity: rest.severity,
        observedAt: rest.firstSeen,
        sourceId: '',
        protocol: rest.protocol,
        sensorType: rest.sensorType,
      },
    },
    history: [],
  }));
