// A progress bar on standard error while a command works through files; nothing when no person is watching.

import type { WriteStream } from 'node:tty';

export interface IngestProgress {
  /** Bytes read so far, of the files as they lie there: packed where they are packed. */
  readonly bytes: number;
  /** Undefined when it is not known, as for a pipe. */
  readonly totalBytes: number | undefined;
  readonly events: number;
}

export interface ProgressBar {
  readonly update: (progress: IngestProgress) => void;
  /** Removes the bar. */
  readonly end: () => void;
}

/** Redrawing more often costs more than it tells. */
const INTERVAL_MS = 100;
const BAR_WIDTH = 30;
const CLEAR_LINE = '\r\u{1b}[K';

export interface ProgressScreen extends Pick<WriteStream, 'write'> {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** @param now milliseconds that never go back */
export function createProgress(
  screen: ProgressScreen = process.stderr,
  now: () => number = () => performance.now(),
): ProgressBar {
  if (screen.isTTY !== true) return { update: () => {}, end: () => {} };
  const started = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update: (progress) => {
      const at = now();
      if (at - drawnAt < INTERVAL_MS) return;
      drawnAt = at;
      const text = progressLine(progress, (at - started) / 1_000);
      screen.write(CLEAR_LINE + text.slice(0, Math.max(0, (screen.columns ?? 80) - 1)));
    },
    end: () => {
      if (drawnAt > Number.NEGATIVE_INFINITY) screen.write(CLEAR_LINE);
    },
  };
}

function progressLine({ bytes, totalBytes, events }: IngestProgress, seconds: number): string {
  const rate = seconds > 0 ? Math.round(events / seconds) : 0;
  const counts = `${events} events, ${rate}/s`;
  if (totalBytes === undefined || totalBytes === 0) return `${megabytes(bytes)} read, ${counts}`;
  const share = Math.min(1, bytes / totalBytes);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_WIDTH - filled);
  return `[${bar}] ${Math.floor(share * 100)}% of ${megabytes(totalBytes)}, ${counts}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
