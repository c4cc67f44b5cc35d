// `tis verify`, `tis dispute`, `tis note`: the word of the operator of the store on one indicator.

import { Command, InvalidArgumentError } from 'commander';
import { standingOf } from '../domain/indicator/computed-labels.ts';
import { HUMAN_TEXT_LIMIT } from '../domain/indicator/human-act.ts';
import type { Indicator } from '../domain/indicator/indicator.ts';
import { toRfc3339 } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { HumanActRequest } from '../pipeline/human-act.ts';
import { openClock } from '../service/clock.ts';
import { createOperatorActs } from '../service/pipeline.ts';
import { withStores } from '../service/stores.ts';
import { indicatorIdFor, markingOption } from './indicator-arguments.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { CliError, printJson, printLine } from './terminal.ts';

interface JudgeOptions {
  readonly reason?: string;
  readonly undo?: boolean;
  readonly as?: string;
  readonly tlp?: TlpMarking;
  readonly json?: boolean;
}

type Acts = ReturnType<typeof createOperatorActs>;

export function verifyCommand(): Command {
  return judging('verify', 'confirm an ENRICHED indicator')
    .option('--reason <text>', 'why, for the history', textOption)
    .action(async (given: string, options: JudgeOptions, command: Command) => {
      await judge(command, given, options, options.reason ?? '', (acts, request) => acts.verify(request));
    });
}

export function disputeCommand(): Command {
  return judging('dispute', 'say that an indicator is wrong: confidence 0, valid until now, out of searches')
    .option('--reason <text>', 'why; needed unless --undo is given', textOption)
    .option('--undo', 'take the dispute back')
    .action(async (given: string, options: JudgeOptions, command: Command) => {
      const { reason = '', undo = false } = options;
      if (!undo && reason.trim() === '') throw new CliError('--reason: say why the indicator is wrong');
      await judge(command, given, options, reason, (acts, request) => acts.dispute({ ...request, undo }));
    });
}

export function noteCommand(): Command {
  return judging('note', 'write a note on an indicator')
    .argument('<text>', 'the note', textOption)
    .action(async (given: string, text: string, options: JudgeOptions, command: Command) => {
      await judge(command, given, options, text, (acts, request) => acts.addNote(request));
    });
}

function judging(name: string, says: string): Command {
  return withStoreSettings(new Command(name))
    .description(says)
    .argument('<indicator>', 'id, STIX id, or value (defanged or not)')
    .option('--as <name>', 'who says it, for the history and the audit log (default: cli)', actorOption)
    .option(
      '--tlp <marking>',
      'who may read the words (default: the marking of the indicator)',
      markingOption,
    )
    .option('--json', 'print JSON');
}

async function judge(
  command: Command,
  given: string,
  { as: name, tlp = 'UNSPECIFIED', json }: JudgeOptions,
  note: string,
  act: (acts: Acts, request: HumanActRequest) => Promise<string>,
): Promise<void> {
  const config = configOf(command);
  await withStores(config, async (stores) => {
    const acts = createOperatorActs(stores, config, (await openClock(stores)).service);
    const indicatorId = indicatorIdFor(stores.installation.secret, given);
    const actor = name === undefined ? 'cli' : `cli:${name}`;
    await act(acts, { indicatorId, actor, ceiling: 'RED', note, tlp });
    const record = await stores.indicators.record(indicatorId, 'RED');
    if (record !== undefined) print(record.indicator, actor, json === true);
  });
}

function print(indicator: Indicator, actor: string, isJson: boolean): void {
  const { id, type, value, state, confidenceScore, validUntil } = indicator;
  const standing = standingOf(indicator);
  const end = validUntil === undefined ? undefined : toRfc3339(validUntil);
  if (isJson) printJson({ id, type, value, state, standing, confidenceScore, validUntil: end, actor });
  else {
    const until = end === undefined ? '' : `, valid until ${end}`;
    printLine(`${type} ${value}: ${state}, ${standing}, confidence ${confidenceScore}${until}`);
  }
}

function textOption(text: string): string {
  if (text.trim() === '' || [...text].length > HUMAN_TEXT_LIMIT || text.includes('\0'))
    throw new InvalidArgumentError(`Write 1 to ${HUMAN_TEXT_LIMIT} characters.`);
  return text;
}

function actorOption(text: string): string {
  if (!/^\S(?:.{0,98}\S)?$/u.test(text) || /\p{C}/u.test(text))
    throw new InvalidArgumentError('Write 1 to 100 printable characters.');
  return text;
}
