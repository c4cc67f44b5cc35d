// Names of our vocabularies in the spelling of the STIX ones: lower case with hyphens.

import {
  INDICATOR_STATES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
} from '../domain/vocabulary.ts';

const VOCABULARIES = [SEVERITIES, INDICATOR_STATES, THREAT_CATEGORIES, PROTOCOLS, SENSOR_TYPES];

type Name = (typeof VOCABULARIES)[number][number];

/** Spelled once: rendering looks up several for each object. */
const TERMS: ReadonlyMap<Name, string> = new Map(
  VOCABULARIES.flat()
    .filter((name) => name !== 'UNSPECIFIED')
    .map((name) => [name, name.toLowerCase().replaceAll('_', '-')] as const),
);

/** The term for one name; undefined for UNSPECIFIED, which says nothing. */
export function termOf(name: Name): string | undefined {
  return TERMS.get(name);
}

/** The terms for some names, in their order. */
export function termsOf(names: readonly Name[]): readonly string[] {
  return names.flatMap((name) => TERMS.get(name) ?? []);
}
