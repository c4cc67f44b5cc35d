// The first objects of every feed: the service, our extension and the TLP markings. All other objects refer to them, so
// that references always point backwards.

import { EVERYBODY } from '../../domain/audience.ts';
import { LINK_KINDS } from '../../domain/evidence/links.ts';
import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import {
  INDICATOR_STATES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  VERDICTS,
} from '../../domain/vocabulary.ts';
import type { FeedAppend } from '../../store/feed.ts';
import type { Installation } from '../../store/stores.ts';
import { stixContext } from './stix-object.ts';
import { termsOf } from './stix-vocabulary.ts';
import { TLP_CREATED, TLP_MARKING_DEFINITIONS } from './tlp-markings.ts';

const TIMESTAMP = { type: 'string', format: 'date-time' };
const NAMES = { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } };

const EXTENSION_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Threat indicator',
  description:
    'What a threat intelligence service knows about the observable of an indicator, or about a link between two of them. Members are left out when unknown.',
  type: 'object',
  required: ['extension_type', 'first_seen', 'last_seen'],
  properties: {
    extension_type: { const: 'property-extension' },
    severity: { enum: termsOf(SEVERITIES) },
    verdict: {
      enum: termsOf(VERDICTS),
      description: 'What the service makes of the indicator. Left out until it is enriched.',
    },
    state: {
      enum: termsOf(INDICATOR_STATES),
      description: 'How far the indicator has come in the pipeline.',
    },
    archived: {
      type: 'boolean',
      description:
        'True in the last version of an indicator that went stale. A later version means that it came back.',
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
    link_kind: {
      enum: LINK_KINDS,
      description: 'How the source of a relationship between two indicators is linked with its target.',
    },
    link_count: {
      type: 'integer',
      minimum: 1,
      description:
        'How often the link was reported, as of this version: the next one comes when it has doubled.',
    },
  },
} as const;

/**
 * The identity of the service, the definition of our extension and the five TLP markings, in the order in which to
 * append them.
 *
 * The feed keeps the first object of each (id, version). A changed identity or extension definition therefore needs a
 * `modified` later than `created`, or existing feeds keep the old one.
 */
export function initialObjects(installation: Installation): readonly FeedAppend[] {
  const { secret, createdAt } = installation;
  const { identityId, extensionId } = stixContext(secret);
  const created = toRfc3339(createdAt);
  const identity = {
    type: 'identity',
    spec_version: '2.1',
    id: identityId,
    created,
    modified: created,
    name: 'Threat Indicator Service',
    description: 'Collects, scores and enriches indicators seen by industrial-control and network sensors.',
    identity_class: 'system',
  };
  const extensionDefinition = {
    type: 'extension-definition',
    spec_version: '2.1',
    id: extensionId,
    created_by_ref: identityId,
    created,
    modified: created,
    name: 'Threat indicator',
    description: 'Severity, pipeline state, sources and enrichment of an indicator.',
    // STIX 2.1 §7.3: "either as a URL or as text", and the text may be a JSON schema.
    schema: JSON.stringify(EXTENSION_SCHEMA),
    version: '1.0.0',
    extension_types: ['property-extension'],
  };
  return [
    append(identity, createdAt),
    append(extensionDefinition, createdAt),
    ...TLP_MARKING_DEFINITIONS.map((definition) => append(definition, TLP_CREATED)),
  ];
}

/** For everybody and in every collection, since all other objects refer to these. */
function append(object: { id: string; type: string }, modified: Instant): FeedAppend {
  const { id, type } = object;
  return {
    id,
    type,
    version: toRfc3339(modified),
    modified,
    audience: EVERYBODY,
    object: JSON.stringify(object),
    collections: 'every',
  };
}
