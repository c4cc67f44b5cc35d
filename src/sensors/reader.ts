// The seam between log formats and the pipeline: text in, one result per record out.

import type { SensorEvent } from '../domain/indicator/sensor-event.ts';

/** Why a line cannot be read as text; the reader refuses the record it belongs to under this name. */
export type LineFault = 'LINE_TOO_LONG' | 'NUL_BYTE' | 'DAMAGED_GZIP' | 'READ_FAILED';

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
 * - `refused`: it cannot be used; `reason` is UPPER_SNAKE_CASE.
 */
export type RecordResult =
  | { readonly kind: 'events'; readonly line: number; readonly events: readonly SensorEvent[] }
  | { readonly kind: 'withoutObservable'; readonly line: number }
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string };

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

export function eventsOf(line: number, ...events: readonly SensorEvent[]): RecordResult {
  return { kind: 'events', line, events };
}

export function withoutObservable(line: number): RecordResult {
  return { kind: 'withoutObservable', line };
}

export function refused(line: number, reason: string): RecordResult {
  return { kind: 'refused', line, reason };
}
