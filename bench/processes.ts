// Child processes of a benchmark. All of them run on the Node of the benchmark.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TIS = fileURLToPath(new URL('../bin/tis.js', import.meta.url));
const BARE = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
const run = promisify(execFile);

/** Runs a tis command with `--json` to its end and returns its parsed output. */
export async function tisJson<Value>(...words: string[]): Promise<Value> {
  const { stdout } = await run(process.execPath, [TIS, ...words, '--json'], { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Value;
}

export interface Server extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** Rate limits cost time, so they stay on. They are so high that the service never answers 429. */
const WIDE_LIMITS = { TIS_RATE_LIMIT_PER_MINUTE: '60000000', TIS_RATE_LIMIT_BURST: '10000000' };

/** @param settings additional environment variables. */
export async function startTis(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const child = spawn(
    process.execPath,
    [TIS, 'serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'warn'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...WIDE_LIMITS, ...settings } },
  );
  const line = await firstLine(child);
  return server(child, Number(/:(\d+)/.exec(line.replace('http://', ''))?.[1]));
}

export async function startBare(folder: string): Promise<Server> {
  const child = spawn(process.execPath, [BARE, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  return server(child, (JSON.parse(await firstLine(child)) as { port: number }).port);
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no standard output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the process ended before it printed anything');
}

function server(child: ChildProcess, port: number): Server {
  return {
    port,
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
