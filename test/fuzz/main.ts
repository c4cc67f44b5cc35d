// `npm run fuzz`: the fuzzer for a given time.
//
//   npm run fuzz -- [--seconds 60] [--seed N]
//
// A broken rule ends the run and prints the bytes. The statuses and the memory of the service are printed at regular
// intervals: memory that grows from line to line is a leak.

import { parseArgs } from 'node:util';
import { describeReport } from './describe-report.ts';
import { fuzz } from './fuzz.ts';
import { startTarget } from './target.ts';

const ROUND_S = 20;

const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
const seconds = Number(values.seconds ?? 60);
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
console.log(`seed ${seed}, ${seconds} s`);
await using target = await startTarget();
for (let round = 0; round * ROUND_S < seconds; round += 1) {
  const before = target.memory();
  const end = performance.now() + 1_000 * Math.min(ROUND_S, seconds - round * ROUND_S);
  const report = await fuzz(target, () => performance.now() < end, seed + 1_000_000 * round);
  for (const line of describeReport(report, before, target.memory())) console.log(line);
}
