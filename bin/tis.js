#!/usr/bin/env -S node --max-semi-space-size=8
// The `tis` command. This file is plain JavaScript that any Node can run. So an old Node prints a clear message before it
// loads the first TypeScript file.

import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** `node:sqlite` of older versions is experimental. */
const NEEDED = { major: 24, minor: 15 };
const version = process.versions.node;
const [major = 0, minor = 0] = version.split('.').map(Number);

/** The exit code that a shell reports for a command ended by SIGPIPE. Node ignores that signal. */
const ENDED_BY_SIGPIPE = 128 + 13;

// The reader of the output has closed the pipe, as in `tis keys list --json | head -1`: nothing is left to do.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(ENDED_BY_SIGPIPE);
    throw error;
  });
}

// With this cache Node strips and compiles a file once and not at every start. Without it a command takes twice as long.
// If the folder is not writable, Node runs without the cache.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/tis', import.meta.url)));

// A run that ends before `main` returns its exit code has failed.
process.exitCode = 1;

if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) {
  void import('../src/main.ts')
    .then(({ main }) => main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
} else {
  process.stderr.write(
    `tis needs Node ${NEEDED.major}.${NEEDED.minor} or newer; this is ${version}. ` +
      'Run it through npm (npx tis, npm start), which brings its own unless optional packages are left out.\n',
  );
}
