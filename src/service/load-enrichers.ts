// The enrichers of an installation, in the order they run. Enrichers with data are imported only if it is configured.

import type { EnrichmentConfig } from '../config.ts';
import { ServiceError } from '../domain/errors.ts';
import { createMalwareFamilyIndex } from '../domain/indicator/malware-family.ts';
import type { Clock } from '../domain/instant.ts';
import { createWarningListIndex } from '../domain/warning-list/warning-list-index.ts';
import type { Enricher } from '../pipeline/enricher.ts';
import { attackTechniques } from '../pipeline/enrichers/attack-techniques.ts';
import { evidenceRisk } from '../pipeline/enrichers/evidence-risk.ts';
import { templateSummary } from '../pipeline/enrichers/template-summary.ts';
import { warningLists } from '../pipeline/enrichers/warning-lists.ts';
import { ConfigError } from '../variables.ts';

type Warn = (message: string) => void;

/**
 * Warning lists run first, because later enrichers use the score and the severity that they limit. The summary runs
 * last, because it reports the findings of the others.
 * @param warn receives a message about data that is skipped.
 * @throws ConfigError naming the variable and the file that cannot be used.
 */
export async function loadEnrichers(
  config: EnrichmentConfig,
  clock: Clock,
  warn: Warn,
): Promise<readonly Enricher[]> {
  const enrichers = [
    await loadWarningLists(config.warningLists, warn),
    await loadGeoLocation(config.geoDatabases),
    await loadAutonomousSystem(config.asnDatabases),
    await loadReverseDns(config.reverseDns, clock),
    await loadMalwareFamilies(config.galaxies),
    attackTechniques(),
    evidenceRisk,
    templateSummary,
  ];
  return enrichers.filter((enricher) => enricher !== undefined);
}

async function loadWarningLists(folders: readonly string[], warn: Warn): Promise<Enricher> {
  const { BUILT_IN_LISTS } = await import('../domain/warning-list/built-in-lists.ts');
  if (folders.length === 0) return warningLists(createWarningListIndex(BUILT_IN_LISTS));
  const { readWarningLists } = await import('../pipeline/enrichers/warning-list-files.ts');
  const { lists, skipped } = await namedBy('TIS_WARNINGLISTS', readWarningLists(folders));
  const index = createWarningListIndex([...BUILT_IN_LISTS, ...lists]);
  if (skipped.length > 0) {
    warn(`skipped ${skipped.length} warning lists of regular expressions: ${skipped.join('; ')}`);
  }
  for (const { name, count } of index.unread) {
    warn(`skipped ${count} entries of the warning list "${name}" that cannot be read`);
  }
  return warningLists(index);
}

async function loadGeoLocation(paths: readonly string[]): Promise<Enricher | undefined> {
  if (paths.length === 0) return undefined;
  const { geoLocation } = await import('../pipeline/enrichers/geo-location.ts');
  return geoLocation(await openDatabases('TIS_GEO_DB', paths));
}

async function loadAutonomousSystem(paths: readonly string[]): Promise<Enricher | undefined> {
  if (paths.length === 0) return undefined;
  const { autonomousSystem } = await import('../pipeline/enrichers/autonomous-system.ts');
  return autonomousSystem(await openDatabases('TIS_ASN_DB', paths));
}

async function openDatabases(variable: string, paths: readonly string[]) {
  const { openAddressDatabase } = await import('../pipeline/enrichers/address-database.ts');
  return namedBy(variable, Promise.all(paths.map(openAddressDatabase)));
}

async function loadReverseDns(
  config: EnrichmentConfig['reverseDns'],
  clock: Clock,
): Promise<Enricher | undefined> {
  if (config === undefined) return undefined;
  const { reverseDns } = await import('../pipeline/enrichers/reverse-dns.ts');
  return reverseDns({ servers: config.servers, clock });
}

async function loadMalwareFamilies(paths: readonly string[]): Promise<Enricher | undefined> {
  if (paths.length === 0) return undefined;
  const { malwareFamilies, readGalaxies } = await import('../pipeline/enrichers/malware-families.ts');
  return malwareFamilies(createMalwareFamilyIndex(await namedBy('TIS_GALAXY', readGalaxies(paths))));
}

async function namedBy<Result>(variable: string, loading: Promise<Result>): Promise<Result> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof ServiceError) throw new ConfigError([`${variable}: ${error.message}`]);
    throw error;
  }
}
