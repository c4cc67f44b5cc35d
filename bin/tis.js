#!/usr/bin/env node
// The `tis` command. Plain JavaScript that any Node can read, so that one that is too old is told so in a clear line
// before it meets the first line of TypeScript.

import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const version = process.versions.node;

/** What a shell gives for a command that SIGPIPE ended; Node passes that signal over. */
const ENDED_BY_SIGPIPE = 128 + 13;

// Whoever read the output has gone, as in `tis keys list --json | head -1`: there is nothing left to do.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(ENDED_BY_SIGPIPE);
    throw error;
  });
}

// Types are stripped and code is compiled once for a source, not at every start, which took a command twice as long.
// Where the folder cannot be written there is just no cache.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/tis', import.meta.url)));

// Until main has said how it went: a run that ends without an answer has failed.
process.exitCode = 1;

if (Number(version.split('.')[0]) >= NEEDED) {
  void import('../src/main.ts')
    .then(({ main }) => main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
} else {
  process.stderr.write(
    `tis needs Node ${NEEDED} or newer; this is ${version}. ` +
      'Run it through npm (npx tis, npm start), which brings its own.\n',
  );
}
