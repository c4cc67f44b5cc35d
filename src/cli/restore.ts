// `tis restore`: copies a backup into an empty data folder.

import { Command } from 'commander';
import { loadDriver } from '../service/stores.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { barOf, createStatusLine, printJson, printLine } from './terminal.ts';

export function restoreCommand(): Command {
  return withStoreSettings(new Command('restore'))
    .description('copy a backup into the data folder, which must be empty')
    .argument('<backup>', 'folder that `tis backup` made')
    .option('--json', 'print one JSON object')
    .action(async (backup: string, options: { json?: boolean }, command: Command) => {
      const { dataDir } = configOf(command);
      const { maintenance } = await loadDriver(dataDir);
      const status = createStatusLine(barOf);
      const { createdAt, files } = await maintenance.restore(backup, status.update).finally(status.end);
      if (options.json === true) printJson({ dataDir, createdAt, files });
      else printLine(`${dataDir} holds the store as of ${createdAt}`);
    });
}
