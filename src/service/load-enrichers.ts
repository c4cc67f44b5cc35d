// The enrichers of an installation, with the data its configuration names.

import { ConfigError, type EnrichmentConfig } from '../config.ts';
import { ServiceError } from '../domain/errors.ts';
import { createMalwareFamilyIndex } from '../domain/indicator/malware-family.ts';
import type { Clock } from '../domain/instant.ts';
import { createWarningListIndex } from '../domain/warning-list/warning-list-index.ts';
import type { Enricher } from '../pipeline/enricher.ts';
import { openAddressDatabase } from '../pipeline/enrichers/address-database.ts';
import { autonomousSystem } from '../pipeline/enrichers/autonomous-system.ts';
import { defaultEnrichers } from '../pipeline/enrichers/default-enrichers.ts';
import { readGalaxies } from '../pipeline/enrichers/galaxy-files.ts';
import { geoLocation } from '../pipeline/enrichers/geo-location.ts';
import { malwareFamilies } from '../pipeline/enrichers/malware-families.ts';
import { PUBLIC_RESOLVERS } from '../pipeline/enrichers/public-resolvers.ts';
import { reverseDns } from '../pipeline/enrichers/reverse-dns.ts';
import { readWarningLists } from '../pipeline/enrichers/warning-list-files.ts';
import { warningLists } from '../pipeline/enrichers/warning-lists.ts';

/**
 * Warning lists run first, so that what comes after sees the score and the severity they leave.
 * @param warn is told of what could not be used and does no harm.
 * @throws ConfigError naming the variable and the file that cannot be used.
 */
export async function loadEnrichers(
  config: EnrichmentConfig,
  clock: Clock,
  warn: (message: string) => void,
): Promise<readonly Enricher[]> {
  const enrichers = [await loadWarningLists(config.warningLists, warn)];
  const geo = await namedBy('TIS_GEO_DB', Promise.all(config.geoDatabases.map(openAddressDatabase)));
  if (geo.length > 0) enrichers.push(geoLocation(geo));
  const asn = await namedBy('TIS_ASN_DB', Promise.all(config.asnDatabases.map(openAddressDatabase)));
  if (asn.length > 0) enrichers.push(autonomousSystem(asn));
  if (config.reverseDns !== undefined) {
    enrichers.push(reverseDns({ servers: config.reverseDns.servers, clock }));
  }
  const families = await namedBy('TIS_GALAXY', readGalaxies(config.galaxies));
  if (families.length > 0) enrichers.push(malwareFamilies(createMalwareFamilyIndex(families)));
  return [...enrichers, ...defaultEnrichers()];
}

async function loadWarningLists(
  folders: readonly string[],
  warn: (message: string) => void,
): Promise<Enricher> {
  const { lists, skipped } = await namedBy('TIS_WARNINGLISTS', readWarningLists(folders));
  const index = createWarningListIndex([PUBLIC_RESOLVERS, ...lists]);
  if (skipped.length > 0) {
    warn(`warning lists of regular expressions are not used (${skipped.length}): ${skipped.join('; ')}`);
  }
  for (const { name, count } of index.unread) {
    warn(`entries of the warning list "${name}" that cannot be read: ${count}`);
  }
  return warningLists(index);
}

async function namedBy<Result>(variable: string, loading: Promise<Result>): Promise<Result> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof ServiceError) throw new ConfigError([`${variable}: ${error.message}`]);
    throw error;
  }
}
