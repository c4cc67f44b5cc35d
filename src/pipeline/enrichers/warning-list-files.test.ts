import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { ServiceError } from '../../domain/errors.ts';
import { readWarningLists } from './warning-list-files.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'warning-lists-'));
after(() => rmSync(ROOT, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

const LIST = { name: 'Names', version: 20_260_101, description: 'd', list: ['example.com'] };

test('a folder of lists, a checkout and a list alone', async () => {
  write('many/b/list.json', { ...LIST, name: 'B', type: 'hostname', matching_attributes: ['domain'] });
  write('many/a/list.json', { ...LIST, name: 'A\u0007 \n list' });
  write('many/other/readme.md', 'nothing');
  write('many/README.md', 'nothing');
  write('checkout/lists/c/list.json', LIST);
  write('checkout/tools/x.py', '');
  const { lists } = await readWarningLists([
    join(ROOT, 'many'),
    join(ROOT, 'checkout'),
    join(ROOT, 'many/a'),
  ]);
  const a = {
    id: 'a',
    name: 'A list',
    version: '20260101',
    kind: 'string',
    attributes: [],
    entries: ['example.com'],
  };
  assert.deepEqual(lists, [
    a,
    { ...a, id: 'b', name: 'B', kind: 'hostname', attributes: ['domain'] },
    { ...a, id: 'c', name: 'Names' },
    a,
  ]);
});

test('lists of regular expressions are skipped, and told', async () => {
  write('regex/a/list.json', { ...LIST, name: 'Patterns', type: 'regex', list: ['(a+)+$'] });
  write('regex/b/list.json', LIST);
  const { lists, skipped } = await readWarningLists([join(ROOT, 'regex')]);
  assert.deepEqual(skipped, ['Patterns']);
  assert.equal(lists.length, 1);
});

test('what is not a list is refused by the name of its file', async () => {
  const bad = {
    'no-json': '{',
    'no-object': '7',
    null: 'null',
    'no-name': { ...LIST, name: ' ' },
    'no-list': { ...LIST, list: 'example.com' },
    'odd-entries': { ...LIST, list: ['example.com', 7] },
    'odd-type': { ...LIST, type: 'glob' },
    'odd-attributes': { ...LIST, matching_attributes: 'domain' },
  };
  for (const [name, content] of Object.entries(bad)) {
    write(`bad/${name}/list.json`, content);
    await rejects(join(ROOT, 'bad', name), join(ROOT, 'bad', name, 'list.json'));
  }
  mkdirSync(join(ROOT, 'empty'));
  await rejects(join(ROOT, 'empty'), join(ROOT, 'empty'));
  await rejects(join(ROOT, 'missing'), join(ROOT, 'missing'));
});

async function rejects(folder: string, named: string): Promise<void> {
  await assert.rejects(
    readWarningLists([folder]),
    (error) =>
      error instanceof ServiceError &&
      error.code === 'failed_precondition' &&
      error.message.startsWith(`${named} `),
  );
}
