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

test('lists of regular expressions are skipped and named', async () => {
  write('regex/a/list.json', { ...LIST, name: 'Patterns', type: 'regex', list: ['(a+)+$'] });
  write('regex/b/list.json', LIST);
  const { lists, skipped } = await readWarningLists([join(ROOT, 'regex')]);
  assert.deepEqual(skipped, ['Patterns']);
  assert.equal(lists.length, 1);
});

test('a file that is not a list is refused with its path and its faults', async () => {
  const bad: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'no-json': ['{', / is not JSON$/],
    'no-object': ['7', / is not a warning list: expected object, received number$/],
    null: ['null', / is not a warning list: expected object, received null$/],
    'no-name': [{ ...LIST, name: ' ' }, /: name: must not be blank$/],
    'no-list': [{ ...LIST, list: 'example.com' }, /: list: expected array, received string$/],
    'odd-entries': [{ ...LIST, list: ['a', 7] }, /: list\[1\]: expected string, received number$/],
    'odd-type': [{ ...LIST, type: 'glob' }, /: type: expected one of "string"\|.*"regex"$/],
    'odd-attributes': [{ ...LIST, matching_attributes: 'domain' }, /: matching_attributes: expected array/],
    'many-faults': [{ ...LIST, list: [1, 2, 3, 4, 5, 6, 7] }, /; list\[4\]: [^;]*; 2 more$/],
  };
  for (const [name, [content, fault]] of Object.entries(bad)) {
    write(`bad/${name}/list.json`, content);
    await rejects(join(ROOT, 'bad', name), join(ROOT, 'bad', name, 'list.json'), fault);
  }
  mkdirSync(join(ROOT, 'empty'));
  await rejects(join(ROOT, 'empty'), join(ROOT, 'empty'), / has no list\.json/);
  await rejects(join(ROOT, 'missing'), join(ROOT, 'missing'), / does not exist$/);
});

async function rejects(folder: string, named: string, fault: RegExp): Promise<void> {
  await assert.rejects(
    readWarningLists([folder]),
    (error) =>
      error instanceof ServiceError &&
      error.code === 'failed_precondition' &&
      error.message.startsWith(`${named} `) &&
      fault.test(error.message),
  );
}
