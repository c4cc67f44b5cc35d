// Sensor formats: what a format provides, and how its bytes become one result per record.

import type { SensorEvent } from '../domain/indicator/sensor-event.ts';

/** Why a line cannot be read as text; the reader refuses the record it belongs to under this name. */
export type LineFault = 'LINE_TOO_LONG' | 'NUL_BYTE' | 'INVALID_UTF8' | 'DAMAGED_GZIP' | 'READ_FAILED';

/** Why a record is refused. Programs branch on these names, so a name keeps its meaning. */
export type RefusalReason =
  | LineFault
  | 'INVALID_JSON'
  /** A JSON object of another kind of log. */
  | `NOT_A${'' | 'N'}_${Uppercase<string>}_RECORD`
  | 'DAMAGED_RECORD'
  | 'RECORD_TOO_LONG'
  | 'INVALID_TIMESTAMP'
  | 'MISSING_TIMESTAMP'
  | 'INVALID_ADDRESS'
  | 'MISSING_ADDRESS'
  /** The peer is the sensor itself, or an address of the named home network. */
  | 'SENSOR_ADDRESS'
  | 'INVALID_SENSOR_ID'
  /** Conpot's text log: lines before the first time, and a message of a session that the log did not open. */
  | 'NO_TIMESTAMP'
  | 'UNKNOWN_SESSION'
  /** Suricata: neither end of the connection is in the home network. */
  | 'UNKNOWN_DIRECTION'
  /** Zeek's text logs. */
  | 'NO_COLUMN_NAMES'
  | 'WRONG_COLUMN_COUNT'
  /** Sensor events, by the field at fault. */
  | 'DUPLICATE_FIELD'
  | 'MISSING_SENSOR_ID'
  | 'MISSING_VALUE'
  | 'MISSING_OBSERVED_AT'
  | 'INVALID_EVENT_ID'
  | 'INVALID_SENSOR_TYPE'
  | 'INVALID_PROTOCOL'
  | 'INVALID_INDICATOR_TYPE'
  | 'INVALID_VALUE'
  | 'INVALID_OBSERVED_AT'
  | 'INVALID_COUNT'
  | 'INVALID_SOURCE'
  | 'INVALID_CATEGORIES'
  | 'INVALID_SEVERITY'
  | 'INVALID_TAGS'
  | 'INVALID_LABELS'
  | 'INVALID_TLP'
  | 'INVALID_EVIDENCE';

/** One line without its terminator, or whatever piece of the input the framing of a format cuts. */
export interface Line {
  /** Empty when there is a fault. */
  readonly text: string;
  /** From 1, of the first line of the piece. */
  readonly number: number;
  readonly fault?: LineFault;
}

/**
 * What became of one record; `line` is the number of its first line.
 * - `events`: it shows at least one observable.
 * - `withoutObservable`: well-formed, and nothing in it to report (a server starting, a response, a stack trace).
 * - `refused`: it cannot be used.
 */
export type RecordResult =
  | { readonly kind: 'events'; readonly line: number; readonly events: readonly SensorEvent[] }
  | { readonly kind: 'withoutObservable'; readonly line: number }
  | RefusedRecord;

export interface RefusedRecord {
  readonly kind: 'refused';
  readonly line: number;
  readonly reason: RefusalReason;
  /** What is wrong in words, where the reader knows more than the reason: `tags[1]: must not be empty`. */
  readonly detail?: string;
}

/**
 * Reads one input from its first line to its last, and keeps whatever state the format needs between records:
 * sessions, the columns of a header, the lines of a record that is still open.
 *
 * Every record yields exactly one result, so that records = with events + without observable + refused. What is no
 * record (a blank line, a header) yields none. A reader never throws, whatever the input.
 */
export interface RecordReader {
  /** Takes the next line; the result is that of the record it completes, if it completes one. */
  read(line: Line): RecordResult | undefined;
  /** The input has ended: the result of a record that was still open. */
  end(): RecordResult | undefined;
}

export interface ReaderOptions {
  /** Name of the sensor for records that carry none. */
  readonly sensor?: string;
  /** Ranges in CIDR form that are defended, for logs that have both ends of a connection; see home-net.ts. */
  readonly homeNet?: readonly string[];
}

/**
 * Cuts bytes into the pieces a reader takes, some at a time. Lines for most formats; the elements of an array for a
 * format that writes all its records as one JSON array. Never throws: a source that fails ends with a faulty piece.
 */
export type Framing = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<readonly Line[]>;

export interface SensorFormat {
  /** As `--format` takes it. */
  readonly name: string;
  readonly frame: Framing;
  /** How many of the first lines of an input are recognised as this format; 0 = it is another one. */
  recognise(sample: readonly string[]): number;
  createReader(options: ReaderOptions): RecordReader;
}

/** The results of all records in the order of the input, some at a time. Ends where the bytes end or fail. */
export async function* readRecords(
  bytes: AsyncIterable<Uint8Array>,
  format: SensorFormat,
  options: ReaderOptions,
): AsyncGenerator<readonly RecordResult[]> {
  const reader = format.createReader(options);
  for await (const lines of format.frame(bytes)) {
    const results: RecordResult[] = [];
    for (const line of lines) {
      const result = reader.read(line);
      if (result !== undefined) results.push(result);
    }
    if (results.length > 0) yield results;
  }
  const last = reader.end();
  if (last !== undefined) yield [last];
}

export function eventsOf(line: number, ...events: readonly SensorEvent[]): RecordResult {
  return { kind: 'events', line, events };
}

export function withoutObservable(line: number): RecordResult {
  return { kind: 'withoutObservable', line };
}

export function refused(line: number, reason: RefusalReason, detail?: string): RecordResult {
  return { kind: 'refused', line, reason, ...(detail === undefined ? {} : { detail }) };
}
