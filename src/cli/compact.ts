// `tis compact`: forgets old versions in the feed, beside a running service.

import { Command } from 'commander';
import { DAY } from '../domain/instant.ts';
import { compactFeed } from '../pipeline/compact.ts';
import { systemClock, withStores } from '../service/stores.ts';
import { CliError } from './errors.ts';
import { printJson, printLine } from './output.ts';
import { configOf, withFeedSettings } from './settings.ts';

export function compactCommand(): Command {
  return withFeedSettings(new Command('compact'))
    .description('delete versions in the feed that were superseded long ago; the newest of an object stays')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const config = configOf(command);
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
