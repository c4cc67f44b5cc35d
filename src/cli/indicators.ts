// `tis indicators`: acts of an operator on single indicators.

import { Command } from 'commander';
import { toRfc3339 } from '../domain/instant.ts';
import { createRevocation } from '../service/pipeline.ts';
import { withStores } from '../service/stores.ts';
import { indicatorIdOf } from '../stix/objects/stix-object.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { printJson, printLine } from './terminal.ts';

export function indicatorsCommand(): Command {
  return new Command('indicators').description('withdraw indicators').addCommand(revoke());
}

function revoke(): Command {
  return withStoreSettings(new Command('revoke'))
    .description('withdraw an indicator: the feed revokes it and publishes nothing more about it')
    .argument('<id>', 'id of the indicator, or its STIX id')
    .option('--note <text>', 'reason, for the audit log', '')
    .option('--json', 'print JSON')
    .action(async (given: string, options: { note: string; json?: boolean }, command: Command) => {
      const config = configOf(command);
      // Readers of the feed know an indicator by its STIX id.
      const id = indicatorIdOf(given) ?? given;
      await withStores(config, async (stores) => {
        const revoke = await createRevocation(stores, config);
        const revokedAt = toRfc3339(await revoke({ indicatorId: id, actor: 'cli', note: options.note }));
        if (options.json === true) printJson({ id, revokedAt });
        else printLine(`${id} was withdrawn at ${revokedAt}`);
      });
    });
}
