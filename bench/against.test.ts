// When a figure counts as fallen.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { falls, fallsAgainst } from './against.ts';
import { type Comparison, type Figure, readRun, writeRun } from './figures.ts';

const MORE: Comparison = { better: 'more', floor: 0.1 };
const LESS: Comparison = { better: 'less', floor: 0.1 };

function fallsOf(before: readonly number[], now: readonly number[], compare?: Comparison) {
  const figure = (rounds: readonly number[]): ReadonlyMap<string, Figure> =>
    new Map([['one', { unit: 'us', rounds, ...(compare === undefined ? {} : { compare }) }]]);
  return falls(figure(before), figure(now));
}

test('a figure falls when it is worse by more than its floor', () => {
  assert.equal(fallsOf([100], [111], LESS).length, 1);
  assert.equal(fallsOf([100], [109], LESS).length, 0);
  assert.equal(fallsOf([100], [89], MORE).length, 1);
  assert.equal(fallsOf([100], [92], MORE).length, 0);
});

test('a figure that got better has not fallen', () => {
  assert.deepEqual(fallsOf([100], [50], LESS), []);
  assert.deepEqual(fallsOf([100], [200], MORE), []);
});

test('rounds that scatter widen the noise, in either run', () => {
  assert.equal(fallsOf([99, 100, 101], [129, 130, 131], LESS).length, 1);
  assert.equal(fallsOf([80, 100, 120], [129, 130, 131], LESS).length, 0);
  assert.equal(fallsOf([99, 100, 101], [90, 130, 170], LESS).length, 0);
});

test('a fall tells by how much, and what counts as noise', () => {
  // A standard deviation of 10 in four rounds is an error of 5.
  const before = [90, 90, 110, 110].map((value) => 100 + (value - 100) * Math.sqrt(3 / 4));
  const [fall] = fallsOf(before, [150], LESS);
  assert.deepEqual(
    { ...fall, noise: fall?.noise.toFixed(6) },
    { name: 'one', unit: 'us', before: 100, now: 150, by: 0.5, noise: '0.150000' },
  );
});

test('figures that are only recorded, or that one run lacks, are not compared', () => {
  assert.deepEqual(fallsOf([100], [500]), []);
  assert.deepEqual(falls(new Map(), new Map([['one', { unit: 'us', rounds: [1], compare: LESS }]])), []);
});

test('a run is read as it was written; runs of two sizes and other files are refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tis-bench-test-'));
  const path = join(folder, 'run.json');
  const figures = new Map([['one', { unit: 'us', rounds: [1, 2], compare: LESS }]]);
  const run = { at: '2026-01-01T00:00:00Z', node: 'v24', indicators: 1_000, figures };
  try {
    writeRun(path, run);
    assert.deepEqual(readRun(path), run);
    assert.throws(
      () => fallsAgainst(readRun(path), { ...run, indicators: 2_000 }),
      /1000 indicators, this one 2000/,
    );
    writeFileSync(path, '{}');
    assert.throws(() => readRun(path), /not a file of npm run bench/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
