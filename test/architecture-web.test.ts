// The rules of the web application (docs/web-application.md): pages know no other page, parts know no page and ask nobody,
// only api/ talks to the service, and nothing of the server is in it.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../web/src/', import.meta.url));
const LEAST_FILES = 60;
const LONGEST_FILE = 400;

/** What a folder may import besides itself. `.` is main.tsx. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  '.': ['app'],
  app: ['api', 'parts', 'text', 'pages'],
  pages: ['api', 'app', 'parts', 'text'],
  parts: ['text'],
  text: [],
  api: [],
};
/** Of these, other folders than api/ may import types only, and the error, which is a value of every answer. */
const TYPES_FOR_PARTS = /^api\/(?:service-error)\.ts$/;
const FORBIDDEN: readonly (readonly [rule: string, pattern: RegExp, except: RegExp])[] = [
  [
    'only api/ talks to the service',
    /\bfetch\s*\(|\bnew\s+(?:EventSource|XMLHttpRequest|WebSocket)\b/,
    /^api\//,
  ],
  [
    'text is never markup',
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/,
    /^$/,
  ],
  ['exports have names', /^export default\b/m, /^$/],
  ['mend the cause', /biome-ignore|@ts-(?:ignore|expect-error|nocheck)/, /^$/],
];

interface Source {
  readonly path: string;
  readonly text: string;
}

test('the web application keeps its rules', () => {
  const sources = read();
  assert.ok(sources.length >= LEAST_FILES, `saw ${sources.length} files`);
  assert.deepEqual(sources.flatMap(faultsOf), []);
});

for (const [path, line, fault] of [
  ['pages/a/a.tsx', `import { B } from '../b/b.tsx';`, 'pages must not import another page'],
  ['pages/a/a.tsx', `import { x } from '../../../../src/domain/tlp.ts';`, 'imports what is not of web/src'],
  ['parts/a.tsx', `import { call } from '../api/client.ts';`, 'parts must not import api'],
  ['parts/a.tsx', `import { useSession } from '../app/session.tsx';`, 'parts must not import app'],
  ['pages/a/a.tsx', `fetch('/v1/usage');`, 'only api/ talks to the service'],
  ['parts/a.tsx', `element.innerHTML = text;`, 'text is never markup'],
  ['pages/a/Page.tsx', '', 'names are in kebab-case'],
] as const) {
  test(`web: ${fault}`, () => {
    assert.deepEqual(faultsOf({ path, text: `// A plant.\n${line}\n` }), [`${path}: ${fault}`]);
  });
}

function faultsOf({ path, text }: Source): string[] {
  const [folder = ''] = path.includes('/') ? path.split('/') : ['.'];
  const faults = new Set<string>();
  for (const [, types, target = ''] of text.matchAll(
    /^(?:import|export)(\s+type)?\b[^'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm,
  )) {
    const to = join(dirname(path), target);
    const [top = ''] = to.split('/');
    if (to.startsWith('..')) faults.add('imports what is not of web/src');
    else if (folder === 'pages' && top === 'pages' && to.split('/')[1] !== path.split('/')[1])
      faults.add('pages must not import another page');
    else if (top !== folder && ARROWS[folder]?.includes(top) !== true) {
      const isType = top === 'api' && (types !== undefined || TYPES_FOR_PARTS.test(to));
      if (!isType || (folder !== 'parts' && folder !== 'text'))
        faults.add(`${folder} must not import ${top}`);
    }
  }
  for (const [rule, pattern, except] of FORBIDDEN) {
    if (pattern.test(text) && !except.test(path)) faults.add(rule);
  }
  if (!/^[a-z0-9/-]+(?:\.test|\.d)?\.tsx?$/.test(path)) faults.add('names are in kebab-case');
  if (!path.endsWith('.test.ts') && !text.startsWith('// '))
    faults.add('the first line says what lives here');
  if (text.split('\n').length > LONGEST_FILE && path !== 'api/contract.ts') faults.add('more than one idea');
  return [...faults].map((fault) => `${path}: ${fault}`);
}

function read(): Source[] {
  return readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}
