// Runs the commands that its parent names, one after the other, and answers with what each printed. So the program is
// loaded once for many commands.

import { setImmediate } from 'node:timers/promises';
import { main } from '../../src/main.ts';
import type { Finished } from './command-line.ts';

export interface CommandCall {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

async function run({ words, env }: CommandCall): Promise<Finished> {
  const printed = { stdout: '', stderr: '' };
  Object.assign(process.env, env);
  const writers = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name];
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text);
      return true;
    };
    return () => {
      process[name].write = write;
    };
  });
  try {
    const code = await main(words);
    // The log is written once a turn.
    await setImmediate();
    return { code, signal: null, ...printed };
  } finally {
    for (const restore of writers) restore();
    for (const name of Object.keys(env)) delete process.env[name];
  }
}

process.on('message', (call: CommandCall) => {
  void run(call).then((finished) => process.send?.(finished));
});
