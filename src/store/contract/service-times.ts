// Rules of the stored times of the service.

import assert from 'node:assert/strict';
import { NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

const TIMES = { generation: 1, expiry: NOW + 2, service: NOW + 1, memory: NOW };

export function describeServiceTimes(rule: Rule): void {
  rule('a new store has no times', async ({ stores }) => {
    assert.equal(await stores.times(), undefined);
  });

  rule('the times are those that were stored last, with their doubt or without one', async (opened) => {
    const { stores, another } = opened;
    const doubt = { since: NOW - 1, lead: 1_000 };
    await stores.write((tx) => tx.saveTimes({ ...TIMES, doubt }));
    assert.deepEqual(await stores.times(), { ...TIMES, doubt });
    const other = await another();
    await other.write(async (tx) => {
      assert.deepEqual(await tx.times(), { ...TIMES, doubt });
      await tx.saveTimes(TIMES);
    });
    assert.deepEqual(await stores.times(), TIMES);
    assert.deepEqual(await (await opened.reopen()).times(), TIMES);
  });
}
