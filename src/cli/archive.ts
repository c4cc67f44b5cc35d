// `tis archive`: prints what `tis prune` has archived.

import { Command } from 'commander';
import { ServiceError } from '../domain/errors.ts';
import { toRfc3339 } from '../domain/instant.ts';
import { withStores } from '../service/stores.ts';
import type { ArchivedIndicator } from '../store/archive.ts';
import { encodeRecord } from '../store/record-codec.ts';
import type { Stores } from '../store/stores.ts';
import { indicatorIdFor } from './indicator-arguments.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { printLine } from './terminal.ts';

export function archiveCommand(): Command {
  return withStoreSettings(new Command('archive'))
    .description('print archived indicators, in the order of their creation')
    .argument('[indicator]', 'only this one: id, STIX id, or value (defanged or not)')
    .option('--json', 'print each as one line of JSON, with its whole record')
    .action(async (indicator: string | undefined, options: { json?: boolean }, command: Command) => {
      const print = options.json === true ? printRecord : printSummary;
      await withStores(configOf(command), async (stores) => {
        if (indicator === undefined) for await (const one of stores.archive.each()) print(one);
        else for (const one of await find(stores, indicator)) print(one);
      });
    });
}

async function find(
  { archive, installation }: Stores,
  indicator: string,
): Promise<readonly ArchivedIndicator[]> {
  const found = await archive.get(indicatorIdFor(installation.secret, indicator));
  if (found.length > 0) return found;
  throw new ServiceError('not_found', `not in the archive: ${indicator}`, { reason: 'INDICATOR_NOT_FOUND' });
}

function printSummary({ record, archivedAt }: ArchivedIndicator): void {
  const { id, type, value, lastSeen, tlp } = record.indicator;
  printLine(
    `${id}  ${type} ${value}  ${tlp}  last seen ${toRfc3339(lastSeen)}  archived ${toRfc3339(archivedAt)}`,
  );
}

function printRecord({ record }: ArchivedIndicator): void {
  printLine(encodeRecord(record));
}
