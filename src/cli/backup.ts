// `tis backup`: copies the whole store while the service runs.

import { Command } from 'commander';
import { loadDriver, systemClock } from '../service/stores.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { barOf, createStatusLine, printJson, printLine } from './terminal.ts';

export function backupCommand(): Command {
  return withStoreSettings(new Command('backup'))
    .description('copy the store into a new folder while the service runs; the copy contains its secrets')
    .argument('<folder>', 'target: a new or empty folder')
    .option('--json', 'print one JSON object')
    .action(async (folder: string, options: { json?: boolean }, command: Command) => {
      const { dataDir } = configOf(command);
      const status = createStatusLine(barOf);
      const { maintenance } = await loadDriver(dataDir);
      const { createdAt, files } = await maintenance
        .backUp(folder, systemClock, status.update)
        .finally(status.end);
      if (options.json === true) {
        printJson({ backup: folder, createdAt, files });
        return;
      }
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      printLine(`${folder}: ${files.map(({ name }) => name).join(', ')} as of ${createdAt}, ${bytes} bytes`);
    });
}
