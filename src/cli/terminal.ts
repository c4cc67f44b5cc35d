// What commands share at a terminal: output, a progress line, signals, and the error of a wrong call.

import type { WriteStream } from 'node:tty';

/** A command was called in a way that it cannot follow. The message is shown after `tis: `; one line per fault. */
export class CliError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CliError';
  }
}

/** For programs: one JSON object. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLine(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Columns padded to their widest cell; the first row is the head. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  for (const row of rows) {
    printLine(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

export interface StatusLine<State> {
  readonly update: (state: State) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/** Nobody can read faster redraws. */
const INTERVAL_MS = 100;
const BAR_WIDTH = 30;
const CLEAR_LINE = '\r\u{1b}[K';

export interface StatusScreen extends Pick<WriteStream, 'write'> {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * A line on standard error, redrawn during long work. Nothing is drawn if standard error is not a terminal.
 * @param lineOf makes the text of the line, given the seconds since the beginning.
 * @param now milliseconds that never go back.
 */
export function createStatusLine<State>(
  lineOf: (state: State, seconds: number) => string,
  screen: StatusScreen = process.stderr,
  now: () => number = () => performance.now(),
): StatusLine<State> {
  if (screen.isTTY !== true) return { update: () => {}, end: () => {} };
  const started = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update: (state) => {
      const at = now();
      if (at - drawnAt < INTERVAL_MS) return;
      drawnAt = at;
      const text = lineOf(state, (at - started) / 1_000);
      screen.write(CLEAR_LINE + text.slice(0, Math.max(0, (screen.columns ?? 80) - 1)));
    },
    end: () => {
      if (drawnAt > Number.NEGATIVE_INFINITY) screen.write(CLEAR_LINE);
    },
  };
}

/** A bar with its share in percent. @param share from 0 to 1. */
export function barOf(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)}%`;
}

/** Aborts on the first SIGINT or SIGTERM, which asks for an orderly end. A second one ends the process at once. */
export function untilStopped(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      controller.abort();
      process.once(signal, () => process.kill(process.pid, 'SIGKILL'));
    });
  }
  return controller.signal;
}
