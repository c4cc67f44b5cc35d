// What makes a new version in the feed: the fields on which a reader would act.

import { hash } from 'node:crypto';
import { dayOf } from '../instant.ts';
import type { Enrichment, Indicator } from './indicator.ts';

const LENGTH = 32;

/**
 * A fingerprint of the material fields, 32 hex digits: equal exactly while nothing material changed.
 *
 * Sightings, lastSeen, updatedAt and enrichedAt are left out, since they move with every event. Of validUntil, always a
 * fixed span after lastSeen, only the UTC day counts, and of firstSeen, which older logs that come later move back step
 * by step. Otherwise a busy scanner would send a new version to every reader with every packet.
 */
export function fingerprint(indicator: Indicator): string {
  const { firstSeen, validUntil, enrichment } = indicator;
  // An array, not an object: the order is the same whatever made the indicator, and no text can pass for structure.
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

function enrichmentFields({
  geo,
  asn,
  reverseDns,
  malwareFamilies,
  attackTechniques,
  aiSummary,
  riskScore,
}: Enrichment): unknown[] {
  return [
    geo === undefined ? null : [geo.countryCode, geo.city, geo.latitude, geo.longitude],
    asn === undefined ? null : [asn.number, asn.organization],
    reverseDns,
    malwareFamilies,
    attackTechniques,
    aiSummary,
    riskScore,
  ];
}
