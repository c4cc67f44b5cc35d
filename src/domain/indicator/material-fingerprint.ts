// Which changes of an indicator make a new version in the feed: those on which a reader would act.

import { hash } from 'node:crypto';
import { dayOf } from '../instant.ts';
import { compareText } from '../sorted-list.ts';
import type { Enrichment, Indicator } from './indicator.ts';

const LENGTH = 32;

/**
 * A fingerprint of the material fields, 32 hex digits. It changes exactly when a material field changes.
 *
 * It leaves out sightings, lastSeen, updatedAt and enrichedAt, which change with every event. It includes only the UTC
 * day of validUntil, which follows lastSeen, and of firstSeen, which moves back when older logs arrive late. Otherwise
 * every packet of a busy scanner would send a new version to every reader.
 */
export function materialFingerprint(indicator: Indicator): string {
  const { firstSeen, validUntil, enrichment } = indicator;
  // An array has one order, however the indicator was built. JSON keeps text apart from structure.
  const material = JSON.stringify([
    indicator.state,
    indicator.confidenceScore,
    dayOf(firstSeen),
    validUntil === undefined ? null : dayOf(validUntil),
    indicator.categories,
    indicator.severity,
    indicator.tlp,
    indicator.tags,
    indicator.labels.map(({ key, value }) => [key, value]),
    indicator.protocol,
    indicator.sensorType,
    indicator.sources.map(({ id }) => id).sort(),
    enrichment === undefined ? null : enrichmentFields(enrichment),
  ]);
  return hash('sha256', material, 'hex').slice(0, LENGTH);
}

/** A further field is appended with its name. Adding one therefore changes no existing fingerprint. */
function enrichmentFields(enrichment: Enrichment): unknown[] {
  const { geo, asn, reverseDns, malwareFamilies, attackTechniques, aiSummary, riskScore } = enrichment;
  return [
    geo === undefined ? null : [geo.countryCode, geo.city, geo.latitude, geo.longitude],
    asn === undefined ? null : [asn.number, asn.organization],
    reverseDns,
    malwareFamilies,
    attackTechniques,
    aiSummary,
    riskScore,
    ...furtherFields(enrichment),
  ];
}

/**
 * The fields of an enrichment that the service handles by their names alone, sorted by name. Each of the others has a
 * form of its own in STIX.
 */
export function furtherFields({
  geo,
  asn,
  reverseDns,
  malwareFamilies,
  attackTechniques,
  aiSummary,
  riskScore,
  enrichedAt,
  ...others
}: Enrichment): [name: string, value: unknown][] {
  return Object.entries(others).sort(([a], [b]) => compareText(a, b));
}
