// `tis indicators`: acts of an operator on single indicators.

import { Command } from 'commander';
import type { Config } from '../config.ts';
import { toRfc3339 } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { openClock } from '../service/clock.ts';
import { createOperatorActs } from '../service/pipeline.ts';
import { withStores } from '../service/stores.ts';
import type { Stores } from '../store/stores.ts';
import { indicatorIdFor, markingOption } from './indicator-arguments.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { printJson, printLine } from './terminal.ts';

export function indicatorsCommand(): Command {
  return new Command('indicators')
    .description('withdraw indicators, or change their marking')
    .addCommand(revoke())
    .addCommand(mark());
}

interface ActOptions {
  readonly note: string;
  readonly json?: boolean;
}

function act(name: string): Command {
  return withStoreSettings(new Command(name))
    .argument('<indicator>', 'id, STIX id, or value (defanged or not)')
    .option('--note <text>', 'reason, for the audit log', '')
    .option('--json', 'print JSON');
}

async function operatorActs(stores: Stores, config: Config) {
  return createOperatorActs(stores, config, (await openClock(stores)).service);
}

function revoke(): Command {
  return act('revoke')
    .description('withdraw an indicator: the feed revokes it and publishes nothing more about it')
    .action(async (given: string, options: ActOptions, command: Command) => {
      const config = configOf(command);
      await withStores(config, async (stores) => {
        const { revoke } = await operatorActs(stores, config);
        const indicatorId = indicatorIdFor(stores.installation.secret, given);
        const revokedAt = toRfc3339(await revoke({ indicatorId, actor: 'cli', note: options.note }));
        if (options.json === true) printJson({ id: indicatorId, revokedAt });
        else printLine(`${indicatorId} was withdrawn at ${revokedAt}`);
      });
    });
}

function mark(): Command {
  return act('mark')
    .description('give all reports of an indicator one TLP marking')
    .requiredOption('--tlp <marking>', 'CLEAR, GREEN, AMBER, AMBER_STRICT or RED', markingOption)
    .action(async (given: string, options: ActOptions & { tlp: TlpMarking }, command: Command) => {
      const config = configOf(command);
      await withStores(config, async (stores) => {
        const { mark } = await operatorActs(stores, config);
        const indicatorId = indicatorIdFor(stores.installation.secret, given);
        const { tlp, note } = options;
        const changed = await mark({ indicatorId, actor: 'cli', tlp, note });
        if (options.json === true) printJson({ id: indicatorId, tlp, changed });
        else printLine(changed ? `${indicatorId} is ${tlp} now` : `${indicatorId} was ${tlp} already`);
      });
    });
}
