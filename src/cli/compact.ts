// `tis compact`: forgets old versions in the feed, beside a running service.

import { Command } from 'commander';
import { systemClock, withStores } from '../compose.ts';
import { DAY } from '../domain/instant.ts';
import { compactFeed } from '../pipeline/compact.ts';
import { CliError } from './errors.ts';
import { printJson, printLine } from './output.ts';
import { configOf, withStoreSettings } from './settings.ts';

export function compactCommand(): Command {
  return withStoreSettings(new Command('compact'))
    .description('delete versions in the feed that were superseded long ago; the newest of an object stays')
    .option('--keep-days <days>', 'how long superseded versions are kept (default TIS_FEED_KEEP_DAYS)')
    .option('--json', 'print JSON')
    .action(async (options: { keepDays?: string; json?: boolean }, command: Command) => {
      const overrides = options.keepDays === undefined ? {} : { TIS_FEED_KEEP_DAYS: options.keepDays };
      const config = configOf(command, overrides);
      const { keepDays } = config.taxii;
      if (keepDays === undefined) {
        throw new CliError('versions are kept for ever: set TIS_FEED_KEEP_DAYS or --keep-days');
      }
      await withStores(config, async (stores) => {
        const deleted = await compactFeed(stores, systemClock() - keepDays * DAY);
        if (options.json === true) printJson({ deleted, keepDays });
        else printLine(`${deleted} versions deleted that were superseded more than ${keepDays} days ago`);
      });
    });
}
