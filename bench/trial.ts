// One measurement of the service beside its yardsticks. The sides take turns in every round, so a slow phase of the machine
// affects all of them, and the rounds show how far the figures scatter.

import { type LoadResult, runLoad } from './load.ts';
import type { Server } from './processes.ts';
import { median } from './quantiles.ts';
import { readThreadTimes, type ThreadTimes, timeEach, totalOf } from './thread-time.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;

export interface Side {
  readonly server: Server;
  readonly requests: readonly Buffer[];
}

export interface Round extends LoadResult {
  /** CPU time of the server in microseconds for each request, by thread. */
  readonly cpu: ThreadTimes;
}

export interface TrialOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections?: number | undefined;
}

/** @returns the rounds of each side, in the order of the sides. */
export async function runTrial(
  sides: readonly Side[],
  { rounds, seconds, connections = CONNECTIONS }: TrialOptions,
): Promise<readonly (readonly Round[])[]> {
  for (const side of sides) await measure(side, connections, WARM_UP_SECONDS);
  const results = sides.map((side) => ({ side, rounds: [] as Round[] }));
  for (let round = 0; round < rounds; round++) {
    for (const result of results) result.rounds.push(await measure(result.side, connections, seconds));
  }
  return results.map((result) => result.rounds);
}

async function measure({ server, requests }: Side, connections: number, seconds: number): Promise<Round> {
  const before = readThreadTimes(server.pid);
  const result = await runLoad({ port: server.port, requests, connections, seconds });
  return { ...result, cpu: timeEach(before, readThreadTimes(server.pid), result.requests) };
}

/** CPU time for each request, all threads. */
export function cpuOf({ cpu }: Round): number {
  return totalOf(cpu);
}

/** The median over the rounds of the time of one thread. */
export function threadTime(rounds: readonly Round[], thread: string): number {
  return median(rounds.map(({ cpu }) => cpu.get(thread) ?? 0));
}
