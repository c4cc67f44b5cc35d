import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createMemoryLedger } from '../api/http/ledger.ts';
import { createMemoryLimiter } from '../gateway/rate-limit.ts';
import { createSharedLedger, createSharedLimiter } from './shared-limits.ts';
import { SharedTable, sharedTableMemory } from './shared-table.ts';

const POLICY = { name: 'credential', limit: { perMinute: 60, burst: 5 } };

/** Whole numbers below a bound, always the same ones. */
function numbers(): (below: number) => number {
  let state = 42;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

test('limiters on one memory decide together as one limiter does by itself', () => {
  const next = numbers();
  let now = 1_000_000;
  const clock = () => now;
  const memory = sharedTableMemory(1_000);
  const threads = [0, 1, 2].map(() => createSharedLimiter(POLICY, new SharedTable(memory), clock));
  const alone = createMemoryLimiter(POLICY, clock);
  for (let turn = 0; turn < 20_000; turn++) {
    now += next(400);
    const key = `key-${next(40)}`;
    const cost = 1 + next(7);
    assert.deepEqual(threads[next(3)]?.takeNow?.(key, cost), alone.takeNow(key, cost), `turn ${turn}`);
  }
});

test('a thread whose clock is behind gives nobody more', () => {
  const memory = sharedTableMemory(1_000);
  const early = createSharedLimiter(POLICY, new SharedTable(memory), () => 1_000_000);
  const late = createSharedLimiter(POLICY, new SharedTable(memory), () => 1_900_000);
  assert.equal(late.takeNow?.('a', 5).allowed, true);
  assert.equal(early.takeNow?.('a').allowed, false);
  assert.equal(late.takeNow?.('a').allowed, false);
});

test('a flood of callers neither grows the table nor lets one of them take more than his limit', () => {
  const memory = sharedTableMemory(64);
  const limiter = createSharedLimiter(POLICY, new SharedTable(memory), () => 1_000_000);
  assert.equal(limiter.takeNow?.('known', 5).allowed, true);
  const granted = Array.from({ length: 5_000 }, (_, n) => limiter.takeNow?.(`new-${n}`).allowed);
  // Each has a slot or a part of the one bucket for all others.
  const allowed = granted.filter((one) => one).length;
  assert.ok(allowed >= 32 && allowed <= 64 + 5, `${allowed} were allowed`);
  assert.equal(limiter.takeNow?.('known').allowed, false);
});

test('ledgers on one memory count as one ledger does by itself, also without a slot for each owner', () => {
  const next = numbers();
  for (const slots of [32, 1_024]) {
    const memory = sharedTableMemory(slots);
    const threads = [0, 1].map(() => createSharedLedger(new SharedTable(memory)));
    const alone = createMemoryLedger();
    const held: { owner: string; amount: number; place: number }[] = [];
    for (let turn = 0; turn < 5_000; turn++) {
      const thread = threads[next(2)];
      assert.ok(thread);
      const owner = `owner-${next(100)}`;
      const amount = 1 + next(9);
      if (held.length > 200 || next(3) === 0) {
        const [last] = held.splice(next(held.length), 1);
        if (last === undefined) continue;
        thread.add(last.owner, -last.amount, last.place);
        alone.add(last.owner, -last.amount);
      } else {
        const place = thread.add(owner, amount);
        assert.ok(place !== undefined);
        alone.add(owner, amount);
        held.push({ owner, amount, place });
      }
      assert.equal(thread.total, alone.total);
      if (slots === 1_024) assert.equal(thread.of(owner), alone.of(owner));
      // Never less: who has no slot is judged with the others that have none.
      else assert.ok(thread.of(owner) >= alone.of(owner) || held.length > slots);
    }
    for (const { owner, amount, place } of held) threads[0]?.add(owner, -amount, place);
    assert.equal(threads[1]?.total, 0);
    assert.equal(threads[1]?.of('owner-1'), 0);
  }
});

test('what is not allowed is not added, and is told the amounts', () => {
  const ledger = createSharedLedger(new SharedTable(sharedTableMemory(32)));
  ledger.add('a', 3);
  ledger.add('b', 4);
  const seen: number[][] = [];
  const refused = ledger.add('a', 9, undefined, (...amounts) => seen.push(amounts) < 0);
  assert.deepEqual([refused, seen, ledger.of('a'), ledger.total], [undefined, [[3, 7]], 3, 7]);
});

/** Adds 1 in turn to a few owners, and ends. */
const ENTRY = `
  import { workerData } from 'node:worker_threads';
  import { createSharedLedger } from ${JSON.stringify(new URL('./shared-limits.ts', import.meta.url).href)};
  import { SharedTable } from ${JSON.stringify(new URL('./shared-table.ts', import.meta.url).href)};
  const ledger = createSharedLedger(new SharedTable(workerData));
  for (let turn = 0; turn < 30_000; turn++) ledger.add('owner-' + (turn % 3), 1);
`;

test('threads that add at the same time lose nothing', async () => {
  const memory = sharedTableMemory(32);
  const ends = [0, 1, 2].map(
    () =>
      new Promise((resolve, reject) => {
        const entry = new URL(`data:text/javascript,${encodeURIComponent(ENTRY)}`);
        new Worker(entry, { workerData: memory }).on('error', reject).on('exit', resolve);
      }),
  );
  await Promise.all(ends);
  const ledger = createSharedLedger(new SharedTable(memory));
  assert.deepEqual(
    [0, 1, 2].map((n) => ledger.of(`owner-${n}`)),
    [30_000, 30_000, 30_000],
  );
});
