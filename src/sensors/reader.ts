// Sensor formats: what a format provides, and how its bytes become one result per record.

import type { SensorEvent } from '../domain/indicator/sensor-event.ts';

/** Why a line cannot be read as text. The reader refuses its record for this reason. */
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
  | 'UNKNOWN_FIELD'
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

/** One line without its terminator, or another piece of the input that the framing of a format cuts. */
export interface Line {
  /** Empty when there is a fault. */
  readonly text: string;
  /** Number of the first line of the piece, from 1. */
  readonly number: number;
  readonly fault?: LineFault;
}

/**
 * The result of one record. `line` is the number of its first line.
 * - `events`: it shows at least one observable.
 * - `withoutObservable`: it is well-formed and has nothing to report (a server starting, a response, a stack trace).
 *   `what` is its kind, as the log names it.
 * - `refused`: it cannot be used.
 */
export type RecordResult =
  | { readonly kind: 'events'; readonly line: number; readonly events: readonly SensorEvent[] }
  | { readonly kind: 'withoutObservable'; readonly line: number; readonly what: string }
  | RefusedRecord;

export interface RefusedRecord {
  readonly kind: 'refused';
  readonly line: number;
  readonly reason: RefusalReason;
  /** What is wrong, in words, if the reader knows more than the reason: `tags[1]: must not be empty`. */
  readonly detail?: string;
}

/**
 * Reads one input from its first line to its last. It keeps the state that the format needs between records:
 * sessions, the columns of a header, the lines of an open record.
 *
 * Every record has exactly one result, so records = with events + without observable + refused. A blank line or a
 * header is not a record and has none. A reader never throws.
 */
export interface RecordReader {
  /** Takes the next line. The result belongs to the record that the line completes, if it completes one. */
  read(line: Line): RecordResult | undefined;
  /** The input has ended. The result of a record that was still open. */
  end(): RecordResult | undefined;
}

export interface ReaderOptions {
  /** Sensor id of records without one. */
  readonly sensor?: string;
  /** Defended networks in CIDR form, for logs that have both ends of a connection (see home-net.ts). */
  readonly homeNet?: readonly string[];
}

/**
 * Cuts bytes into the pieces that a reader takes: lines for most formats, and elements for a format that writes one
 * JSON array. Never throws: a source that fails ends with a faulty piece.
 */
export type Framing = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<readonly Line[]>;

export interface SensorFormat {
  /** The value of `--format`. */
  readonly name: string;
  readonly frame: Framing;
  /** How many of these first lines are of this format. 0 means that the input is in another one. */
  recognise(sample: readonly string[]): number;
  createReader(options: ReaderOptions): RecordReader;
}

/** The results of all records in the order of the input, in batches. Ends where the bytes end or fail. */
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

/** @param what the kind of the record, as the log names it; text of the log. */
export function withoutObservable(line: number, what = ''): RecordResult {
  return { kind: 'withoutObservable', line, what };
}

export function refused(line: number, reason: RefusalReason, detail?: string): RecordResult {
  return { kind: 'refused', line, reason, ...(detail === undefined ? {} : { detail }) };
}
