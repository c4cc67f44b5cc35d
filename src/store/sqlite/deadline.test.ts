// Statements that are ended because they take too long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from './connection.ts';
import { IN_TIME } from './deadline.ts';
import { OpenFile } from './open-file.ts';

const NUMBERS = `with recursive number (n) as (select 1 union all select n + 1 from number limit 1000)
  select n from number where ${IN_TIME}`;

test('a statement that was ended can be used again', () => {
  const connection = new Connection(new OpenFile(':memory:'), { readOnly: false });
  const reads = [() => connection.rows(NUMBERS), () => [...connection.each(NUMBERS)]];
  for (const ended of reads) {
    for (const again of reads) {
      assert.throws(() => connection.deadline.within(0, ended), { code: 'unavailable' });
      assert.equal(again().length, 1_000);
    }
  }
  connection.close();
});

test('a read that waits for a processor is not ended for it, unless it waits for long', () => {
  const connection = new Connection(new OpenFile(':memory:'), { readOnly: false });
  const read = (wait: number) => () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
    return connection.rows(NUMBERS).length;
  };
  // The patience is over, and the thread has hardly worked.
  assert.equal(connection.deadline.within(50, read(60)), 1_000);
  assert.throws(() => connection.deadline.within(1, read(120)), { code: 'unavailable' });
  connection.close();
});
