// A line on standard error that is drawn again and again during long work; nothing when no person is watching.

import type { WriteStream } from 'node:tty';

export interface StatusLine<State> {
  readonly update: (state: State) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/** Redrawing more often costs more than it tells. */
const INTERVAL_MS = 100;
const BAR_WIDTH = 30;
const CLEAR_LINE = '\r\u{1b}[K';

export interface StatusScreen extends Pick<WriteStream, 'write'> {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * @param lineOf given the seconds since the beginning.
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
