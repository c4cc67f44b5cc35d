// `npm test`: all unit files in one process, and beside it the black-box files, two processes at a time. It fails if
// either part fails. The report of the unit files comes last. Words such as `--test-name-pattern=queue` go to both parts:
//
//   npm test -- --test-name-pattern=queue

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ensureWebFiles } from '../src/service/web-files.ts';

const UNIT_FILES = ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'bench/*.test.ts'];
const BLACK_BOX_FILES = ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'];
/** Every process of the tests finds here what another one has compiled. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/tis-test', import.meta.url));

function runTests(words: readonly string[], output: 'inherit' | 'pipe') {
  return spawn(process.execPath, ['--test', '--test-reporter=spec', ...process.argv.slice(2), ...words], {
    stdio: ['ignore', output, 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
}

// Once for all files, and only when a source of the web application has changed.
const web = await ensureWebFiles();
if (web.kind === 'built') console.log(`web application built in ${web.seconds.toFixed(1)} s`);
if (web.kind === 'failed') console.log(`the web application was not built: ${web.reason}`);
console.log('the unit files run beside these; their report comes last\n');
const unit = runTests(['--test-isolation=none', ...UNIT_FILES], 'pipe');
const blackBox = runTests(['--test-concurrency=2', ...BLACK_BOX_FILES], 'inherit');
const codes = [unit, blackBox].map(
  (part) => new Promise<number>((resolve) => part.once('close', (code) => resolve(code ?? 1))),
);
const report = unit.stdout === null ? '' : await text(unit.stdout);
const [unitCode = 1, blackBoxCode = 1] = await Promise.all(codes);

console.log(`\nblack-box files: ${blackBoxCode === 0 ? 'passed' : 'FAILED'}, see above. Unit files:\n`);
console.log(report);
process.exitCode = unitCode === 0 && blackBoxCode === 0 ? 0 : 1;
