// `tis check`: reads the store and reports damage. The exit code is 1 if there is any.

import { Command } from 'commander';
import { ServiceError } from '../domain/errors.ts';
import { loadDriver, systemClock } from '../service/stores.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { barOf, createStatusLine, printJson, printLine, printMessage } from './terminal.ts';

export function checkCommand(): Command {
  return withStoreSettings(new Command('check'))
    .description('read the whole store, or a backup given as --data-dir, and print every problem')
    .option('--json', 'print one JSON object')
    .option(
      '--new-usage',
      'start metered use anew where usage.db is missing or damaged; what it held is lost',
    )
    .action(async (options: { json?: boolean; newUsage?: boolean }, command: Command) => {
      const { dataDir } = configOf(command);
      const { maintenance } = await loadDriver(dataDir);
      if (options.newUsage === true) {
        const kept = await maintenance.renewUsage(systemClock);
        printMessage(
          kept === undefined ? 'made a new usage.db' : `made a new usage.db; the old one is ${kept}`,
        );
      }
      const status = createStatusLine(barOf);
      const report = await maintenance.check(status.update).finally(status.end);
      if (options.json === true) {
        printJson(report);
      } else {
        const archived = report.archived === 0 ? '' : `, ${report.archived} archived`;
        printLine(
          `${report.indicators} indicators${archived}, ${report.feedVersions} versions in the feed in ${dataDir}`,
        );
        for (const { rule, subject } of report.problems) printLine(`${rule}: ${subject}`);
        if (report.ok) printLine('everything is in order');
      }
      if (report.ok) return;
      // The lines above name the damage and the way out.
      const many = report.problemCount === 1 ? '1 problem' : `${report.problemCount} problems`;
      throw new ServiceError('failed_precondition', `${many} found in ${dataDir}`, {
        reason: 'STORE_DAMAGED',
      });
    });
}
