// One output line of a benchmark: the figures of the service, and their ratio to bare Fastify.

import { type LoadResult, runLoad } from './load.ts';
import type { Server } from './processes.ts';

const SECONDS = 4;
const CONNECTIONS = 16;

/** Runs a short warm-up, then the measured load. */
export async function load(
  server: Server,
  requests: readonly Buffer[],
  connections = CONNECTIONS,
): Promise<LoadResult> {
  const common = { port: server.port, requests, connections };
  await runLoad({ ...common, seconds: 1 });
  return runLoad({ ...common, seconds: SECONDS });
}

export function print(name: string, ours: LoadResult, bare: LoadResult): void {
  const share = ((100 * ours.perSecond) / bare.perSecond).toFixed(0);
  console.log(
    `${name.padEnd(32)} ${perSecond(ours.perSecond).padStart(7)}/s  p50 ${ours.p50.toFixed(2)} ms  ` +
      `p99 ${ours.p99.toFixed(2)} ms  ${share} % of bare Fastify (${perSecond(bare.perSecond)}/s)` +
      (ours.failures === 0 ? '' : `  ${ours.failures} FAILED`),
  );
}

export function perSecond(value: number): string {
  return value >= 1_000 ? `${(value / 1_000).toFixed(1)} k` : value.toFixed(0);
}
