// The progress of `tis ingest` through its files.

import { barOf, createStatusLine, type StatusLine, type StatusScreen } from '../terminal.ts';

export interface IngestProgress {
  /** Bytes read from the files so far, before unpacking. */
  readonly bytes: number;
  /** Undefined if the size is unknown, as for a pipe. */
  readonly totalBytes: number | undefined;
  readonly events: number;
}

export function createProgress(screen?: StatusScreen, now?: () => number): StatusLine<IngestProgress> {
  return createStatusLine(progressLine, screen, now);
}

function progressLine({ bytes, totalBytes, events }: IngestProgress, seconds: number): string {
  const rate = seconds > 0 ? Math.round(events / seconds) : 0;
  const counts = `${events} events, ${rate}/s`;
  if (totalBytes === undefined || totalBytes === 0) return `${megabytes(bytes)} read, ${counts}`;
  return `${barOf(Math.min(1, bytes / totalBytes))} of ${megabytes(totalBytes)}, ${counts}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
