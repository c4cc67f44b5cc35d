// The required properties of each type of STIX 2.1 (sections 3.2, 4, 5, 7).

/** Required properties by kind, besides `id` and `type`. */
const COMMON = ['spec_version', 'created', 'modified'];

/** The required properties of SDOs and SROs beyond the common ones. */
const DOMAIN_AND_RELATIONSHIP: Readonly<Record<string, readonly string[]>> = {
  'attack-pattern': ['name'],
  campaign: ['name'],
  'course-of-action': ['name'],
  grouping: ['context', 'object_refs'],
  identity: ['name'],
  incident: ['name'],
  indicator: ['pattern', 'pattern_type', 'valid_from'],
  infrastructure: ['name'],
  'intrusion-set': ['name'],
  location: [],
  malware: ['is_family'],
  'malware-analysis': ['product'],
  note: ['content', 'object_refs'],
  'observed-data': ['first_observed', 'last_observed', 'number_observed'],
  opinion: ['opinion', 'object_refs'],
  report: ['name', 'published', 'object_refs'],
  'threat-actor': ['name'],
  tool: ['name'],
  vulnerability: ['name'],
  relationship: ['relationship_type', 'source_ref', 'target_ref'],
  sighting: ['sighting_of_ref'],
};

const META: Readonly<Record<string, readonly string[]>> = {
  'extension-definition': [...COMMON, 'created_by_ref', 'name', 'schema', 'version', 'extension_types'],
  'language-content': [...COMMON, 'object_ref', 'contents'],
  'marking-definition': ['spec_version', 'created'],
};

/** The required properties of a type. Empty for observables and for types that STIX does not define. */
export function requiredOf(type: unknown): readonly string[] {
  const name = String(type);
  const own = DOMAIN_AND_RELATIONSHIP[name];
  return own === undefined ? (META[name] ?? []) : [...COMMON, ...own];
}

export function isDomainOrRelationship(type: unknown): boolean {
  return DOMAIN_AND_RELATIONSHIP[String(type)] !== undefined;
}
