import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MINUTE } from '../domain/instant.ts';
import { createLastUse } from './last-use.ts';

const NOW = Date.UTC(2026, 10, 20, 10, 30);

test('each credential is written once a minute, those of one turn together', async () => {
  let now = NOW;
  const written: [readonly string[], number][] = [];
  const note = createLastUse(
    async (credentials, at) => void written.push([credentials, at]),
    () => now,
  );
  for (const credential of ['a', 'b', 'a']) note(credential);
  await nextTurn();
  now += MINUTE - 1;
  for (const credential of ['a', 'c']) note(credential);
  await nextTurn();
  now += 1;
  note('a');
  await nextTurn();
  assert.deepEqual(written, [
    [['a', 'b'], NOW],
    [['c'], NOW + MINUTE - 1],
    [['a'], NOW + MINUTE],
  ]);
});

test('a write that fails is no fault of the request', async () => {
  let now = NOW;
  let writes = 0;
  const note = createLastUse(
    async () => {
      writes += 1;
      throw new Error('no');
    },
    () => now,
  );
  note('a');
  await nextTurn();
  now += MINUTE;
  note('a');
  await nextTurn();
  assert.equal(writes, 2);
});
