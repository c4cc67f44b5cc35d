// The rate limits: the algorithm, its fields, and the buckets in memory.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addressKey,
  createMemoryLimiter,
  limitExceeded,
  type RateLimit,
  type RatePolicy,
  rateLimitFields,
  spend,
} from './rate-limit.ts';

const START = Date.UTC(2026, 10, 20);
const DEFAULT: RateLimit = { perMinute: 6_000, burst: 2_000 };

const limits = fc.record({
  perMinute: fc.integer({ min: 1, max: 100_000 }),
  burst: fc.integer({ min: 1, max: 50 }),
});
const requests = fc.array(
  fc.record({
    wait: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(120_000)),
    cost: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 60 },
);

interface Grant {
  readonly at: number;
  readonly cost: number;
}

/** In each window of time, the grants are at most the burst plus the units that flowed back. */
function assertNeverMore(grants: readonly Grant[], limit: RateLimit): void {
  for (const [index, first] of grants.entries()) {
    let granted = 0;
    for (const grant of grants.slice(index)) {
      granted += grant.cost;
      const refilled = ((grant.at - first.at) * limit.perMinute) / 60_000;
      assert.ok(granted <= limit.burst + refilled, `${granted} granted, ${limit.burst} + ${refilled} due`);
    }
  }
}

describe('spend', () => {
  it('grants the burst at once, then one per interval', () => {
    let state = 0;
    for (let count = 0; count < 2_000; count++) {
      const spending = spend(state, DEFAULT, 1, START);
      assert.equal(spending.allowed, true);
      assert.equal(spending.remaining, 1_999 - count);
      state = spending.state;
    }
    assert.deepEqual(spend(state, DEFAULT, 1, START), {
      allowed: false,
      remaining: 0,
      resetMs: 20_000,
      retryAfterMs: 10,
      state,
    });
    assert.equal(spend(state, DEFAULT, 1, START + 9).allowed, false);
    assert.equal(spend(state, DEFAULT, 1, START + 10).allowed, true);
    assert.equal(spend(state, DEFAULT, 2_000, START + 20_000).allowed, true);
  });

  it('never refuses who keeps to the rate', () => {
    let state = 0;
    for (let count = 0; count < 10_000; count++) {
      const spending = spend(state, { perMinute: 6_000, burst: 1 }, 1, START + 10 * count);
      assert.equal(spending.allowed, true);
      state = spending.state;
    }
  });

  it('never grants more than the burst and the refill in any window', () => {
    fc.assert(
      fc.property(limits, requests, (limit, asked) => {
        const grants: Grant[] = [];
        let [state, at] = [0, START];
        for (const { wait, cost } of asked) {
          at += wait;
          const spending = spend(state, limit, cost, at);
          state = spending.state;
          if (spending.allowed) grants.push({ at, cost: Math.min(cost, limit.burst) });
        }
        assertNeverMore(grants, limit);
      }),
    );
  });

  it('grants exactly what it said remains, and refuses the next', () => {
    fc.assert(
      fc.property(limits, requests, (limit, asked) => {
        let [state, at] = [0, START];
        for (const { wait, cost } of asked) {
          at += wait;
          let spending = spend(state, limit, cost, at);
          state = spending.state;
          let trial = state;
          for (let count = spending.remaining; count > 0; count--) {
            spending = spend(trial, limit, 1, at);
            assert.equal(spending.allowed, true);
            trial = spending.state;
          }
          assert.equal(spend(trial, limit, 1, at).allowed, false);
        }
      }),
    );
  });

  it('grants after the wait it asked for and not a millisecond before, and is full after the reset', () => {
    fc.assert(
      fc.property(limits, requests, (limit, asked) => {
        let [state, at] = [0, START];
        for (const { wait, cost } of asked) {
          at += wait;
          const { allowed, retryAfterMs, resetMs, state: next } = spend(state, limit, cost, at);
          if (allowed) assert.equal(retryAfterMs, 0);
          else {
            assert.ok(retryAfterMs > 0);
            assert.equal(spend(next, limit, cost, at + retryAfterMs - 1).allowed, false);
            assert.equal(spend(next, limit, cost, at + retryAfterMs).allowed, true);
          }
          assert.equal(spend(next, limit, limit.burst, at + resetMs).allowed, true);
          state = next;
        }
      }),
    );
  });

  it('charges nothing for a refusal', () => {
    const { state } = spend(0, { perMinute: 60, burst: 1 }, 1, START);
    const refused = spend(state, { perMinute: 60, burst: 1 }, 1, START + 500);
    assert.equal(refused.allowed, false);
    assert.equal(spend(refused.state, { perMinute: 60, burst: 1 }, 1, START + 1_000).allowed, true);
  });

  it('takes a cost above the burst for the whole burst', () => {
    const spending = spend(0, { perMinute: 60, burst: 5 }, 100, START);
    assert.deepEqual([spending.allowed, spending.remaining], [true, 0]);
  });

  it('survives a clock that steps back: no extra grants, no lock-out', () => {
    const steps = fc.array(
      fc.record({ wait: fc.nat(2_000), back: fc.oneof(fc.constant(0), fc.nat(7_200_000)) }),
    );
    fc.assert(
      fc.property(limits, steps, (limit, asked) => {
        const grants: Grant[] = [];
        let [state, real, wall] = [0, START, START];
        for (const { wait, back } of asked) {
          real += wait;
          wall += wait - back;
          const spending = spend(state, limit, 1, wall);
          state = spending.state;
          if (spending.allowed) grants.push({ at: real, cost: 1 });
          const full = Math.ceil((Math.ceil(60e6 / limit.perMinute) * limit.burst) / 1_000);
          assert.ok(spending.resetMs <= full);
        }
        assertNeverMore(grants, limit);
      }),
    );
  });
});

describe('rateLimitFields', () => {
  it('writes the draft-11 lists', () => {
    const decision = { allowed: true, remaining: 1_500, resetMs: 5_000, retryAfterMs: 0 };
    assert.deepEqual(rateLimitFields({ name: 'default', limit: DEFAULT })(decision), {
      'ratelimit-policy': '"default";q=2000;w=20',
      ratelimit: '"default";r=1500;t=5',
    });
  });

  it('tells a refused caller when to come back, in whole seconds that are enough', () => {
    const decision = { allowed: false, remaining: 0, resetMs: 20_000, retryAfterMs: 1_001 };
    assert.deepEqual(rateLimitFields({ name: 'default', limit: DEFAULT })(decision), {
      'ratelimit-policy': '"default";q=2000;w=20',
      ratelimit: '"default";r=0;t=2',
    });
  });

  it('never promises more than is granted', () => {
    fc.assert(
      fc.property(limits, requests, (limit, asked) => {
        let [state, at] = [0, START];
        for (const { wait, cost } of asked) {
          at += wait;
          const spending = spend(state, limit, cost, at);
          state = spending.state;
          const fields = rateLimitFields({ name: 'p', limit })(spending);
          const [, available, reset] = /;r=(\d+);t=(\d+)$/.exec(fields.ratelimit) ?? [];
          if (Number(available) > 0) assert.equal(spend(state, limit, Number(available), at).allowed, true);
          if (!spending.allowed) {
            assert.equal(spend(state, limit, cost, at + 1_000 * Number(reset)).allowed, true);
          }
          const [, quota, window] = /;q=(\d+);w=(\d+)$/.exec(fields['ratelimit-policy']) ?? [];
          assert.equal(spend(state, limit, Number(quota), at + 1_000 * Number(window)).allowed, true);
        }
      }),
    );
  });
});

describe('createMemoryLimiter', () => {
  it('keeps callers apart', async () => {
    const limiter = createMemoryLimiter(policy(60, 2), () => START);
    for (let client = 0; client < 50; client++) {
      const allowed: boolean[] = [];
      for (let count = 0; count < 3; count++) allowed.push((await limiter.take(`client ${client}`)).allowed);
      assert.deepEqual(allowed, [true, true, false]);
    }
  });

  it('counts calls that overlap one by one', async () => {
    const limiter = createMemoryLimiter(policy(60, 2), () => START);
    const decisions = await Promise.all([1, 2, 3].map(() => limiter.take('key')));
    assert.deepEqual(
      decisions.map(({ allowed }) => allowed),
      [true, true, false],
    );
  });

  it('holds fifty clients of one key to the limit of one', async () => {
    let now = START;
    const limiter = createMemoryLimiter({ name: 'key', limit: DEFAULT }, () => now);
    let granted = 0;
    for (let tick = 0; tick < 60_000; tick += 10) {
      now = START + tick;
      for (let client = 0; client < 50; client++) if ((await limiter.take('key')).allowed) granted++;
    }
    assert.equal(granted, 2_000 + 5_999);
  });

  it('drops full buckets', async () => {
    let now = START;
    const limiter = createMemoryLimiter(policy(60, 1), () => now);
    for (let address = 0; address < 1_000; address++) await limiter.take(`${address}`);
    assert.equal(limiter.size, 1_000);
    now += 1_000;
    for (let address = 0; address < 400; address++) await limiter.take(`again ${address}`);
    assert.ok(limiter.size <= 400, `${limiter.size} kept`);
  });

  it('stays bounded under a flood, forgets nothing that was used and lets the flood share one bucket', async () => {
    const limiter = createMemoryLimiter(policy(1, 3), () => START, 100);
    for (let count = 0; count < 3; count++) assert.equal((await limiter.take('early')).allowed, true);
    let granted = 0;
    for (let address = 0; address < 10_000; address++)
      if ((await limiter.take(`flood ${address}`)).allowed) granted++;
    assert.equal(limiter.size, 100);
    assert.equal(granted, 99 + 3);
    assert.equal((await limiter.take('early')).allowed, false);
  });

  it('empties its table after the clock stepped back', async () => {
    let now = START;
    const limiter = createMemoryLimiter(policy(60, 1), () => now, 10);
    for (let address = 0; address < 10; address++) await limiter.take(`${address}`);
    now -= 3_600_000;
    for (let count = 0; count < 10; count++) await limiter.take('newcomer');
    now += 2_000;
    for (let count = 0; count < 10; count++) await limiter.take(`newcomer ${count}`);
    assert.equal((await limiter.take('newcomer of its own')).allowed, true);
  });

  it('refuses a limit that is no positive whole number', () => {
    for (const bad of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => createMemoryLimiter(policy(bad, 1), () => START), RangeError);
      assert.throws(() => createMemoryLimiter(policy(1, bad), () => START), RangeError);
      assert.throws(() => createMemoryLimiter(policy(1, 1), () => START, bad), RangeError);
    }
  });
});

describe('limitExceeded', () => {
  it('says when to come back', async () => {
    const limiter = createMemoryLimiter(policy(60, 1), () => START);
    await limiter.take('key');
    const error = limitExceeded(policy(60, 1), await limiter.take('key'));
    assert.equal(error.code, 'resource_exhausted');
    assert.equal(error.details.retryAfterMs, 1_000);
  });
});

function policy(perMinute: number, burst: number): RatePolicy {
  return { name: 'key', limit: { perMinute, burst } };
}

describe('addressKey', () => {
  it('is the IPv4 address, mapped or not', () => {
    assert.equal(addressKey('192.0.2.1'), '192.0.2.1');
    assert.equal(addressKey('::ffff:192.0.2.1'), '192.0.2.1');
    assert.notEqual(addressKey('192.0.2.1'), addressKey('192.0.2.2'));
  });

  it('is the same for a whole IPv6 /64', () => {
    assert.equal(addressKey('2001:db8:0:1::1'), addressKey('2001:db8::1:ffff:ffff:ffff:ffff'));
    assert.notEqual(addressKey('2001:db8:0:1::1'), addressKey('2001:db8:0:2::1'));
    assert.equal(addressKey('fe80::1%eth0'), addressKey('fe80::2'));
  });

  it('is one key for everything unreadable', () => {
    assert.equal(addressKey(''), addressKey('/tmp/socket'));
  });
});
