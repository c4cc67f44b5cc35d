// CPU time of a process by thread, from /proc (Linux). On a shared machine it repeats much better than a rate.

import { readdirSync } from 'node:fs';
import { readProc } from './proc.ts';

/** CPU time by name of thread. The threads of V8 and of the process itself are summed up as `other`. */
export type ThreadTimes = ReadonlyMap<string, number>;

/** The threads of the service besides the main thread, which answers HTTP. */
const THREADS = new Set(['pipeline', 'metering', 'reading', 'inspection']);
const OTHER = 'other';

/** Microseconds since the start of each thread. Empty where there is no /proc. */
export function readThreadTimes(pid: number): ThreadTimes {
  const times = new Map<string, number>();
  for (const task of tasksOf(pid)) {
    const folder = `${pid}/task/${task}`;
    const comm = readProc(`${folder}/comm`).trim();
    // The main thread has the id of the process, whatever its name.
    const name = task === String(pid) ? 'main' : THREADS.has(comm) ? comm : OTHER;
    // The first number is the time on a processor in nanoseconds.
    const [nanoseconds = 0] = readProc(`${folder}/schedstat`).split(' ').map(Number);
    times.set(name, (times.get(name) ?? 0) + nanoseconds / 1_000);
  }
  return times;
}

/** The time between two readings, divided by the number of requests or events. */
export function timeEach(before: ThreadTimes, after: ThreadTimes, count: number): ThreadTimes {
  return new Map([...after].map(([name, time]) => [name, (time - (before.get(name) ?? 0)) / count]));
}

export function totalOf(times: ThreadTimes): number {
  return [...times.values()].reduce((sum, time) => sum + time, 0);
}

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
