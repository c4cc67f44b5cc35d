// `tis work`: a pipeline worker in a process of its own.

import { Command } from 'commander';
import { createPipeline } from '../service/pipeline.ts';
import { withStores } from '../service/stores.ts';
import { printLine } from './output.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { untilStopped } from './signals.ts';

export function workCommand(): Command {
  return withStoreSettings(new Command('work'))
    .description('score, enrich and publish what is queued, until stopped')
    .option('--once', 'stop when nothing is due any more')
    .action(async (options: { once?: boolean }, command: Command) => {
      const config = configOf(command);
      await withStores(config, async (stores) => {
        const { worker } = await createPipeline(stores, config);
        if (options.once === true) {
          printLine(`${await worker.drain()} done`);
        } else {
          await worker.run(untilStopped());
        }
      });
    });
}
