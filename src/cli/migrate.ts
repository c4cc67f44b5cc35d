// `tis migrate`: brings the store to the schema of this program. Every command does so when it opens the store. This one does
// nothing else, so an operator can migrate before the service starts.

import { Command } from 'commander';
import { loadDriver, systemClock } from '../service/stores.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { printLine } from './terminal.ts';

export function migrateCommand(): Command {
  return withStoreSettings(new Command('migrate'))
    .description('create the store or bring its schema up to date')
    .action(async (_options: unknown, command: Command) => {
      const { dataDir } = configOf(command);
      const { maintenance } = await loadDriver(dataDir);
      await maintenance.migrate(systemClock);
      printLine(`the store in ${dataDir} is up to date`);
    });
}
