// What commands share at a terminal: output, a progress line, signals, and the error of a wrong call. Everything that a
// command prints passes here, and unprintable characters of events, names and notes are escaped.

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { WriteStream } from 'node:tty';
import { printable, printableLines } from '../domain/printable.ts';

/** A command was called in a way that it cannot follow. Each fault is shown in a line of its own after `tis: `. */
export class CliError extends Error {
  readonly faults: readonly string[];

  constructor(...faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'CliError';
    this.faults = faults;
  }
}

/** The call was right, and the command failed all the same. */
export class CommandFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandFailure';
  }
}

/** For programs: one JSON object. */
export function printJson(value: unknown): void {
  printText(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLine(line = ''): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** A text of several lines, each with its line break. */
export function printText(text: string): void {
  process.stdout.write(printableLines(text));
}

/** A line for people on standard error, apart from the result. */
export function printMessage(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** A text of several lines on standard error. */
export function printMessages(text: string): void {
  process.stderr.write(printableLines(text));
}

/** Asks at the terminal. Any answer but `y` or `yes` is a no. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = terminal.question(`${printable(question)} [y/N] `);
    const closed = once(terminal, 'close').then(() => '');
    return /^y(es)?$/i.test((await Promise.race([answer, closed])).trim());
  } finally {
    terminal.close();
  }
}

/** Columns padded to their widest cell; the first row is the head. */
export function printTable(cells: readonly (readonly string[])[]): void {
  const rows = cells.map((row) => row.map(printable));
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
      const text = printable(lineOf(state, (at - started) / 1_000));
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
