// `tis jobs`: the queue of the pipeline and its dead letters.

import { Command } from 'commander';
import { ServiceError } from '../domain/errors.ts';
import { toRfc3339 } from '../domain/instant.ts';
import { createRetry } from '../pipeline/retry.ts';
import { openClock } from '../service/clock.ts';
import { withStores } from '../service/stores.ts';
import { indicatorIdFor } from './indicator-arguments.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { printJson, printLine, printTable } from './terminal.ts';

const LIST_LIMIT = 1_000;

export function jobsCommand(): Command {
  return new Command('jobs')
    .description('show the queue of the pipeline and retry dead letters')
    .addCommand(list())
    .addCommand(retry());
}

function list(): Command {
  return withStoreSettings(new Command('list'))
    .description('print the number of waiting jobs and the dead letters')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        const counts = await stores.jobs.counts();
        const dead = await stores.jobs.dead(LIST_LIMIT);
        const deadJobs = dead.map((job) => ({ ...job, queuedAt: toRfc3339(job.queuedAt) }));
        if (options.json === true) {
          const oldest = counts.oldestQueuedAt;
          printJson({
            pending: counts.pending,
            dead: counts.dead,
            ...(oldest === undefined ? {} : { oldestQueuedAt: toRfc3339(oldest) }),
            deadJobs,
          });
          return;
        }
        printLine(`${counts.pending} waiting, ${counts.dead} dead`);
        if (deadJobs.length === 0) return;
        printTable([
          ['indicator', 'tlp', 'attempts', 'queued', 'error'],
          ...deadJobs.map((job) => [
            job.indicatorId,
            job.marking,
            String(job.attempts),
            job.queuedAt,
            job.error,
          ]),
        ]);
      });
    });
}

function retry(): Command {
  return withStoreSettings(new Command('retry'))
    .description('put dead letters back into the queue')
    .argument('[indicator]', 'id, STIX id or value of one indicator (default: all dead letters)')
    .option('--json', 'print JSON')
    .action(async (indicator: string | undefined, options: { json?: boolean }, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        const clock = await openClock(stores);
        const id = indicator && indicatorIdFor(stores.installation.secret, indicator);
        const retryDeadLetters = createRetry({ stores, clock: clock.service });
        const revived = await retryDeadLetters({
          actor: 'cli',
          ...(id === undefined ? {} : { indicatorId: id }),
        });
        if (id !== undefined && revived === 0) {
          throw new ServiceError('not_found', `no dead letter of ${indicator}`, {
            reason: 'INDICATOR_NOT_FOUND',
          });
        }
        if (options.json === true) printJson({ revived });
        else printLine(`${revived} queued again`);
      });
    });
}
