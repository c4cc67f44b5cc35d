// Rules of the counts of what events added to the store, by reporter and day.

import assert from 'node:assert/strict';
import type { Rule } from './rule.ts';

const NOTHING = { values: 0, bytes: 0 };
const DAY = 20_526;

export function describeGrowth(rule: Rule): void {
  rule('what a reporter adds is counted for it and for all, day by day', async ({ stores }) => {
    await stores.write(async (tx) => {
      assert.deepEqual(await tx.growthOn(DAY, 'a'), { own: NOTHING, all: NOTHING });
      await tx.addGrowth(DAY, 'a', { values: 2, bytes: 700 });
      await tx.addGrowth(DAY, 'b', { values: 1, bytes: 40 });
      await tx.addGrowth(DAY, 'a', { values: 0, bytes: 1 });
    });
    const on = (day: number, reporter: string) => stores.write((tx) => tx.growthOn(day, reporter));
    const all = { values: 3, bytes: 741 };
    assert.deepEqual(await on(DAY, 'a'), { own: { values: 2, bytes: 701 }, all });
    assert.deepEqual(await on(DAY, 'b'), { own: { values: 1, bytes: 40 }, all });
    assert.deepEqual(await on(DAY, 'c'), { own: NOTHING, all });
    assert.deepEqual(await on(DAY + 1, 'a'), { own: NOTHING, all: NOTHING });
  });

  rule(
    'counts survive a restart, and those of a change that failed do not exist',
    async ({ stores, reopen }) => {
      await stores.write((tx) => tx.addGrowth(DAY, 'a', { values: 5, bytes: 2 ** 40 }));
      const failed = stores.write(async (tx) => {
        await tx.addGrowth(DAY, 'a', { values: 1, bytes: 1 });
        throw new Error('refused');
      });
      await assert.rejects(failed);
      const again = await reopen();
      const { own, all } = await again.write((tx) => tx.growthOn(DAY, 'a'));
      assert.deepEqual([own, all], Array(2).fill({ values: 5, bytes: 2 ** 40 }));
    },
  );

  rule('days are forgotten by their age', async ({ stores }) => {
    await stores.write(async (tx) => {
      for (const day of [DAY, DAY + 1]) await tx.addGrowth(day, 'a', { values: 1, bytes: 1 });
      await tx.forgetGrowthBefore(DAY + 1);
    });
    const on = (day: number) => stores.write((tx) => tx.growthOn(day, 'a'));
    assert.deepEqual((await on(DAY)).all, NOTHING);
    assert.deepEqual((await on(DAY + 1)).all, { values: 1, bytes: 1 });
  });
}
