// The result of a fuzzer run as text.

import type { FuzzReport } from './fuzz.ts';

/** @param before @param after resident memory in bytes. */
export function describeReport({ requests, statuses }: FuzzReport, before: number, after: number): string[] {
  const counts = [...statuses].map(([status, count]) => `${status === 0 ? 'none' : status}: ${count}`);
  return [
    `${requests} requests, answered ${counts.join(', ')}`,
    `resident memory ${megabytes(before)} before, ${megabytes(after)} after`,
  ];
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}
