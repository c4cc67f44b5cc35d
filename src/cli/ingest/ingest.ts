// `tis ingest`: reads sensor logs from files or standard input into the store.

import { Command, Option } from 'commander';
import { ANY_SOURCE, reporterId, shownName } from '../../domain/indicator/source-name.ts';
import { parseCidr } from '../../domain/observable/address.ts';
import { parseTlp } from '../../domain/tlp.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import { vouchedGroup } from '../../pipeline/event-source.ts';
import type { Reporter } from '../../pipeline/reporter.ts';
import { FORMATS } from '../../sensors/detect.ts';
import { createPipeline } from '../../service/pipeline.ts';
import { withNewStores } from '../../service/stores.ts';
import { configOf, withStoreSettings } from '../settings.ts';
import { CliError, printJson, printLine } from '../terminal.ts';
import { explanationLine } from './explanation.ts';
import { ingestFiles } from './ingest-files.ts';
import { printIngestTable, toIngestJson } from './ingest-report.ts';
import { createProgress } from './progress.ts';

/** Reliability of the operator's own sensors. */
const DEFAULT_RELIABILITY = 0.9;

interface IngestOptions {
  readonly format: string;
  readonly source: string;
  readonly reliability: string;
  readonly tlp?: string;
  readonly sensor?: string;
  readonly homeNet: readonly string[];
  readonly json?: boolean;
  readonly explain?: boolean;
  readonly process: boolean;
}

export function ingestCommand(): Command {
  return withStoreSettings(new Command('ingest'))
    .description('read sensor logs (plain or gzip) and store their events')
    .argument('<files...>', 'files; - is standard input')
    .addOption(
      new Option('--format <name>', 'format of the files').choices(['auto', ...FORMATS]).default('auto'),
    )
    .option('--source <name>', 'name of the source of these events', 'local')
    .option('--reliability <0..1>', 'reliability of this source', String(DEFAULT_RELIABILITY))
    .option('--tlp <marking>', 'marking of events without one')
    .option('--sensor <id>', 'sensor id for logs without one')
    .option(
      '--home-net <cidr>',
      'defended network, such as 203.0.113.0/24; may be repeated (default: private networks)',
      withRange,
      [],
    )
    .option('--no-process', 'leave scoring and enrichment to a running service')
    .option(
      '--explain',
      'also print what became of each record and event; with --json one JSON object a line',
    )
    .option('--json', 'print one JSON object')
    .action(async (files: string[], options: IngestOptions, command: Command) => {
      const reporter = reporterOf(options);
      const tlp = options.tlp === undefined ? undefined : markingOf(options.tlp);
      const config = configOf(command);
      await withNewStores(config, async (stores) => {
        const { commands, worker } = await createPipeline(stores, config, options.process);
        const progress = createProgress();
        const report = await ingestFiles(
          files,
          {
            format: options.format,
            ...(tlp === undefined ? {} : { tlp }),
            ...(options.sensor === undefined ? {} : { sensor: options.sensor }),
            homeNet: options.homeNet,
            onProgress: progress.update,
            ...(options.explain === true
              ? {
                  onExplained: (one) =>
                    printLine(options.json === true ? JSON.stringify(one) : explanationLine(one)),
                }
              : {}),
          },
          commands,
          reporter,
        ).finally(progress.end);
        if (options.process) await worker.drain();
        if (options.json === true) printJson(toIngestJson(report));
        else printIngestTable(report);
      });
    });
}

function withRange(text: string, ranges: readonly string[]): readonly string[] {
  if (parseCidr(text) === undefined) {
    throw new CliError(`--home-net: ${JSON.stringify(text)} is not a network (203.0.113.0/24)`);
  }
  return [...ranges, text];
}

function reporterOf(options: IngestOptions): Reporter {
  const reliability = Number(options.reliability);
  if (options.reliability.trim() === '' || !(reliability >= 0 && reliability <= 1)) {
    throw new CliError(`--reliability: ${JSON.stringify(options.reliability)} is not a number from 0 to 1`);
  }
  const id = options.source.trim();
  if (id === '') throw new CliError('--source: the name is empty');
  return {
    account: 'default',
    id: vouchedGroup(id),
    group: vouchedGroup(id),
    source: { id: reporterId(id), name: id, reliability },
    title: shownName(id),
    // The operator may name any source.
    sources: [ANY_SOURCE],
    // The operator of the machine may use every marking.
    ceiling: 'RED',
    isOperator: true,
  };
}

function markingOf(text: string): TlpMarking {
  const marking = parseTlp(text);
  if (marking === undefined)
    throw new CliError(
      `--tlp: ${JSON.stringify(text)} is not a TLP 2.0 marking (CLEAR, GREEN, AMBER, AMBER_STRICT, RED)`,
    );
  return marking;
}
