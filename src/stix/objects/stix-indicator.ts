// A ThreatIndicator as a STIX 2.1 indicator (§4.7).

import { isComputedLabel } from '../../domain/indicator/computed-labels.ts';
import type { AsnInfo, GeoLocation, Indicator } from '../../domain/indicator/indicator.ts';
import { furtherFields } from '../../domain/indicator/material-fingerprint.ts';
import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import { verdictIn } from '../../domain/score/verdict.ts';
import type { ThreatCategory, VerdictName } from '../../domain/vocabulary.ts';
import { type ObservableType, stixPattern } from '../pattern/stix-pattern.ts';
import { indicatorStixId, type RenderContext } from './stix-object.ts';
import { termOf, termsOf } from './stix-vocabulary.ts';

/** An indicator with an observable, so that it can be published. */
export type PublishedIndicator = Indicator & { readonly type: ObservableType };

/** Values of `indicator-type-ov` (§10.10), in the order of the output. */
const INDICATOR_TYPES = [
  'malicious-activity',
  'anomalous-activity',
  'anonymization',
  'benign',
  'unknown',
] as const;
type StixType = (typeof INDICATOR_TYPES)[number];

/** Where there is no verdict yet. */
const INDICATOR_TYPE_BY_CATEGORY: Readonly<Record<ThreatCategory, StixType | undefined>> = {
  UNSPECIFIED: undefined,
  MALWARE: 'malicious-activity',
  PHISHING: 'malicious-activity',
  COMMAND_AND_CONTROL: 'malicious-activity',
  BOTNET: 'malicious-activity',
  SCANNER: 'anomalous-activity',
  SPAM: 'malicious-activity',
  BRUTE_FORCE: 'malicious-activity',
  EXPLOIT: 'malicious-activity',
  TOR_EXIT_NODE: 'anonymization',
  PROXY: 'anonymization',
};

/** `anomalous-activity` includes scans by its definition. */
const INDICATOR_TYPE_BY_VERDICT: Readonly<Record<VerdictName, StixType | undefined>> = {
  UNSPECIFIED: undefined,
  MALICIOUS: 'malicious-activity',
  SUSPICIOUS: 'anomalous-activity',
  SCANNER: 'anomalous-activity',
  BENIGN: 'benign',
  UNKNOWN: 'unknown',
};

const OBSERVABLE_NAMES: Readonly<Record<ObservableType, string>> = {
  IPV4: 'IPv4 address',
  IPV6: 'IPv6 address',
  DOMAIN: 'Domain name',
  URL: 'URL',
  FILE_HASH_MD5: 'File with this MD5 hash',
  FILE_HASH_SHA1: 'File with this SHA-1 hash',
  FILE_HASH_SHA256: 'File with this SHA-256 hash',
  EMAIL: 'E-mail address',
  CIDR: 'Network range',
  JA3: 'TLS client with this JA3 fingerprint',
  SSL_CERT_FINGERPRINT: 'Certificate with this fingerprint',
};

/** What a last version says: the indicator was withdrawn, went stale and was archived, or must never be blocked. */
export type End = 'revoked' | 'archived' | 'withheld';

/**
 * The STIX object of one version of an indicator, as JSON. A pure function, so that one (id, `modified`) always has the
 * same bytes (§3.6). Undefined members are omitted, since STIX allows neither null nor empty lists.
 */
export function renderIndicator(indicator: PublishedIndicator, context: RenderContext, end?: End): string {
  const validUntil = endOf(indicator, end);
  const firstSeen = toRfc3339(indicator.firstSeen);
  return JSON.stringify({
    type: 'indicator',
    spec_version: '2.1',
    id: indicatorStixId(indicator.id),
    created_by_ref: context.identityId,
    created: toRfc3339(indicator.createdAt),
    modified: toRfc3339(indicator.updatedAt),
    name: indicator.value,
    description: indicator.enrichment?.aiSummary || describe(indicator),
    indicator_types: indicatorTypes(indicator),
    pattern: stixPattern(indicator.type, indicator.value, context.extensionId),
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: firstSeen,
    valid_until: validUntil === undefined ? undefined : toRfc3339(validUntil),
    confidence: indicator.confidenceScore,
    labels: unlessEmpty(labels(indicator)),
    revoked: end === 'revoked' || undefined,
    object_marking_refs: context.markingRefs(indicator.tlp),
    external_references: unlessEmpty(externalReferences(indicator)),
    extensions: { [context.extensionId]: extension(indicator, firstSeen, end) },
  });
}

/** §4.7.1: valid_until must be later than valid_from. A last version of an archived or withheld indicator has it in any case. */
function endOf({ firstSeen, validUntil, updatedAt }: Indicator, end: End | undefined): Instant | undefined {
  if (end === 'withheld') return Math.max(firstSeen + 1, Math.min(validUntil ?? updatedAt, updatedAt));
  if (validUntil !== undefined && validUntil > firstSeen) return validUntil;
  return end === 'archived' ? firstSeen + 1 : undefined;
}

/** The properties that STIX lacks, by the schema of initial-objects.ts. */
function extension(indicator: Indicator, firstSeen: string, end: End | undefined): object {
  const { enrichment } = indicator;
  return {
    extension_type: 'property-extension',
    severity: termOf(indicator.severity),
    verdict: termOf(verdictIn(indicator)),
    state: termOf(indicator.state),
    archived: end === 'archived' || undefined,
    categories: unlessEmpty(termsOf(indicator.categories)),
    protocol: termOf(indicator.protocol),
    sensor_type: termOf(indicator.sensorType),
    sources: unlessEmpty(indicator.sources.map(source)),
    first_seen: firstSeen,
    last_seen: toRfc3339(indicator.lastSeen),
    risk_score: enrichment?.riskScore,
    asn: enrichment?.asn && asn(enrichment.asn),
    geo: enrichment?.geo && geo(enrichment.geo),
    reverse_dns: enrichment?.reverseDns || undefined,
    ja3: indicator.type === 'JA3' ? indicator.value : undefined,
    attack_techniques: unlessEmpty(enrichment?.attackTechniques),
    malware_families: unlessEmpty(enrichment?.malwareFamilies),
    ...(enrichment && underTheirNames(furtherFields(enrichment))),
  };
}

/** An object with these members, their names in snake case. */
function underTheirNames(fields: readonly (readonly [name: string, value: unknown])[]): object {
  return Object.fromEntries(fields.map(([name, value]) => [snakeCase(name), value]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function source({ id, name, reliability, reportedAt }: Indicator['sources'][number]): object {
  return { id, name, reliability, reported_at: toRfc3339(reportedAt) };
}

function asn({ number, organization }: AsnInfo): object {
  return { number, organization: organization || undefined };
}

function geo({ countryCode, city, latitude, longitude }: GeoLocation): object | undefined {
  const located = latitude !== undefined && longitude !== undefined;
  if (countryCode === '' && city === '' && !located) return undefined;
  return {
    country: countryCode || undefined,
    city: city || undefined,
    ...(located ? { latitude, longitude } : undefined),
  };
}

function indicatorTypes(indicator: Indicator): readonly string[] {
  const byCategory = indicator.categories.map((category) => INDICATOR_TYPE_BY_CATEGORY[category]);
  const judged = INDICATOR_TYPE_BY_VERDICT[verdictIn(indicator)];
  // Anonymization says what a thing is, whatever the verdict on it.
  const known =
    judged === undefined ? byCategory : [judged, ...byCategory.filter((type) => type === 'anonymization')];
  const types = INDICATOR_TYPES.filter((type) => known.includes(type));
  return types.length === 0 ? ['unknown'] : types;
}

/** A reported tag or label that reads like a computed one would be taken for it. */
const LIKE_COMPUTED = /^\s*(?:intent|verdict)\s*:|^\s*(?:withdrawn|false-positive|never-block)\s*(?::|$)/i;

/** Clients know the plain word `false-positive`. When it was said is `valid_until`. */
function labels({ tags, labels }: Indicator): readonly string[] {
  return [
    ...tags.filter((tag) => !LIKE_COMPUTED.test(tag)),
    ...labels.flatMap((label) => {
      const text = labelText(label);
      return isComputedLabel(label) || !LIKE_COMPUTED.test(text) ? [text] : [];
    }),
  ];
}

function labelText({ key, value }: Indicator['labels'][number]): string {
  return key === 'false-positive' || value === '' ? key : `${key}:${value}`;
}

/** The sources and ATT&CK techniques. §2.5 requires more than a `source_name`, and hashes with a `url`. */
function externalReferences({ sources, enrichment }: Indicator): readonly object[] {
  const techniques = enrichment?.attackTechniques ?? [];
  return [
    ...sources.map(reportedBy),
    ...techniques.map((id) => ({ source_name: 'mitre-attack', external_id: id })),
  ];
}

/** The OASIS schemas reserve these source names for ids of these lists, and these ids for these names. */
const LIST_NAME = /^(?:cve|capec)$/;
const LIST_ID = /^(?:CVE-\d{4}-\d{4,}|CAPEC-\d+)$/;

/** A source whose name or id looks like such a list or entry is put into the description. */
function reportedBy({ id, name }: Indicator['sources'][number]): object {
  const source = name || id;
  if (LIST_NAME.test(source)) return { source_name: `source ${source}`, description: id };
  return LIST_ID.test(id)
    ? { source_name: source, description: id }
    : { source_name: source, external_id: id };
}

/** The description of an indicator without a summary. */
function describe({ type, categories, sensorType, protocol }: PublishedIndicator): string {
  const known = termsOf(categories).join(', ').replaceAll('-', ' ');
  const activity = known === '' ? '' : `; observed activity: ${known}`;
  const sensor = sensorType === 'UNSPECIFIED' ? '' : `; sensor type: ${sensorType}`;
  const spoken = protocol === 'UNSPECIFIED' ? '' : `; protocol: ${protocol.replaceAll('_', ' ')}`;
  return `${OBSERVABLE_NAMES[type]}${activity}${sensor}${spoken}.`;
}

function unlessEmpty<Item>(list: readonly Item[] | undefined): readonly Item[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}
