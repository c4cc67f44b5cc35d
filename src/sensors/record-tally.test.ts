import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refused, withoutObservable } from './reader.ts';
import { RecordTally } from './record-tally.ts';

test('records are counted by what became of them, refusals by reason with the first ten lines', () => {
  const tally = new RecordTally();
  tally.add({ kind: 'events', line: 1, events: [] });
  tally.add(withoutObservable(2));
  tally.add(refused(3, 'NUL_BYTE'));
  for (let line = 4; line < 16; line += 1) tally.add(refused(line, 'INVALID_TAGS'));
  assert.deepEqual([tally.records, tally.withEvents, tally.withoutObservable, tally.refused], [15, 1, 1, 13]);
  assert.deepEqual(
    [...tally.reasons],
    [
      ['INVALID_TAGS', { count: 12, lines: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13] }],
      ['NUL_BYTE', { count: 1, lines: [3] }],
    ],
  );
});
