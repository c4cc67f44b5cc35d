// The architecture of this project, and the proof that each rule of it finds what it forbids.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Fault, findFaults, RULES, type Rule } from './architecture-rules.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Sources known to be in the project. Raise it now and then. */
const LEAST_SOURCES = 250;

test('the project keeps its own rules', () => {
  assert.deepEqual(findFaults(ROOT, LEAST_SOURCES).map(format), []);
});

/** A small house in order, with what looks like a fault and is none. */
const SOUND: Readonly<Record<string, string>> = {
  'bin/run.js': `#!/usr/bin/env node\n// Starts.\nimport('../src/main.ts');\n`,
  'src/main.ts': `// Entry.\nimport { load } from './cli/commands.ts';\nimport manifest from '../package.json' with { type: 'json' };\n`,
  'src/cli/commands.ts': `// Commands.\nimport type { S } from './serve.ts';\nexport const load = async () => (await import('./serve.ts')).serve;\n`,
  'src/service/start.ts': `// Starts.\nimport { answer } from '../api/rest.ts';\nimport fastify from '../api/rest.ts';\n`,
  'src/service/stores.ts': `// Stores.\nexport const open = async () => import('../store/sqlite/open.ts');\n`,
  'src/service/queue-thread.ts': `// A thread.\nimport { open } from './stores.ts';\nimport type { Answer } from '../api/rest.ts';\n`,
  'src/store/sqlite/open.ts': `// Opens.\nimport { DatabaseSync } from 'node:sqlite';\n`,
  'src/config.ts': `// Configuration.\nexport const home = process.env.HOME;\n`,
  'src/cli/serve.ts': `// Serves.\nimport { Command } from 'commander';\nimport { home } from '../config.ts';\nimport { answer } from '../api/rest.ts';\nimport '../service/start.ts';\nexport const at = Date.now();\n`,
  'src/api/rest.ts': `// REST.\nimport fastify from 'fastify';\nimport { M } from '../protojson/contract.ts';\nimport { find } from '../search/find.ts';\nimport '../feed/poll.ts';\n`,
  'src/protojson/contract.ts': `// The contract.\nexport { M } from '../gen/model_pb.ts';\n`,
  'src/gen/model_pb.ts': `import { x } from '@bufbuild/protobuf';\nexport default x;\nexport enum E { A }\n`,
  'src/search/find.ts': `// Search. See import('../feed/poll.ts') and process.env.\nimport {\n  type Rows,\n  rows,\n} from '../store/rows.ts';\n/* @ts\n * new Date() */\nexport const text = 'select one from'; // Date.now()\n`,
  'src/feed/poll.ts': `// Feed.\nexport type { Rows } from '../store/rows.ts';\nexport const date = (at: number) => new Date(at);\n`,
  'src/store/rows.ts': `// Rows.\nimport { DatabaseSync } from 'node:sqlite';\nimport { age } from '../domain/age.ts';\nexport const sql = \`\n  select a from b where c\`;\n`,
  'src/store/rows.test.ts': `import { strict } from 'node:assert';\nimport { rows } from './rows.ts';\nexport default 'create table x (y)';\ndescribe('a', () => {\n  beforeEach(open);\n});\n`,
  'src/domain/age.ts': `// Ages.\nimport { hash } from 'node:crypto';\nexport const updateOf = (a: number) => new Date(a).getUTCDate();\n`,
};

test('a house in order has no faults', () => {
  assert.deepEqual(faultsWith({}), []);
});

/** One fault each: the rule, the file that gets these lines behind its opening comment, and the line at fault. */
const PLANTED: readonly (readonly [rule: Rule, path: string, lines: readonly string[], line: number])[] = [
  ['arrow', 'src/domain/a.ts', [`import { rows } from '../store/rows.ts';`], 2],
  ['arrow', 'src/domain/a.ts', [`import type { Rows } from '../store/rows.ts';`], 2],
  ['arrow', 'src/store/a.ts', ['import {', '  find,', `} from "../search/find.ts";`], 2],
  ['arrow', 'src/search/a.ts', [`export { poll } from '../feed/poll.ts';`], 2],
  ['arrow', 'src/feed/a.ts', [``, `const late = await import('../search/find.ts');`], 3],
  ['arrow', 'src/pipeline/a.ts', [`let poll: import('../feed/poll.ts').Poll;`], 2],
  ['arrow', 'src/gateway/a.ts', [`import '../metering/usage.ts';`], 2],
  ['arrow', 'src/metering/a.ts', [`import { answer } from '../api/rest.ts';`], 2],
  ['arrow', 'src/sensors/deep/er/a.ts', [`import { home } from '../../../config.ts';`], 2],
  ['arrow', 'src/cli/a.ts', [`import type { M } from '../gen/model_pb.ts';`], 2],
  ['arrow', 'src/api/a.ts', [`import { serve } from '../cli/serve.ts';`], 2],
  ['arrow', 'src/api/b.ts', [`import { data } from '../../test/data.ts';`], 2],
  ['arrow', 'src/gen/a_pb.ts', [`import { age } from '../domain/age.ts';`], 2],
  ['arrow', 'src/feed/a.test.ts', [`import { find } from '../search/find.ts';`], 2],
  ['arrow', 'src/services/a.ts', [], 1],
  ['arrow', 'src/protojson/a.ts', [`import { rows } from '../store/rows.ts';`], 2],
  ['arrow', 'src/stix/a.ts', [`import { poll } from '../feed/poll.ts';`], 2],
  ['arrow', 'src/sensors/a.ts', [`import type { M } from '../gen/model_pb.ts';`], 2],
  ['arrow', 'src/api/a.ts', [`import type { M } from '../gen/model_pb.ts';`], 2],
  ['arrow', 'src/service/a.ts', [`import { serve } from '../cli/serve.ts';`], 2],
  ['arrow', 'src/api/c.ts', [`import { start } from '../service/start.ts';`], 2],
  ['driver', 'src/cli/a.ts', [`import { open } from '../store/sqlite/open.ts';`], 2],
  ['driver', 'src/service/a.ts', [`const late = await import('../store/sqlite/open.ts');`], 2],
  ['driver', 'src/search/a.test.ts', [`import { open } from '../store/sqlite/open.ts';`], 2],
  ['driver', 'src/pipeline/a.test.ts', [`import { DatabaseSync } from 'node:sqlite';`], 2],
  ['thread', 'src/service/a-thread.ts', [`import { answer } from '../api/rest.ts';`], 2],
  ['thread', 'src/service/work-thread.ts', [`import './late.ts';`, `await import('../api/rest.ts');`], 3],
  ['lazy-command', 'src/cli/commands.ts', [`import { serve } from './serve.ts';`], 2],
  ['shell', 'src/api/http/server.ts', [`import { answer } from '../rest.ts';`], 2],
  ['shell', 'src/api/http/a.ts', [`import type { Answer } from '../taxii/answer.ts';`], 2],
  ['suffix', 'src/store/a.test-data.ts', [], 1],
  ['file-hook', 'src/store/a.test.ts', ['beforeEach(open);'], 2],
  ['file-hook', 'src/store/a.test.ts', ['', 'afterEach(async () => {', '  await close();', '});'], 3],
  ['test-import', 'src/store/a.ts', [`import { sample } from './rows.test-support.ts';`], 2],
  ['package', 'src/domain/a.ts', [`import { readFileSync } from 'node:fs';`], 2],
  ['package', 'src/domain/a.ts', [`import { Command } from 'commander';`], 2],
  ['package', 'src/search/a.ts', [`import { DatabaseSync } from 'node:sqlite';`], 2],
  ['package', 'src/feed/a.ts', [`import type { Message } from '@bufbuild/protobuf/codegenv2';`], 2],
  ['package', 'src/feed/a.ts', [`import pad from 'left-pad';`], 2],
  ['cycle', 'src/domain/b.ts', [`import type { B } from './b.ts';`], 2],
  ['computed-import', 'src/cli/a.ts', [`const late = await import(name);`], 2],
  ['computed-import', 'src/cli/a.ts', [`const late = await import('./' + name);`], 2],
  ['default-export', 'src/api/a.ts', [`export default function a() {}`], 2],
  ['default-export', 'src/api/a.ts', [`const a = 1;`, `export { a as default };`], 3],
  ['barrel', 'src/api/a.ts', [`export * from './rest.ts';`], 2],
  ['name', 'src/api/index.ts', [], 1],
  ['name', 'src/api/string-utils.ts', [], 1],
  ['name', 'src/api/helpers/a.ts', [], 1],
  ['name', 'src/api/jobManager.ts', [], 1],
  ['decorator', 'src/api/a.ts', [`  @Get('/')`, '  a() {}'], 2],
  ['erasable', 'src/api/a.ts', ['export const enum Colour { Red }'], 2],
  ['erasable', 'src/api/a.ts', ['declare namespace Colours {', '}'], 2],
  ['sql', 'src/search/a.ts', [`const sql = 'SELECT id FROM indicator';`], 2],
  ['sql', 'src/cli/a.ts', ['const sql = `', '  insert into job values (?)`;'], 2],
  ['sql', 'src/cli/a.ts', [`run("update job set dead = 0");`], 2],
  ['sql', 'src/cli/a.ts', [`run('create virtual table job using fts5 (x)');`], 2],
  ['environment', 'src/api/a.ts', [`const home = process.env.HOME;`], 2],
  ['environment', 'src/api/a.ts', [`import { env } from 'node:process';`], 2],
  ['output', 'src/cli/a.ts', ['process.stdout.write(name);'], 2],
  ['output', 'src/main.ts', ['process.stderr.write(name);'], 2],
  ['output', 'src/service/a.ts', ['console.error(name);'], 2],
  ['pure', 'src/domain/a.ts', ['const now = Date.now();'], 2],
  ['pure', 'src/domain/a.ts', ['const now = new Date();'], 2],
  ['pure', 'src/domain/a.ts', ['const now = new Date;'], 2],
  ['pure', 'src/domain/a.ts', ['const chance = Math.random();'], 2],
  ['pure', 'src/domain/a.ts', [`import { randomUUID } from 'node:crypto';`], 2],
  ['pure', 'src/domain/a.ts', [`const page = fetch('https://example.org');`], 2],
  ['suppression', 'src/api/a.ts', ['// biome-ignore lint: because'], 2],
  ['suppression', 'src/api/a.ts', ['// @ts-expect-error'], 2],
  ['length', 'src/api/a.ts', Array.from({ length: 400 }, (_, index) => `const a${index} = 1;`), 401],
];

for (const [rule, path, lines, line] of PLANTED) {
  test(`${rule}: ${lines.find((text) => text !== '')?.trim() ?? path} in ${path}`, () => {
    const faults = faultsWith({ [path]: ['// A plant.', ...lines, ''].join('\n') });
    assert.deepEqual(faults, [`${path}:${line} [${rule}]`]);
  });
}

test('opening: a file that starts with code', () => {
  assert.deepEqual(faultsWith({ 'src/api/a.ts': 'export const a = 1;\n' }), ['src/api/a.ts:1 [opening]']);
});

test('cycle: the way round is told, also through three files and by types alone', () => {
  const faults = findIn(
    {
      'src/domain/a.ts': `// A.\nimport type { B } from './b.ts';\n`,
      'src/domain/b.ts': `// B.\n\nimport { c } from './c.ts';\n`,
      'src/domain/c.ts': `// C.\nimport type { A } from './a.ts';\n`,
    },
    0,
  );
  assert.deepEqual(faults.map(format), [
    'src/domain/c.ts:2 [cycle] imports in a circle: a.ts -> b.ts -> c.ts -> a.ts',
  ]);
});

test('floor: a check that saw too little fails', () => {
  const known = Object.keys(SOUND).length;
  assert.deepEqual(findIn({}, known), []);
  assert.deepEqual(
    findIn({}, known + 1).map(({ rule }) => rule),
    ['floor'],
  );
});

test('every rule is planted', () => {
  const planted = new Set([...PLANTED.map(([rule]) => rule), 'opening', 'floor']);
  assert.deepEqual([...planted].sort(), [...RULES].sort());
});

function faultsWith(planted: Readonly<Record<string, string>>): string[] {
  return findIn(planted, 0).map(({ file, line, rule }) => `${file}:${line} [${rule}]`);
}

/** The faults of the sound house with these files in it. */
function findIn(planted: Readonly<Record<string, string>>, least: number): Fault[] {
  const root = mkdtempSync(join(tmpdir(), 'architecture-'));
  try {
    for (const [path, text] of Object.entries({ ...SOUND, ...planted })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return findFaults(root, least);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function format({ file, line, rule, message }: Fault): string {
  return `${file}:${line} [${rule}] ${message}`;
}
