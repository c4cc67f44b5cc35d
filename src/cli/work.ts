// `tis work`: a pipeline worker in its own process.

import { Command } from 'commander';
import { keepClock } from '../service/keep-clock.ts';
import { createLog } from '../service/log.ts';
import { createPipeline, keepPipelineData } from '../service/pipeline.ts';
import { withStores } from '../service/stores.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { printLine, untilStopped } from './terminal.ts';

export function workCommand(): Command {
  return withStoreSettings(new Command('work'))
    .description('score, enrich and publish queued indicators until stopped')
    .option('--once', 'stop when no job is due')
    .action(async (options: { once?: boolean }, command: Command) => {
      const config = configOf(command);
      await withStores(config, async (stores) => {
        const pipeline = await createPipeline(stores, config);
        const { worker, clock } = pipeline;
        if (options.once === true) {
          await pipeline.reviewStored();
          printLine(`${await worker.drain()} done`);
        } else {
          const log = createLog(config);
          const leaveClock = keepClock(clock, { saves: true, reports: true }, log);
          const leaveData = keepPipelineData(pipeline, log);
          const stopping = untilStopped();
          await Promise.all([pipeline.reviewStored(stopping), worker.run(stopping)]);
          await leaveData();
          await leaveClock();
        }
      });
    });
}
