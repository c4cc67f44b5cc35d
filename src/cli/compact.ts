// `tis compact`: deletes old versions from the feed while the service runs.

import { Command } from 'commander';
import { DAY } from '../domain/instant.ts';
import { compactFeed } from '../pipeline/publish.ts';
import { openClock } from '../service/clock.ts';
import { withStores } from '../service/stores.ts';
import { configOf, withFeedSettings } from './settings.ts';
import { CliError, printJson, printLine } from './terminal.ts';

export function compactCommand(): Command {
  return withFeedSettings(new Command('compact'))
    .description(
      'delete versions that were superseded long ago from the feed; the newest version of each object stays',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const config = configOf(command);
      const { keepDays } = config.taxii;
      if (keepDays === undefined) {
        throw new CliError('set TIS_FEED_KEEP_DAYS or --keep-days; without them versions are kept for ever');
      }
      await withStores(config, async (stores) => {
        const clock = await openClock(stores);
        const deleted = await compactFeed(stores, clock.service() - keepDays * DAY);
        if (options.json === true) printJson({ deleted, keepDays });
        else printLine(`${deleted} versions deleted that were superseded more than ${keepDays} days ago`);
      });
    });
}
