// Child processes of a benchmark. All of them run on the Node of the benchmark.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TIS = fileURLToPath(new URL('../bin/tis.js', import.meta.url));
const BARE = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
const HEAP_PROBE = new URL('./heap-probe.ts', import.meta.url).href;
const EXIT_PROBE = new URL('./exit-probe.ts', import.meta.url).href;
/** As the first line of the file starts Node. */
const NODE_FLAGS = readFileSync(TIS, 'utf8').split('\n', 1)[0]?.match(/--\S+/g) ?? [];
const MAX_OUTPUT = 64 * 1_024 * 1_024;
const run = promisify(execFile);

/** Runs a tis command with `--json` to its end and returns its parsed output. */
export async function tisJson<Value>(...words: string[]): Promise<Value> {
  const { stdout } = await run(process.execPath, [TIS, ...words, '--json'], { maxBuffer: MAX_OUTPUT });
  return JSON.parse(stdout) as Value;
}

/** As `tisJson`. The command leaves an exit report in the folder. */
export async function probedTisJson<Value>(folder: string, ...words: string[]): Promise<Value> {
  const { stdout } = await run(process.execPath, ['--import', EXIT_PROBE, TIS, ...words, '--json'], {
    maxBuffer: MAX_OUTPUT,
    env: { ...process.env, TIS_BENCH_FOLDER: folder },
  });
  return JSON.parse(stdout) as Value;
}

/** Runs a script of this folder to its end and returns its parsed output. */
export async function scriptJson<Value>(script: string, ...words: string[]): Promise<Value> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await run(process.execPath, [path, ...words], { maxBuffer: MAX_OUTPUT });
  return JSON.parse(stdout) as Value;
}

export interface Server extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Rate limits and quotas cost time, so they stay on. They are so high that the service never refuses. */
const WIDE_LIMITS = {
  TIS_RATE_LIMIT_PER_MINUTE: '60000000',
  TIS_RATE_LIMIT_BURST: '10000000',
  TIS_NEW_VALUES_PER_DAY: '100000000',
  TIS_NEW_BYTES_PER_DAY: '1000000000000',
};

/**
 * @param settings additional environment variables.
 * @param probeFolder for the heap reports of the threads; without it the service runs as it is.
 */
export async function startTis(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  probeFolder?: string,
): Promise<Server> {
  const probe = probeFolder === undefined ? [] : ['--import', HEAP_PROBE];
  const child = spawn(
    process.execPath,
    [...NODE_FLAGS, ...probe, TIS, 'serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'warn'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...WIDE_LIMITS,
        ...(probeFolder === undefined ? {} : { TIS_BENCH_FOLDER: probeFolder }),
        ...settings,
      },
    },
  );
  // Before its address it may print that it has built the web application.
  const line = await firstLine(child, 'http://');
  return server(child, Number(/:(\d+)/.exec(line.replace('http://', ''))?.[1]));
}

/** What the bare server sends. */
export interface BareAnswers {
  readonly bodies: readonly string[];
  /** The stored documents of each page. */
  readonly pages: readonly (readonly string[])[];
}

/** @param folder for the file of the answers. */
export async function startBare(folder: string, answers: BareAnswers): Promise<Server> {
  const file = join(folder, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  const child = spawn(process.execPath, [BARE, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  return server(child, (JSON.parse(await firstLine(child)) as { port: number }).port);
}

/** The first line that a process prints, or the first one with a text. */
async function firstLine(child: ChildProcess, text = ''): Promise<string> {
  if (child.stdout === null) throw new Error('no standard output');
  for await (const line of createInterface({ input: child.stdout })) if (line.includes(text)) return line;
  throw new Error('the process ended before it printed what was awaited');
}

function server(child: ChildProcess, port: number): Server {
  return {
    port,
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
