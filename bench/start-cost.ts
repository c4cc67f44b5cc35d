// The cost of a start: CPU seconds of short commands and of the service, and the resident memory of the idle service.
//
//   node bench/start-cost.ts [checkout...]        default: this checkout
//
// Several checkouts are measured in turn, so one run compares them. Needs bash and /proc (Linux).

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const RUNS = 7;
/** After this the service has started all threads and collected the garbage of the start. */
const IDLE_SECONDS = 5;

const run = promisify(execFile);
const [...given] = process.argv.slice(2);
const checkouts = given.length > 0 ? given : [fileURLToPath(new URL('..', import.meta.url))];

const COMMANDS: Readonly<Record<string, string>> = {
  'tis jobs list': `"$NODE" bin/tis.js jobs list > /dev/null; times`,
  'tis keys list': `"$NODE" bin/tis.js keys list > /dev/null; times`,
  'start and stop of the service': `
    coproc "$NODE" bin/tis.js serve --port 0 --log-level warn
    read -r line <&"\${COPROC[0]}"
    kill "$COPROC_PID"; wait "$COPROC_PID"; times`,
};
const MEMORY = `
  coproc "$NODE" bin/tis.js serve --port 0 --log-level warn
  read -r line <&"\${COPROC[0]}"
  sleep ${IDLE_SECONDS}
  sed -n 's/VmRSS:[^0-9]*\\([0-9]*\\).*/\\1/p' "/proc/$COPROC_PID/status"
  kill "$COPROC_PID"; wait "$COPROC_PID"`;

const folder = await mkdtemp(join(tmpdir(), 'tis-start-'));
try {
  for (const [name, script] of Object.entries(COMMANDS)) {
    const samples = new Map(checkouts.map((checkout) => [checkout, [] as number[]]));
    for (let round = 0; round <= RUNS; round++) {
      for (const [index, checkout] of checkouts.entries()) {
        const seconds = cpuSeconds(await bash(script, checkout, index));
        // The first round fills the compile cache and creates the store.
        if (round > 0) samples.get(checkout)?.push(seconds);
      }
    }
    for (const [checkout, seconds] of samples) {
      console.log(
        `${name.padEnd(30)} ${median(seconds).toFixed(3)} CPU-s (${RUNS} runs, least ${Math.min(...seconds).toFixed(3)})  ${checkout}`,
      );
    }
  }
  for (const [index, checkout] of checkouts.entries()) {
    const kibibytes = Number((await bash(MEMORY, checkout, index)).trim());
    console.log(`${'resident memory, idle'.padEnd(30)} ${(kibibytes / 1_024).toFixed(0)} MiB  ${checkout}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function bash(script: string, checkout: string, index: number): Promise<string> {
  const { stdout } = await run('bash', ['-c', script], {
    cwd: checkout,
    env: {
      ...process.env,
      NODE: process.execPath,
      TIS_DATA_DIR: join(folder, String(index)),
      TIS_ADMIN_PORT: 'off',
    },
  });
  return stdout;
}

/** Reads the second line of `times`, such as `0m0.075s 0m0.031s`: all processes that the script has waited for. */
function cpuSeconds(text: string): number {
  const parts = [...(text.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
