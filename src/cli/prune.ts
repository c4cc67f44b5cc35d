// `tis prune`: moves indicators that are long stale into the archive while the service runs.

import { Command } from 'commander';
import type { Indicator } from '../domain/indicator/indicator.ts';
import { DAY, type Instant, toRfc3339 } from '../domain/instant.ts';
import { prunable, prune } from '../pipeline/prune.ts';
import { openClock } from '../service/clock.ts';
import { pruneParts } from '../service/pipeline.ts';
import { withStores } from '../service/stores.ts';
import type { Stores } from '../store/stores.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { CliError, createStatusLine, printJson, printLine } from './terminal.ts';

const MOST_DAYS = 36_500;
/** Indicators that a dry run prints as JSON. */
const LISTED = 10_000;

interface PruneOptions {
  readonly staleDays: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function pruneCommand(): Command {
  return withStoreSettings(new Command('prune'))
    .description(
      'move indicators that nobody verified into the archive once they are stale for long; new reports bring them back',
    )
    .requiredOption('--stale-days <days>', 'days since the end of their validity')
    .option('--dry-run', 'only list them')
    .option('--json', 'print JSON')
    .action(async (options: PruneOptions, command: Command) => {
      const staleDays = daysOf(options.staleDays);
      const config = configOf(command);
      const asJson = options.json === true;
      await withStores(config, async (stores) => {
        // The clock that decides what is forgotten: a step of the machine's clock archives nothing too early.
        const clock = await openClock(stores);
        const before = clock.memory() - staleDays * DAY;
        if (options.dryRun === true) {
          await list(stores, before, staleDays, asJson);
          return;
        }
        const status = createStatusLine((moved: number) => `${moved} indicators archived`);
        const parts = pruneParts(stores, config, clock.service);
        const pruned = await prune(parts, before, status.update).finally(status.end);
        if (asJson) printJson({ ...pruned, staleDays });
        else {
          printLine(`${pruned.archived} indicators archived that were stale for more than ${staleDays} days`);
          printLine(`${pruned.leftFeed} indicators of earlier runs left the feed`);
        }
      });
    });
}

async function list(stores: Stores, before: Instant, staleDays: number, asJson: boolean): Promise<void> {
  let count = 0;
  const indicators: object[] = [];
  for await (const indicator of prunable(stores, before)) {
    count += 1;
    if (!asJson) printLine(lineOf(indicator));
    else if (indicators.length < LISTED) indicators.push(memberOf(indicator));
  }
  if (asJson) printJson({ toArchive: count, staleDays, indicators });
  else printLine(`${count} indicators are stale for more than ${staleDays} days; nothing was changed`);
}

function lineOf({ type, value, validUntil }: Indicator): string {
  return `${type} ${value}  stale since ${validUntil === undefined ? '' : toRfc3339(validUntil)}`;
}

function memberOf({ id, type, value, validUntil }: Indicator): object {
  return { id, type, value, ...(validUntil === undefined ? {} : { validUntil: toRfc3339(validUntil) }) };
}

function daysOf(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MOST_DAYS) return days;
  throw new CliError(`--stale-days: ${JSON.stringify(text)} is not a whole number from 1 to ${MOST_DAYS}`);
}
