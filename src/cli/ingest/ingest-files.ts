// The work of `tis ingest`: reads logs, hands their events to the pipeline, and counts every record and event.

import assert from 'node:assert/strict';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { Commands } from '../../pipeline/commands.ts';
import type { Reporter } from '../../pipeline/reporter.ts';
import type { ReaderOptions } from '../../sensors/reader.ts';
import { readRecords } from '../../sensors/reader.ts';
import { RecordTally } from '../../sensors/record-tally.ts';
import { EventIntake, EventTally } from './event-intake.ts';
import { Explainer, type Explanation } from './explanation.ts';
import type { FileReport, IngestReport } from './ingest-report.ts';
import { examineLogs, withLog } from './log-input.ts';
import type { IngestProgress } from './progress.ts';

export interface IngestOptions extends ReaderOptions {
  /** A name of FORMATS, or `auto`. */
  readonly format: string;
  /** Marking of events without one. */
  readonly tlp?: TlpMarking;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Gets what became of each record and event, in the order of the files. */
  readonly onExplained?: (explanation: Explanation) => void;
  /** The input that `-` names (default: the standard input of the process). */
  readonly stdin?: AsyncIterable<Uint8Array>;
}

/**
 * Reads the files in order; `-` is standard input. A fault inside a file is counted and does not stop the run.
 *
 * Rejects with a CliError if a file cannot be read, or with the error of `commands` if a batch cannot be stored. Earlier
 * batches stay stored; reading the same files again reports them as duplicates.
 */
export async function ingestFiles(
  files: readonly string[],
  options: IngestOptions,
  commands: Pick<Commands, 'ingest'>,
  reporter: Reporter,
): Promise<IngestReport> {
  const started = performance.now();
  const totalBytes = await examineLogs(files, options.format);
  const stdin = options.stdin ?? process.stdin;
  const intake = new EventIntake(commands, reporter, options.tlp);
  const explainer = options.onExplained === undefined ? undefined : new Explainer(options.onExplained);
  let bytes = 0;
  const onBytes = (count: number): void => {
    bytes += count;
    options.onProgress?.({ bytes, totalBytes, events: intake.events });
  };

  const reports: (() => FileReport)[] = [];
  for (const file of files) {
    const records = new RecordTally();
    const events = new EventTally();
    await withLog(file, options.format, stdin, onBytes, async (log) => {
      reports.push(() => reportOf(file, log.format.name, records, events));
      for await (const results of readRecords(log.bytes, log.format, options)) {
        for (const result of results) {
          records.add(result);
          if (result.kind === 'events') {
            for (const event of result.events) {
              if (intake.add(event, events, explainer?.event(file, result.line, event)))
                await intake.send(events);
            }
          } else {
            explainer?.record(file, result);
          }
          if (explainer?.isFull) {
            await intake.send(events);
            await intake.finish();
          }
        }
        // Events from a pipe, such as a followed log, do not wait until a batch is full.
        if (totalBytes === undefined && intake.isIdle) await intake.send(events);
      }
    });
    await intake.send(events);
  }
  await intake.finish();
  return { files: reports.map((report) => report()), seconds: (performance.now() - started) / 1_000 };
}

function reportOf(file: string, format: string, records: RecordTally, tally: EventTally): FileReport {
  const { events, accepted, duplicates, refused } = tally;
  // Fails if an answer of the pipeline lacks a result.
  assert.equal(accepted + duplicates + refused, events, `${file}: events are not all accounted for`);
  return {
    file,
    format,
    records: records.records,
    recordsWithEvents: records.withEvents,
    recordsWithoutObservable: records.withoutObservable,
    recordsRefused: records.refused,
    refusedRecords: records.reasons,
    events,
    accepted,
    duplicates,
    refused,
    refusedEvents: tally.reasons,
  };
}
