#!/usr/bin/env node
// The command `taxii-conformance`.

import { checkConformance, NoAnswer, NotTestable } from './conformance.ts';
import { readCommandLine, USAGE, UsageError } from './options.ts';
import { isConformant, jsonOf, lineOf, summaryOf } from './report.ts';

const PASSED = 0;
const BROKEN = 1;
const NOT_TRIED = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  try {
    const line = readCommandLine(words);
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
    else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return NOT_TRIED;
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
