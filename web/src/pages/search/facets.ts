// The facets of the rail: how each is named in the URL, in the filter of the contract, and in words.

import type { Facet, IndicatorFilter } from '../../api/contract.ts';
import {
  CATEGORY_WORDS,
  INTENT_WORDS,
  PROTOCOL_WORDS,
  SENSOR_WORDS,
  SEVERITY_WORDS,
  STATE_WORDS,
  TLP_WORDS,
  TYPE_WORDS,
  VERDICT_WORDS,
} from '../../text/words.ts';

export interface FacetRule {
  readonly facet: Facet;
  /** In the URL. */
  readonly name: string;
  /** The list of the filter. Left out: nothing to choose, the counts only inform. */
  readonly member?: keyof IndicatorFilter;
  /** Of the names of an enumeration, which the URL leaves out. */
  readonly prefix?: string;
  /** Words for the names of the enumeration. */
  readonly words?: Readonly<Record<string, string>>;
}

export const FACETS: readonly FacetRule[] = [
  enumeration('FACET_VERDICT', 'verdict', 'verdicts', 'VERDICT_', VERDICT_WORDS),
  enumeration('FACET_SEVERITY', 'severity', 'minSeverity', 'SEVERITY_', SEVERITY_WORDS),
  enumeration('FACET_TYPE', 'type', 'types', 'INDICATOR_TYPE_', TYPE_WORDS),
  enumeration('FACET_CATEGORY', 'category', 'categories', 'THREAT_CATEGORY_', CATEGORY_WORDS),
  enumeration('FACET_PROTOCOL', 'protocol', 'protocols', 'PROTOCOL_', PROTOCOL_WORDS),
  enumeration('FACET_INTENT', 'intent', 'intents', 'INTENT_', INTENT_WORDS),
  enumeration('FACET_SENSOR_TYPE', 'sensor', 'sensorTypes', 'SENSOR_TYPE_', SENSOR_WORDS),
  enumeration('FACET_STATE', 'state', 'states', 'INDICATOR_STATE_', STATE_WORDS),
  { facet: 'FACET_TLP', name: 'tlp', prefix: 'TLP_MARKING_', words: TLP_WORDS },
  { facet: 'FACET_SOURCE', name: 'source', member: 'sourceIds' },
  { facet: 'FACET_COUNTRY', name: 'country', member: 'countryCodes' },
  { facet: 'FACET_ASN', name: 'asn', member: 'asns' },
  { facet: 'FACET_TECHNIQUE', name: 'technique', member: 'attackTechniques' },
  { facet: 'FACET_FAMILY', name: 'family', member: 'malwareFamilies' },
  { facet: 'FACET_TAG', name: 'tag', member: 'tags' },
];

function enumeration(
  facet: Facet,
  name: string,
  member: keyof IndicatorFilter,
  prefix: string,
  words: Readonly<Record<string, string>>,
): FacetRule {
  return { facet, name, member, prefix, words };
}

/** A value of the service as it stands in the URL: `INDICATOR_TYPE_IPV4` is `ipv4`. */
export function keyOf({ prefix }: FacetRule, value: string): string {
  return prefix === undefined ? value : value.replace(prefix, '').toLowerCase();
}

/** The name of the enumeration. */
export function memberOf({ prefix = '' }: FacetRule, key: string): string {
  return prefix === '' ? key : `${prefix}${key.toUpperCase()}`;
}

/** All keys of an enumeration; for the others only the service knows which there are. */
export function keysOf(rule: FacetRule): readonly string[] {
  return Object.keys(rule.words ?? {})
    .filter((name) => !name.endsWith('UNSPECIFIED'))
    .map((name) => keyOf(rule, name));
}
