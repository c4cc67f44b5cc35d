// The published definition of our property extension, as JSON Schema: what stix-indicator.ts writes into indicators.
//
// The extension-definition carries this schema as text, since an installation need not know the address it is
// reached at. A change of this file needs a later `modified` of the definition (see preamble.ts).

import {
  INDICATOR_STATES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
} from '../../domain/vocabulary.ts';
import { termsOf } from './terms.ts';

const TIMESTAMP = { type: 'string', format: 'date-time' };
const NAMES = { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } };

export const EXTENSION_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Threat indicator',
  description:
    'What a threat intelligence service knows about the observable of an indicator. Members are left out when unknown.',
  type: 'object',
  required: ['extension_type', 'first_seen', 'last_seen'],
  properties: {
    extension_type: { const: 'property-extension' },
    severity: { enum: termsOf(SEVERITIES) },
    state: {
      enum: termsOf(INDICATOR_STATES),
      description: 'How far the indicator has come in the pipeline.',
    },
    categories: { type: 'array', minItems: 1, items: { enum: termsOf(THREAT_CATEGORIES) } },
    protocol: { enum: termsOf(PROTOCOLS), description: 'Protocol of the observed activity.' },
    sensor_type: { enum: termsOf(SENSOR_TYPES) },
    sources: {
      type: 'array',
      minItems: 1,
      description: 'Who reported the observable, in order of the first report.',
      items: {
        type: 'object',
        required: ['id', 'name', 'reliability', 'reported_at'],
        properties: {
          id: { type: 'string' },
          name: { type: 'string' },
          reliability: { type: 'number', minimum: 0, maximum: 1 },
          reported_at: TIMESTAMP,
        },
      },
    },
    first_seen: TIMESTAMP,
    last_seen: {
      ...TIMESTAMP,
      description: 'As of this version: a new sighting alone makes no new version.',
    },
    risk_score: { type: 'number', minimum: 0, maximum: 1, description: 'Assessed by a model.' },
    asn: {
      type: 'object',
      required: ['number'],
      properties: {
        number: { type: 'integer', minimum: 0, maximum: 4294967295 },
        organization: { type: 'string' },
      },
    },
    geo: {
      type: 'object',
      properties: {
        country: { type: 'string', description: 'ISO 3166-1 alpha-2.' },
        city: { type: 'string' },
        latitude: { type: 'number', minimum: -90, maximum: 90 },
        longitude: { type: 'number', minimum: -180, maximum: 180 },
      },
    },
    reverse_dns: { type: 'string' },
    ja3: {
      type: 'string',
      pattern: '^[0-9a-f]{32}$',
      description:
        'JA3 fingerprint of a TLS client hello. The same name in a pattern, as an extension of network-traffic, means the fingerprint of that traffic.',
    },
    attack_techniques: { ...NAMES, description: 'ATT&CK technique ids.' },
    malware_families: NAMES,
  },
} as const;
