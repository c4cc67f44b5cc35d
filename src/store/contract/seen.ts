// Rules of remembering events, for de-duplication, and answers to requests with an idempotency key.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { SessionMember } from '../../domain/evidence/session-members.ts';
import { idOf, NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(keyOf) as [string, string, string, string];

export function describeSeen(rule: Rule): void {
  rule('an event is new once', async ({ stores, another }) => {
    assert.deepEqual(await stores.write((tx) => tx.rememberEvents([A, B], NOW)), [true, true]);
    assert.deepEqual(await stores.write((tx) => tx.rememberEvents([B, C], NOW)), [false, true]);
    const other = await another();
    assert.deepEqual(await other.write((tx) => tx.rememberEvents([D, A], NOW)), [true, false]);
    assert.deepEqual(await stores.write((tx) => tx.rememberEvents([], NOW)), []);
  });

  rule('an event given twice in one call is new at its first place', async ({ stores }) => {
    const isNew = await stores.write((tx) => tx.rememberEvents([A, B, A, A, C, B], NOW));
    assert.deepEqual(isNew, [true, true, false, false, true, false]);
  });

  rule('events of a change that failed are not remembered', async ({ stores }) => {
    const failed = stores.write(async (tx) => {
      await tx.rememberEvents([A], NOW);
      throw new Error('refused');
    });
    await assert.rejects(failed);
    assert.deepEqual(await stores.write((tx) => tx.rememberEvents([A], NOW)), [true]);
  });

  rule('a forgotten event is new again, others are not', async ({ stores }) => {
    const isNew = await stores.write(async (tx) => {
      await tx.rememberEvents([A, B], NOW);
      await tx.forgetEvents([A, C]);
      return tx.rememberEvents([A, B], NOW);
    });
    assert.deepEqual(isNew, [true, false]);
  });

  rule('events are forgotten by age, the oldest first, at most as many as asked for', async ({ stores }) => {
    for (const [index, key] of [A, B, C, D].entries()) {
      await stores.write((tx) => tx.rememberEvents([key], NOW + index));
    }
    const forget = (instant: number, limit: number) =>
      stores.write((tx) => tx.forgetEventsBefore(instant, limit));
    assert.equal(await forget(NOW, 10), 0);
    assert.equal(await forget(NOW + 3, 2), 2);
    assert.equal(await forget(NOW + 3, 2), 1);
    assert.equal(await forget(NOW + 3, 2), 0);
    assert.deepEqual(await stores.write((tx) => tx.rememberEvents([A, B, C, D], NOW)), [
      true,
      true,
      true,
      false,
    ]);
  });

  rule('a repeat does not make an event younger', async ({ stores }) => {
    await stores.write((tx) => tx.rememberEvents([A], NOW));
    await stores.write((tx) => tx.rememberEvents([A], NOW + 10));
    assert.equal(await stores.write((tx) => tx.forgetEventsBefore(NOW + 1, 10)), 1);
  });

  rule('the answer to a request is recalled by its key until it is forgotten', async ({ stores }) => {
    const request = { fingerprint: 'f'.repeat(64), answer: '[{"eventId":"ж 😀"}]' };
    const recall = (key: string) => stores.write((tx) => tx.recallRequest(key));
    assert.equal(await recall('["ingest","r-1"]'), undefined);
    await stores.write((tx) => tx.rememberRequest('["ingest","r-1"]', request, NOW));
    await stores.write((tx) => tx.rememberRequest('["ingest","r-2"]', { ...request, answer: '[]' }, NOW + 1));
    assert.deepEqual(await recall('["ingest","r-1"]'), request);
    assert.deepEqual(await stores.recallRequest('["ingest","r-1"]'), request);
    assert.equal(await stores.recallRequest('["ingest","r-3"]'), undefined);
    assert.equal(await recall('["ingest","R-1"]'), undefined);
    assert.equal(await stores.write((tx) => tx.forgetRequestsBefore(NOW, 10)), 0);
    assert.equal(await stores.write((tx) => tx.forgetRequestsBefore(NOW + 1, 10)), 1);
    assert.equal(await recall('["ingest","r-1"]'), undefined);
    assert.equal((await recall('["ingest","r-2"]'))?.answer, '[]');
  });

  rule('a session is recalled by its key until it is forgotten, oldest first', async ({ stores }) => {
    const members: readonly SessionMember[] = [
      { indicatorId: idOf('a'), marking: 'GREEN', at: NOW },
      { indicatorId: idOf('b'), marking: 'AMBER_STRICT', at: NOW + 1 },
    ];
    const recall = () => stores.write((tx) => tx.recallSessions([A, B]));
    assert.deepEqual(await recall(), new Map());
    await stores.write(async (tx) => {
      await tx.rememberSession(A, members.slice(0, 1), NOW);
      await tx.rememberSession(B, members, NOW + 1);
      await tx.rememberSession(A, members, NOW + 2);
    });
    assert.deepEqual(
      await recall(),
      new Map([
        [A, members],
        [B, members],
      ]),
    );
    assert.equal(await stores.write((tx) => tx.forgetSessionsBefore(NOW + 9, 1)), 1);
    assert.deepEqual(await recall(), new Map([[A, members]]));
    assert.equal(await stores.write((tx) => tx.forgetSessionsBefore(NOW + 2, 9)), 0);
  });
}

function keyOf(eventId: string): string {
  return createHash('sha256').update(eventId).digest('hex').slice(0, 32);
}
