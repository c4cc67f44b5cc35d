import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import { MATCH_ALL } from '../domain/filter.ts';
import type { SearchBlocks, SearchCriteria } from '../store/indicators.ts';
import { outOfTime } from '../store/patience.ts';
import { createBoundedReads } from './bounded-reads.ts';

const CRITERIA: SearchCriteria = { filter: MATCH_ALL, terms: [], ceiling: 'RED' };
const EMPTY: SearchBlocks = { blocks: [], count: 0, last: undefined, more: false };

/** A store whose searches are quick, slow, or slow even in the thread for them. */
function readers({ quick, patient = true }: { quick: boolean; patient?: boolean }) {
  const patiences: (number | undefined)[] = [];
  const callers: string[] = [];
  const here = async <Result>(patienceMs: number | undefined, result: Result) => {
    patiences.push(patienceMs);
    if (!quick) throw outOfTime();
    return result;
  };
  const there = async <Result>(caller: string, result: Result) => {
    callers.push(caller);
    if (!patient) throw outOfTime();
    return result;
  };
  const reads = createBoundedReads(
    {
      blocks: (_criteria, _limit, _before, patienceMs) => here(patienceMs, EMPTY),
      count: (_criteria, _bound, patienceMs) => here(patienceMs, 7),
    },
    { blocks: (caller) => there(caller, EMPTY), count: (caller) => there(caller, 7) },
  );
  return { reads, patiences, callers };
}

test('a quick search stays in this thread', async () => {
  const { reads, callers } = readers({ quick: true });
  assert.equal(await reads.blocks('a', CRITERIA, 10), EMPTY);
  assert.equal(await reads.count('a', CRITERIA, 10), 7);
  assert.deepEqual(callers, []);
});

test('a slow search goes to the thread for slow ones, the next time after its first row', async () => {
  const { reads, patiences, callers } = readers({ quick: false });
  assert.equal(await reads.blocks('a', CRITERIA, 10), EMPTY);
  assert.equal(await reads.blocks('b', CRITERIA, 10), EMPTY);
  assert.equal(await reads.blocks('b', { ...CRITERIA, ceiling: 'CLEAR' }, 10), EMPTY);
  assert.equal(await reads.count('b', CRITERIA, 10), 7);
  const [first, second, third, fourth] = patiences;
  assert.ok(first !== undefined && first > 0);
  assert.deepEqual([second, third, fourth], [0, first, first]);
  assert.deepEqual(callers, ['a', 'b', 'b', 'b']);
});

test('a search that is too slow there is refused; without its total it is answered', async () => {
  const { reads } = readers({ quick: false, patient: false });
  await assert.rejects(reads.blocks('a', CRITERIA, 10), { code: 'unavailable' });
  assert.equal(await reads.count('a', CRITERIA, 10), undefined);
});

test('a page is answered without its total when too many counts wait', async () => {
  const overloaded = new ServiceError('unavailable', 'overloaded', { reason: 'OVERLOADED' });
  const reads = createBoundedReads(
    { blocks: async () => EMPTY, count: () => Promise.reject(outOfTime()) },
    { blocks: async () => EMPTY, count: () => Promise.reject(overloaded) },
  );
  assert.equal(await reads.count('a', CRITERIA, 10), undefined);
});

test('any other failure is not tried again elsewhere', async () => {
  const damaged = new ServiceError('unavailable', 'damaged', { reason: 'STORE_DAMAGED' });
  const reads = createBoundedReads(
    { blocks: () => Promise.reject(damaged), count: () => Promise.reject(damaged) },
    { blocks: async () => EMPTY, count: async () => 7 },
  );
  await assert.rejects(reads.blocks('a', CRITERIA, 10), damaged);
  await assert.rejects(reads.count('a', CRITERIA, 10), damaged);
});
