// `npm test`: the black-box files, two processes at a time, and beside them all unit files in one process, then those with a
// browser in one, so that they share it. It fails if a part fails. The report of the unit files comes last. Words such as `--test-name-pattern=queue` go to both parts:
//
//   npm test -- --test-name-pattern=queue

import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ensureWebFiles } from '../src/service/web-files.ts';

const UNIT_FILES = ['src/**/*.test.ts', 'web/src/**/*.test.ts', 'bench/*.test.ts'];
const BLACK_BOX_FILES = ['test/!(browser)/**/*.test.ts', 'test/*.test.ts', 'packages/*/test/**/*.test.ts'];
const BROWSER_FILES = ['test/browser/*.test.ts'];
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
console.log('the unit files, then those with a browser, run beside these; their reports come last\n');
/** Runs to the end, and answers with the exit code and what was printed. */
async function finished(part: ChildProcess): Promise<{ readonly code: number; readonly report: string }> {
  const [code, report] = await Promise.all([
    new Promise<number>((resolve) => part.once('close', (ended: number | null) => resolve(ended ?? 1))),
    part.stdout === null ? '' : text(part.stdout),
  ]);
  return { code, report };
}

const blackBox = finished(runTests(['--test-concurrency=2', ...BLACK_BOX_FILES], 'inherit'));
const unit = await finished(runTests(['--test-isolation=none', ...UNIT_FILES], 'pipe'));
const browser = await finished(runTests(['--test-isolation=none', ...BROWSER_FILES], 'pipe'));
const { code: blackBoxCode } = await blackBox;

console.log(
  `\nblack-box files: ${blackBoxCode === 0 ? 'passed' : 'FAILED'}, see above. Files with a browser:\n`,
);
console.log(browser.report);
console.log('Unit files:\n');
console.log(unit.report);
process.exitCode = [blackBoxCode, browser.code, unit.code].every((code) => code === 0) ? 0 : 1;
