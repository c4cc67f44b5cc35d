// `tis model`: trains the risk model from verdicts and from names that the user has.

import { rm } from 'node:fs/promises';
import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import {
  makeIncomingFolder,
  readInstalled,
  removeInstalled,
  swapIn,
} from '../pipeline/data-sets/installed-data.ts';
import { readSources } from '../pipeline/risk/labelled-sources.ts';
import { readCard, TRAINED, writeModel } from '../pipeline/risk/risk-model.ts';
import { LEAST_VERDICTS } from '../pipeline/risk/train-evidence.ts';
import { type Training, trainModel } from '../pipeline/risk/train-model.ts';
import { readVerdicts, type StoredVerdict } from '../pipeline/risk/verdicts.ts';
import { loadDriver, systemClock, withStores } from '../service/stores.ts';
import { markingOption } from './indicator-arguments.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { barOf, CliError, createStatusLine, printJson, printLine, printText } from './terminal.ts';

export function modelCommand(): Command {
  return new Command('model')
    .description('train the risk model from verdicts and from lists of names')
    .addCommand(train())
    .addCommand(show())
    .addCommand(remove());
}

interface TrainOptions {
  readonly bad?: readonly string[];
  readonly good?: readonly string[];
  readonly ceiling: TlpMarking;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

function train(): Command {
  return withStoreSettings(new Command('train'))
    .description('train and install a risk model, and print its model card')
    .option('--bad <paths...>', 'files and folders with bad names; each file or subfolder is a source')
    .option('--good <paths...>', 'files and folders with good names, such as lists of popular sites')
    .option(
      '--ceiling <tlp>',
      'learn from verdicts on indicators up to this marking; all readers see the scores',
      markingOption,
      'GREEN',
    )
    .option('--dry-run', 'print the card, and install nothing')
    .option('--json', 'print JSON')
    .action(async (options: TrainOptions, command: Command) => {
      const config = configOf(command);
      const { bad = [], good = [], ceiling } = options;
      if ((bad.length === 0) !== (good.length === 0)) throw new CliError('name both: --bad and --good');
      const sources = [...(await readSources(bad, true)), ...(await readSources(good, false))];
      if (bad.length > 0 && new Set(sources.map(({ isBad }) => isBad)).size < 2)
        throw new CliError('--bad and --good: one of them has no names of hosts');
      const verdicts = await verdictsOf(config, ceiling);
      const line = createStatusLine<number>((share) => `${barOf(share)} training`);
      const now = systemClock();
      const training = trainModel(sources, verdicts, ceiling, now, (done, all) => line.update(done / all));
      line.end();
      const { confirmed, refuted } = training.evidence;
      if (training.model.lexical === undefined && Math.min(confirmed, refuted) < LEAST_VERDICTS)
        throw new CliError(
          `nothing to learn from: ${confirmed} confirmed and ${refuted} disputed indicators (${LEAST_VERDICTS} of each are needed), and neither --bad nor --good`,
        );
      if (options.dryRun !== true) await install(config, training, now);
      if (options.json === true) printJson(jsonOf(training));
      else printText(training.card);
    });
}

/** None if there is no store: names can be learned without one. */
async function verdictsOf(config: Config, ceiling: TlpMarking): Promise<readonly StoredVerdict[]> {
  if (!(await (await loadDriver(config.dataDir)).exists())) return [];
  return withStores(config, (stores) => readVerdicts(stores, ceiling));
}

async function install({ dataDir }: Config, { model, card }: Training, now: number): Promise<void> {
  const incoming = await makeIncomingFolder(dataDir);
  try {
    await writeModel(incoming, model, card);
    const provenance = { name: TRAINED, version: model.version, builtAt: now };
    await swapIn(dataDir, 'model', incoming, provenance, now);
  } catch (error) {
    await rm(incoming, { recursive: true, force: true });
    throw error;
  }
}

function jsonOf({ model, evidence, lexical }: Training): object {
  return {
    name: TRAINED,
    version: model.version,
    weights: model.evidence,
    verdicts: evidence,
    ...(lexical === undefined ? {} : { names: lexical }),
  };
}

function show(): Command {
  return withStoreSettings(new Command('show'))
    .description('print the card of the installed model')
    .action(async (_options: unknown, command: Command) => {
      const installed = await readInstalled(configOf(command).dataDir);
      const model = installed.find(({ kind }) => kind === 'model');
      if (model === undefined)
        printLine(
          'no model is installed; the risk score is evidence-logistic 1, whose weights are set by hand',
        );
      else printText(await readCard(model.path));
    });
}

function remove(): Command {
  return withStoreSettings(new Command('remove'))
    .description('remove the installed model; the weights set by hand apply again')
    .action(async (_options: unknown, command: Command) => {
      const removed = await removeInstalled(configOf(command).dataDir, 'model', systemClock());
      printLine(removed ? 'the model is removed' : 'no model is installed');
    });
}
