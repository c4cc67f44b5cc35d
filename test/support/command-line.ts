// Real processes of bin/tis.js.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CommandCall } from './command-process.ts';
import { until } from './until.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIS = join(ROOT, 'bin', 'tis.js');
const COMMAND_PROCESS = join(ROOT, 'test/support/command-process.ts');

/** Node keeps compiled code here between processes, which halves the start. */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'tis-test');
/** More processes would only wait for each other. */
const AT_ONCE = availableParallelism();
const running = new Set<TisProcess>();

// Processes that a failed test left would keep this one alive.
after(async () => {
  shared?.kill('SIGKILL');
  await Promise.all([...running].map((left) => left.kill('SIGKILL')));
});

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  /** What it reads on standard input; nothing by default. */
  readonly stdin?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of Node itself. */
  readonly nodeArguments?: readonly string[];
}

export class TisProcess {
  readonly #child: ChildProcess;
  readonly #finished: Promise<Finished>;
  stdout = '';
  stderr = '';

  constructor(words: readonly string[], options: ProcessOptions = {}) {
    this.#child = spawn(process.execPath, [...(options.nodeArguments ?? []), TIS, ...words], {
      cwd: ROOT,
      env: { ...cleanEnvironment(), ...options.env },
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // A command that ends without reading its input closes the pipe.
    this.#child.stdin?.on('error', () => undefined).end(options.stdin ?? '');
    running.add(this);
    this.#finished = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => {
        running.delete(this);
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  finished(): Promise<Finished> {
    return this.#finished;
  }

  kill(signal: NodeJS.Signals): Promise<Finished> {
    this.#child.kill(signal);
    return this.#finished;
  }

  /** Waits until standard output has a match, and resolves to its first group. */
  async printed(pattern: RegExp): Promise<string> {
    const match = await until(
      `${pattern} on standard output`,
      () => {
        const found = pattern.exec(this.stdout);
        if (found !== null) return found;
        if (!running.has(this)) throw new Error(`the process has ended:\n${this.stdout}${this.stderr}`);
        return undefined;
      },
      60_000,
    );
    return match[1] ?? '';
  }
}

let commands = 0;
const waiting: (() => void)[] = [];

/** Runs a command in a process of its own. At most AT_ONCE of them run at a time; the others wait. */
export async function tisProcess(words: readonly string[], options?: ProcessOptions): Promise<Finished> {
  if (commands === AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else commands += 1;
  const finished = await new TisProcess(words, options).finished();
  // The next waiting command takes the place.
  const next = waiting.shift();
  if (next === undefined) commands -= 1;
  else next();
  return finished;
}

let shared: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Commands that take over the signals of their process. */
const ALONE = new Set(['serve', 'work', 'demo']);

/**
 * Runs a command to its end. Commands that read no input share a process and run one after the other in it: a start
 * takes ten times as long as most of them. What is about the process itself uses `tisProcess`.
 */
export function tis(words: readonly string[], options: ProcessOptions = {}): Promise<Finished> {
  const alone = ALONE.has(words[0] ?? '') || words.includes('-');
  if (alone || options.stdin !== undefined || options.nodeArguments !== undefined)
    return tisProcess(words, options);
  const finished = last.then(() => inSharedProcess({ words, env: options.env ?? {} }));
  last = finished.catch(() => undefined);
  return finished;
}

function inSharedProcess(call: CommandCall): Promise<Finished> {
  shared ??= fork(COMMAND_PROCESS, { cwd: ROOT, env: cleanEnvironment(), execArgv: [] });
  const child = shared;
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => {
      shared = undefined;
      reject(new Error(`the process of the commands ended with ${code} during ${call.words.join(' ')}`));
    };
    child.once('exit', ended);
    child.once('message', (finished: Finished) => {
      child.off('exit', ended);
      resolve(finished);
    });
    child.send(call);
  });
}

/** The environment of the test run must not change what a command does. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TIS|NODE)_/.test(name));
  return { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: COMPILED };
}

/** `tis serve` on a free port: the process, once it listens, and its address. */
export async function serve(
  dataDir: string,
  options?: ProcessOptions,
): Promise<{ process: TisProcess; url: string }> {
  const served = new TisProcess(['serve', '--port', '0', '--data-dir', dataDir], options);
  return { process: served, url: await served.printed(/^Threat Indicator Service at (\S+)/m) };
}
