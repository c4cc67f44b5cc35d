// The report of `tis ingest`: one JSON object for programs, a table for people.

import type { RefusedRecords } from '../../sensors/record-tally.ts';
import { printLine, printTable } from '../terminal.ts';

/** records = recordsWithEvents + recordsWithoutObservable + recordsRefused; events = accepted + duplicates + refused. */
export interface IngestCounts {
  readonly records: number;
  readonly recordsWithEvents: number;
  readonly recordsWithoutObservable: number;
  readonly recordsRefused: number;
  readonly events: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
}

export interface FileReport extends IngestCounts {
  /** As given on the command line; `-` is standard input. */
  readonly file: string;
  readonly format: string;
  /** Records that the reader refused, by reason, with line numbers. */
  readonly refusedRecords: ReadonlyMap<string, RefusedRecords>;
  /** Events that the pipeline refused, by reason. */
  readonly refusedEvents: ReadonlyMap<string, number>;
}

export interface IngestReport {
  readonly files: readonly FileReport[];
  readonly seconds: number;
}

const COUNTS = [
  'records',
  'recordsWithEvents',
  'recordsWithoutObservable',
  'recordsRefused',
  'events',
  'accepted',
  'duplicates',
  'refused',
] as const satisfies readonly (keyof IngestCounts)[];

const HEAD = [
  'FILE',
  'FORMAT',
  'RECORDS',
  'WITHOUT OBSERVABLE',
  'REFUSED RECORDS',
  'EVENTS',
  'ACCEPTED',
  'DUPLICATES',
  'REFUSED EVENTS',
];

function totalOf(files: readonly IngestCounts[]): IngestCounts {
  const total = Object.fromEntries(COUNTS.map((name) => [name, sum(files.map((file) => file[name]))]));
  return total as Record<(typeof COUNTS)[number], number>;
}

/**
 * The object of `--json`: counts, both kinds of refusals by reason, and seconds. Each file has the same, with the first ten
 * refused line numbers for each reason.
 */
export function toIngestJson(report: IngestReport): Readonly<Record<string, unknown>> {
  const { files, seconds } = report;
  return {
    ...totalOf(files),
    refusedRecords: byReason(files.flatMap((file) => [...file.refusedRecords].map(countOf))),
    refusedEvents: byReason(files.flatMap((file) => [...file.refusedEvents])),
    seconds: rounded(seconds),
    files: files.map((file) => ({
      file: file.file,
      format: file.format,
      ...totalOf([file]),
      refusedRecords: byReason([...file.refusedRecords].map(countOf)),
      refusedRecordLines: Object.fromEntries(
        [...file.refusedRecords].map(([reason, { lines }]) => [reason, lines]),
      ),
      refusedEvents: byReason([...file.refusedEvents]),
    })),
  };
}

/** A row for each file, a total for several files, and a line for each reason of refusal. */
export function printIngestTable(report: IngestReport): void {
  const { files, seconds } = report;
  const total = totalOf(files);
  printTable([
    HEAD,
    ...files.map((file) => row(file.file, file.format, file)),
    ...(files.length > 1 ? [row('total', '', total)] : []),
  ]);
  for (const { file, refusedRecords, refusedEvents } of files) {
    for (const [reason, { count, lines, detail }] of refusedRecords) {
      const more = count > lines.length ? ', …' : '';
      const first = detail === undefined ? '' : `: ${detail}`;
      printLine(`${file}: refused records, ${reason}: ${count} (line ${lines.join(', ')}${more})${first}`);
    }
    for (const [reason, count] of refusedEvents) {
      printLine(`${file}: refused events, ${reason}: ${count}`);
    }
  }
  const rate = seconds > 0 ? `, ${Math.round(total.events / seconds)} events/s` : '';
  printLine(`${total.events} events in ${rounded(seconds)} s${rate}`);
}

function row(name: string, format: string, counts: IngestCounts): string[] {
  const shown = [
    counts.records,
    counts.recordsWithoutObservable,
    counts.recordsRefused,
    counts.events,
    counts.accepted,
    counts.duplicates,
    counts.refused,
  ];
  return [name, format, ...shown.map(String)];
}

function countOf([reason, { count }]: [string, RefusedRecords]): [string, number] {
  return [reason, count];
}

function byReason(counts: readonly (readonly [reason: string, count: number])[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [reason, count] of counts) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return Object.fromEntries([...sums].sort(([, a], [, b]) => b - a));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
