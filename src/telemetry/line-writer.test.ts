// When lines leave.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineWriter } from './line-writer.ts';

function writer() {
  const written: string[] = [];
  return { written, line: createLineWriter((text) => void written.push(text)) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('lines of one turn leave together, in order', async () => {
  const { written, line } = writer();
  line('a\n', false);
  line('b\n', false);
  assert.deepEqual(written, []);
  await turn();
  assert.deepEqual(written, ['a\nb\n']);
  line('c\n', false);
  await turn();
  assert.deepEqual(written, ['a\nb\n', 'c\n']);
});

test('an urgent line waits for nothing, and nothing overtakes it', async () => {
  const { written, line } = writer();
  line('a\n', false);
  line('urgent\n', true);
  line('b\n', false);
  assert.deepEqual(written, ['a\nurgent\n']);
  await turn();
  assert.deepEqual(written, ['a\nurgent\n', 'b\n']);
  line('alone\n', true);
  await turn();
  assert.deepEqual(written.at(-1), 'alone\n');
});

test('a turn that writes without end is not held back without end', () => {
  const { written, line } = writer();
  for (let index = 0; index < 1_000; index++) line(`${'x'.repeat(199)}\n`, false);
  assert.equal(written.length, 3);
  assert.ok(written.every((text) => text.length <= 66_000));
});
