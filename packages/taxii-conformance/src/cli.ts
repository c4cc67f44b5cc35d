#!/usr/bin/env node
// The command `taxii-conformance`.

import { checkConformance, NoAnswer, NotTestable, ToldToWait } from './conformance.ts';
import { readCommandLine, USAGE, UsageError } from './options.ts';
import { isConformant, jsonOf, lineOf, summaryOf } from './report.ts';

const PASSED = 0;
const BROKEN = 1;
const NOT_TRIED = 2;
/** The exit code that a shell reports for a command ended by SIGPIPE. Node ignores that signal. */
const ENDED_BY_SIGPIPE = 128 + 13;

// The reader of the output has closed the pipe: nothing is left to do.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: Error & { readonly code?: string }) => {
    if (error.code === 'EPIPE') process.exit(ENDED_BY_SIGPIPE);
    throw error;
  });
}

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  try {
    const line = readCommandLine(words, process.env);
    if (line === 'help') {
      print(USAGE.trimEnd());
      return PASSED;
    }
    const { options, json } = line;
    const conformance = await checkConformance({
      ...options,
      onFinding: (finding) => {
        if (!json) print(lineOf(finding));
      },
    });
    print(json ? jsonOf(conformance) : `\n${summaryOf(conformance)}`);
    return isConformant(conformance) ? PASSED : BROKEN;
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`);
    else if (error instanceof NotTestable || error instanceof NoAnswer)
      process.stderr.write(`${error.message}\n`);
    else if (error instanceof ToldToWait)
      process.stderr.write(`${error.message} (--wait): not tried to the end\n`);
    else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return NOT_TRIED;
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
