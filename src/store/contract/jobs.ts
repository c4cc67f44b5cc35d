// Rules of the job queue: one job for each indicator, leased by one worker at a time, and never lost.

import assert from 'node:assert/strict';
import { MINUTE } from '../../domain/instant.ts';
import type { Job } from '../jobs.ts';
import type { Stores } from '../stores.ts';
import { idOf, keyOf, NOW, save } from './fixtures.ts';
import type { Rule } from './rule.ts';

const [A, B, C] = ['a', 'b', 'c'].map((value) => idOf(value)) as [string, string, string];

export function describeJobs(rule: Rule): void {
  rule('a claim leases due jobs, the oldest first, at most as many as asked for', async ({ stores }) => {
    await enqueue(stores, [C], NOW - 2);
    await enqueue(stores, [A], NOW - 3);
    await enqueue(stores, [B], NOW - 1);
    const first = await claim(stores, NOW, 2);
    assert.deepEqual(first.map(idAndAttempts), [`${A} 0`, `${C} 0`]);
    assert.deepEqual((await claim(stores, NOW)).map(idAndAttempts), [`${B} 0`]);
    assert.deepEqual(await claim(stores, NOW), []);
  });

  rule('jobs that became due in one minute are claimed in the order of their views', async ({ stores }) => {
    const minute = Math.floor(NOW / MINUTE) * MINUTE;
    await save(
      stores,
      ['c', 'a', 'b'].map((value) => ({ value })),
    );
    await enqueue(stores, [A], minute - 1);
    await enqueue(stores, [B], minute);
    await enqueue(stores, [C], minute + 1);
    assert.deepEqual(
      (await claim(stores, minute + 1)).map(({ indicatorId }) => indicatorId),
      [A, C, B],
    );
  });

  rule('all views are queued again in steps, the newest first, once for each generation', async (opened) => {
    const { stores } = opened;
    const requeue = (generation: number, limit: number, on = stores) =>
      on.write((tx) => tx.requeue(generation, limit, NOW));
    const claimed = async (on = stores) => {
      const jobs = await claim(on, NOW);
      await complete(on, jobs);
      return jobs.map(({ indicatorId }) => indicatorId);
    };
    assert.equal(await requeue(1, 2), false, 'there is none');
    await save(
      stores,
      ['a', 'b', 'c'].map((value) => ({ value })),
    );
    assert.equal(await requeue(1, 2), false, 'what came later was made with the data of this generation');
    assert.deepEqual(await claimed(), []);
    assert.equal(await requeue(2, 2), true);
    assert.deepEqual((await claimed()).sort(), [B, C].sort());
    const again = await opened.reopen();
    assert.equal(await requeue(2, 2, again), false, 'it goes on where it was');
    assert.deepEqual(await claimed(again), [A]);
    assert.equal(await requeue(2, 2, again), false);
    assert.equal(await requeue(1, 2, again), false, 'a lower one is past');
    assert.deepEqual(await claimed(again), []);
    assert.equal(await requeue(3, 9, again), false);
    assert.equal((await claimed(again)).length, 3);
  });

  rule('a job is not due before the instant it was queued at', async ({ stores }) => {
    await enqueue(stores, [A], NOW);
    assert.deepEqual(await claim(stores, NOW - 1), []);
    assert.equal((await claim(stores, NOW)).length, 1);
  });

  rule(
    'the next job is due when it was queued, when its lease ends, or when it was put back to',
    async ({ stores }) => {
      assert.equal(await stores.jobs.nextDueAt(), undefined);
      await enqueue(stores, [A], NOW - 2);
      await enqueue(stores, [B], NOW - 1);
      assert.equal(await stores.jobs.nextDueAt(), NOW - 2);
      const [a] = (await claim(stores, NOW, 1)) as [Job];
      assert.equal(await stores.jobs.nextDueAt(), NOW - 1);
      const [b] = (await claim(stores, NOW, 1)) as [Job];
      assert.equal(await stores.jobs.nextDueAt(), NOW + MINUTE);
      await fail(stores, [a], 'later', NOW + 5);
      assert.equal(await stores.jobs.nextDueAt(), NOW + 5);
      await fail(stores, [a, b], 'never', undefined);
      await fail(stores, await claim(stores, NOW + 5), 'never', undefined);
      assert.equal(await stores.jobs.nextDueAt(), undefined, 'dead letters wait for the operator');
    },
  );

  rule('jobs that would be due too late can be made due, also leased ones', async ({ stores }) => {
    const hasten = (latest: number, now: number) => stores.write((tx) => tx.hastenJobs(latest, now));
    await enqueue(stores, [A], NOW + 5 * MINUTE);
    await enqueue(stores, [B, C], NOW);
    const [leased] = (await claim(stores, NOW, 1)) as [Job];
    assert.equal(await hasten(NOW + 5 * MINUTE, NOW), 0);
    assert.equal(await hasten(NOW + 2 * MINUTE, NOW), 1);
    assert.equal(await hasten(NOW, NOW - 1), 1);
    const due = await claim(stores, NOW);
    assert.deepEqual(due.map(({ indicatorId }) => indicatorId).sort(), [A, B, C].sort());
    await complete(stores, [leased]);
    assert.equal((await stores.jobs.counts()).pending, 3, 'the earlier lease has ended');
  });

  rule('an indicator has one job, however often it is queued', async ({ stores }) => {
    await enqueue(stores, [A, A, B], NOW);
    await enqueue(stores, [A], NOW + 1);
    assert.deepEqual(await stores.jobs.counts(), { pending: 2, dead: 0, oldestQueuedAt: NOW });
    assert.equal((await claim(stores, NOW + 1)).length, 2);
  });

  rule('whether a view has a job: also a leased one and a dead letter', async ({ stores }) => {
    const have = (...ids: readonly string[]) => stores.write((tx) => tx.haveJobs(ids.map(keyOf)));
    await enqueue(stores, [A, B], NOW);
    assert.deepEqual(await have(C, A, B), [false, true, true]);
    assert.deepEqual(await stores.write((tx) => tx.haveJobs([{ indicatorId: A, marking: 'RED' }])), [false]);
    const jobs = await claim(stores, NOW);
    await fail(
      stores,
      jobs.filter(({ indicatorId }) => indicatorId === A),
      'failed',
      undefined,
    );
    assert.deepEqual(await have(A, B), [true, true]);
    await complete(stores, jobs);
    assert.deepEqual(await have(A, B), [true, false]);
  });

  rule('a completed job is gone', async ({ stores }) => {
    await enqueue(stores, [A, B], NOW);
    const jobs = await claim(stores, NOW);
    await complete(stores, jobs);
    assert.deepEqual(await stores.jobs.counts(), { pending: 0, dead: 0 });
    assert.deepEqual(await claim(stores, NOW + MINUTE), []);
  });

  rule('a lease that ran out is due again, under a new token', async ({ stores }) => {
    await enqueue(stores, [A], NOW);
    const [old] = await claim(stores, NOW);
    assert.deepEqual(await claim(stores, NOW + MINUTE - 1), []);
    const [renewed] = await claim(stores, NOW + MINUTE);
    assert.equal(renewed?.indicatorId, A);
    assert.notEqual(renewed?.token, old?.token);
  });

  rule('the token of an old lease changes nothing', async ({ stores }) => {
    await enqueue(stores, [A], NOW);
    const old = await claim(stores, NOW);
    const renewed = await claim(stores, NOW + MINUTE);
    await complete(stores, old);
    await fail(stores, old, 'late', undefined);
    assert.deepEqual(await stores.jobs.counts(), { pending: 1, dead: 0, oldestQueuedAt: NOW });
    await complete(stores, renewed);
    assert.deepEqual(await stores.jobs.counts(), { pending: 0, dead: 0 });
  });

  rule('a lease that nobody else took over may still be completed', async ({ stores }) => {
    await enqueue(stores, [A], NOW);
    await complete(stores, await claim(stores, NOW));
    assert.equal((await stores.jobs.counts()).pending, 0);
  });

  rule('a lease ends with the first completion or failure: a second changes nothing', async ({ stores }) => {
    await enqueue(stores, [A, B], NOW);
    const [a, b] = (await claim(stores, NOW)).toSorted((x) => (x.indicatorId === A ? -1 : 1)) as [Job, Job];
    await fail(stores, [a], 'first', NOW + 1);
    await fail(stores, [a], 'second', undefined);
    await complete(stores, [a]);
    assert.deepEqual((await claim(stores, NOW + 1)).map(idAndAttempts), [`${A} 1`]);
    await enqueue(stores, [B], NOW + 1);
    await complete(stores, [b]);
    await complete(stores, [b]);
    assert.deepEqual((await claim(stores, NOW + 1)).map(idAndAttempts), [`${B} 0`]);
  });

  rule(
    'queued while leased, a job is not leased twice and runs once more after completion',
    async ({ stores }) => {
      await enqueue(stores, [A], NOW);
      const jobs = await claim(stores, NOW);
      await enqueue(stores, [A], NOW + 5);
      await enqueue(stores, [A], NOW + 7);
      assert.deepEqual(await claim(stores, NOW + 10), []);
      await complete(stores, jobs);
      // The job has been waiting since the change that the first run did not see.
      assert.deepEqual(await stores.jobs.counts(), { pending: 1, dead: 0, oldestQueuedAt: NOW + 5 });
      const again = await claim(stores, NOW + 10);
      assert.deepEqual(again.map(idAndAttempts), [`${A} 0`]);
      await complete(stores, again);
      assert.equal((await stores.jobs.counts()).pending, 0);
    },
  );

  rule('a claim after the lease ran out serves what was queued during it', async ({ stores }) => {
    await enqueue(stores, [A], NOW);
    await claim(stores, NOW);
    await enqueue(stores, [A], NOW + 1);
    await complete(stores, await claim(stores, NOW + MINUTE));
    assert.equal((await stores.jobs.counts()).pending, 0);
  });

  rule('a failed job is due at the instant given, with one more attempt', async ({ stores }) => {
    await enqueue(stores, [A], NOW);
    await fail(stores, await claim(stores, NOW), 'resolver timed out', NOW + 100);
    assert.deepEqual(await stores.jobs.counts(), { pending: 1, dead: 0, oldestQueuedAt: NOW });
    assert.deepEqual(await claim(stores, NOW + 99), []);
    const retry = await claim(stores, NOW + 100);
    assert.deepEqual(retry.map(idAndAttempts), [`${A} 1`]);
    await fail(stores, retry, 'resolver timed out', NOW + 200);
    assert.deepEqual((await claim(stores, NOW + 200)).map(idAndAttempts), [`${A} 2`]);
  });

  rule('queued again, a job that waits for its retry is due at once', async ({ stores }) => {
    await enqueue(stores, [A], NOW);
    await fail(stores, await claim(stores, NOW), 'failed', NOW + MINUTE);
    await enqueue(stores, [A], NOW + 1);
    assert.deepEqual((await claim(stores, NOW + 1)).map(idAndAttempts), [`${A} 1`]);
  });

  rule('a job given up is a dead letter: shown with its error, claimed by nobody', async ({ stores }) => {
    await enqueue(stores, [A, B], NOW);
    const [a, b] = (await claim(stores, NOW)) as [Job, Job];
    await fail(stores, [a], 'bad record: ж 😀', undefined);
    assert.deepEqual(await stores.jobs.counts(), { pending: 1, dead: 1, oldestQueuedAt: NOW });
    assert.deepEqual(await stores.jobs.dead(10), [
      { ...keyOf(a.indicatorId), attempts: 1, queuedAt: NOW, error: 'bad record: ж 😀' },
    ]);
    await fail(stores, [b], 'too', undefined);
    assert.equal((await stores.jobs.dead(1)).length, 1);
    assert.deepEqual(await stores.jobs.counts(), { pending: 0, dead: 2 });
    assert.deepEqual(await claim(stores, NOW + 100 * MINUTE), []);
  });

  rule('a dead letter is revived alone or with all, with its attempts at zero', async ({ stores }) => {
    await enqueue(stores, [A, B, C], NOW);
    await fail(stores, await claim(stores, NOW), 'failed', undefined);
    assert.equal(await revive(stores, B, NOW + 1), 1);
    assert.equal(await revive(stores, B, NOW + 1), 0);
    assert.equal(await revive(stores, idOf('nowhere'), NOW + 1), 0);
    assert.equal(await revive(stores, 'not an id', NOW + 1), 0);
    assert.deepEqual(await stores.jobs.counts(), { pending: 1, dead: 2, oldestQueuedAt: NOW + 1 });
    assert.deepEqual((await claim(stores, NOW + 1)).map(idAndAttempts), [`${B} 0`]);
    assert.equal(await revive(stores, undefined, NOW + 2), 2);
    assert.deepEqual(await stores.jobs.dead(10), []);
    assert.equal((await claim(stores, NOW + 2)).length, 2);
  });

  rule('a dead letter that is queued again starts afresh', async ({ stores }) => {
    await enqueue(stores, [A], NOW);
    await fail(stores, await claim(stores, NOW), 'failed', undefined);
    await enqueue(stores, [A], NOW + 9);
    assert.deepEqual(await stores.jobs.counts(), { pending: 1, dead: 0, oldestQueuedAt: NOW + 9 });
    assert.deepEqual((await claim(stores, NOW + 9)).map(idAndAttempts), [`${A} 0`]);
  });

  rule('a job queued again while it was given up does not die', async ({ stores }) => {
    await enqueue(stores, [A], NOW);
    const jobs = await claim(stores, NOW);
    await enqueue(stores, [A], NOW + 1);
    await fail(stores, jobs, 'failed', undefined);
    assert.equal((await stores.jobs.counts()).dead, 0);
    assert.equal((await claim(stores, NOW + 1)).length, 1);
  });

  rule(
    'a job is outstanding while it is due or leased, not when it is put back, given up or done',
    async ({ stores }) => {
      const areOutstanding = (queuedBy: number, now = NOW) => stores.jobs.areOutstanding(queuedBy, now);
      assert.equal(await areOutstanding(NOW), false);
      await enqueue(stores, [A], NOW);
      assert.equal(await areOutstanding(NOW - 1), false, 'queued later');
      assert.equal(await areOutstanding(NOW), true, 'due');
      await fail(stores, await claim(stores, NOW), 'failed', NOW + 5);
      assert.equal(await areOutstanding(NOW), false, 'put back');
      assert.equal(await areOutstanding(NOW, NOW + 5), true, 'due again');
      const leased = await claim(stores, NOW + 5);
      assert.equal(await areOutstanding(NOW), true, 'leased');
      await enqueue(stores, [A], NOW + 6);
      await complete(stores, leased);
      assert.equal(await areOutstanding(NOW + 5, NOW + 6), false, 'what is left was queued later');
      assert.equal(await areOutstanding(NOW + 6, NOW + 6), true);
      await fail(stores, await claim(stores, NOW + 6), 'failed', undefined);
      assert.equal(await areOutstanding(NOW + 6, NOW + 6), false, 'given up');
    },
  );
}

function enqueue(stores: Stores, ids: readonly string[], now: number): Promise<void> {
  return stores.write((tx) => tx.enqueue(ids.map(keyOf), now));
}

/** Leases for a minute. */
function claim(stores: Stores, now: number, limit = 100): Promise<Job[]> {
  return stores.write((tx) => tx.claim(limit, MINUTE, now));
}

function complete(stores: Stores, jobs: readonly Job[]): Promise<void> {
  return stores.write((tx) => tx.complete(jobs));
}

function fail(stores: Stores, jobs: readonly Job[], error: string, dueAt: number | undefined): Promise<void> {
  return stores.write(async (tx) => {
    for (const job of jobs) await tx.fail(job, error, dueAt);
  });
}

function revive(stores: Stores, id: string | undefined, now: number): Promise<number> {
  return stores.write((tx) => tx.revive(id, now));
}

function idAndAttempts({ indicatorId, attempts }: Job): string {
  return `${indicatorId} ${attempts}`;
}
