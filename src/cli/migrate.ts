// `tis migrate`: brings the store to the schema of this program. Every command does so when it opens the store;
// this one does nothing else, for operators who want it done before the service starts.

import { Command } from 'commander';
import { loadDriver, systemClock } from '../service/stores.ts';
import { printLine } from './output.ts';
import { configOf, withStoreSettings } from './settings.ts';

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
