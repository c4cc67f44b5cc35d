// The enrichers of an installation, in the order they run. Enrichers with data are imported only if it is configured.

import type { Config, EnrichmentConfig } from '../config.ts';
import { ServiceError } from '../domain/errors.ts';
import { createMalwareFamilyIndex } from '../domain/indicator/malware-family.ts';
import type { Clock } from '../domain/instant.ts';
import { createWarningListIndex } from '../domain/warning-list/warning-list-index.ts';
import type { InstalledData } from '../pipeline/data-sets/installed-data.ts';
import type { DataKind } from '../pipeline/data-sets/kinds.ts';
import type { Enricher } from '../pipeline/enricher.ts';
import type { AddressDatabase } from '../pipeline/enrichers/address-database.ts';
import { attackTechniques } from '../pipeline/enrichers/attack-techniques.ts';
import { evidenceRisk, riskOf } from '../pipeline/enrichers/evidence-risk.ts';
import { templateSummary } from '../pipeline/enrichers/summary/template-summary.ts';
import { warningLists } from '../pipeline/enrichers/warning-lists.ts';
import { ConfigError } from '../variables.ts';
import {
  createInstalledEnrichers,
  createSlot,
  type EnricherSlot,
  type InstalledEnrichers,
  type LoadInstalled,
} from './installed-enrichers.ts';
import { readSecret } from './secret-file.ts';

type Warn = (message: string) => void;

export interface LoadedEnrichers {
  readonly enrichers: readonly Enricher[];
  readonly installed: InstalledEnrichers;
}

/**
 * Warning lists run first, because later enrichers use the score and the severity that they limit. The summaries run
 * last, because they report the findings of the others. What no variable names comes from the installed data.
 * @param warn receives a message about data that is skipped.
 * @throws ConfigError naming the variable and the file that cannot be used.
 */
export async function loadEnrichers(
  { enrichment: config, dataDir }: Pick<Config, 'enrichment' | 'dataDir'>,
  clock: Clock,
  warn: Warn,
): Promise<LoadedEnrichers> {
  const slots: EnricherSlot[] = [];
  const slot = (name: string, kinds: readonly DataKind[], load: LoadInstalled): Enricher => {
    const made = createSlot(name, kinds, load);
    slots.push(made);
    return made.enricher;
  };
  const enrichers = [
    (await loadWarningLists(config.warningLists, warn)) ??
      slot('warning-list', ['warninglists'], ([data]) => installedWarningLists(data, warn)),
    (await loadGeoLocation(config.geoDatabases)) ?? slot('geo-location', ['city', 'country'], installedGeo),
    (await loadAutonomousSystem(config.asnDatabases)) ?? slot('autonomous-system', ['asn'], installedAsn),
    await loadReverseDns(config.reverseDns, clock),
    (await loadMalwareFamilies(config.galaxies)) ?? slot('malware-families', ['galaxies'], installedFamilies),
    attackTechniques(),
    slot('evidence-risk', ['model'], installedRisk),
    templateSummary,
    await loadModelSummary(config.summary, clock),
  ];
  const installed = createInstalledEnrichers(dataDir, slots, clock, warn);
  await installed.refresh();
  return { enrichers: enrichers.filter((enricher) => enricher !== undefined), installed };
}

async function loadWarningLists(folders: readonly string[], warn: Warn): Promise<Enricher | undefined> {
  return folders.length === 0 ? undefined : namedBy('TIS_WARNINGLISTS', warningListsOf(folders, warn));
}

function installedWarningLists(data: InstalledData | undefined, warn: Warn): Promise<Enricher> {
  return warningListsOf(data === undefined ? [] : [data.path], warn);
}

/** The built-in lists, and those of the folders. */
async function warningListsOf(folders: readonly string[], warn: Warn): Promise<Enricher> {
  const { BUILT_IN_LISTS } = await import('../domain/warning-list/built-in-lists.ts');
  if (folders.length === 0) return warningLists(createWarningListIndex(BUILT_IN_LISTS));
  const { readWarningLists } = await import('../pipeline/enrichers/warning-list-files.ts');
  const { lists, skipped } = await readWarningLists(folders);
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

/** A city is the better answer. It comes first, whatever the order of the installations. */
async function installedGeo(data: readonly InstalledData[]): Promise<Enricher | undefined> {
  const databases = await openInstalled(data);
  if (databases.length === 0) return undefined;
  const { geoLocation } = await import('../pipeline/enrichers/geo-location.ts');
  return geoLocation(databases);
}

async function installedAsn(data: readonly InstalledData[]): Promise<Enricher | undefined> {
  const databases = await openInstalled(data);
  if (databases.length === 0) return undefined;
  const { autonomousSystem } = await import('../pipeline/enrichers/autonomous-system.ts');
  return autonomousSystem(databases);
}

async function openInstalled(data: readonly InstalledData[]): Promise<readonly AddressDatabase[]> {
  if (data.length === 0) return [];
  const { addressFilesIn, openAddressFiles } = await import('../pipeline/data-sets/address-data.ts');
  const opened: AddressDatabase[] = [];
  for (const { path, name, builtAt } of data)
    opened.push(...(await openAddressFiles(await addressFilesIn(path), name, builtAt)));
  return opened;
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

async function loadModelSummary(
  config: EnrichmentConfig['summary'],
  clock: Clock,
): Promise<Enricher | undefined> {
  if (config === undefined) return undefined;
  const { url, model, keyFile, ceiling } = config;
  const { modelSummary } = await import('../pipeline/enrichers/summary/model-summary.ts');
  const key = keyFile === undefined ? config.key : await readSecret('TIS_SUMMARY_KEY_FILE', keyFile);
  return modelSummary({ url, model, ceiling, clock, ...(key === undefined ? {} : { key }) });
}

async function loadMalwareFamilies(paths: readonly string[]): Promise<Enricher | undefined> {
  if (paths.length === 0) return undefined;
  const { malwareFamilies, readGalaxies } = await import('../pipeline/enrichers/malware-families.ts');
  return malwareFamilies(createMalwareFamilyIndex(await namedBy('TIS_GALAXY', readGalaxies(paths))));
}

async function installedFamilies([data]: readonly InstalledData[]): Promise<Enricher | undefined> {
  if (data === undefined) return undefined;
  const { malwareFamilies, readGalaxies } = await import('../pipeline/enrichers/malware-families.ts');
  return malwareFamilies(createMalwareFamilyIndex(await readGalaxies([data.path])));
}

async function installedRisk([data]: readonly InstalledData[]): Promise<Enricher> {
  if (data === undefined) return evidenceRisk;
  const { readModel } = await import('../pipeline/risk/risk-model.ts');
  return riskOf(await readModel(data.path));
}

async function namedBy<Result>(variable: string, loading: Promise<Result>): Promise<Result> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof ServiceError) throw new ConfigError([`${variable}: ${error.message}`]);
    throw error;
  }
}
