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
