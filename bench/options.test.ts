// The options of the benchmark.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './options.ts';

test('counts can have a unit', () => {
  const { indicators, growTo, pagesPerSecond } = readOptions(['--indicators', '20k', '--grow-to', '300k,1M']);
  assert.deepEqual(
    { indicators, growTo, pagesPerSecond },
    { indicators: 20_000, growTo: [300_000, 1_000_000], pagesPerSecond: 500 },
  );
});

test('a wrong value is named', () => {
  assert.throws(
    () => readOptions(['--indicators', '1.5M']),
    /--indicators: "1.5M" is not a whole number from 1000/,
  );
  assert.throws(() => readOptions(['--rounds', '0']), /--rounds: "0"/);
  assert.throws(
    () => readOptions(['--indicators', '20k', '--grow-to', '20k']),
    /--grow-to: "20k" .* from 20001/,
  );
  assert.throws(() => readOptions(['--grow-to', '1M,300k']), /--grow-to: "300k" .* from 1000001/);
  assert.throws(() => readOptions(['--fill', '--indicators', '1k']), /--indicators: "1k" .* from 5000/);
  assert.throws(() => readOptions(['--grow-to', '1M', '--store', 'x']), /use it without --store/);
  assert.throws(() => readOptions(['20000']));
});
