// The resident memory of another process.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** In bytes; undefined when the process is gone. From /proc on Linux, from `ps` elsewhere. */
export function residentMemory(pid: number): number | undefined {
  const kilobytes = process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  return kilobytes > 0 ? 1_024 * kilobytes : undefined;
}

function fromProc(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}

function fromPs(pid: number): number {
  try {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' }));
  } catch {
    return Number.NaN;
  }
}
