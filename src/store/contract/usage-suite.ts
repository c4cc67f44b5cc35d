// The contract of metered use, as rules that every driver is held to.

import { describe, test } from 'node:test';
import { describeUsageOutbox } from './usage-outbox.ts';
import type { OpenedUsage, UsageRule } from './usage-rule.ts';
import { describeLastUse, describeUsageSums } from './usage-sums.ts';

/** @param open makes a store with nothing in it; called once for every rule. */
export function describeUsageContract(name: string, open: () => Promise<OpenedUsage>): void {
  const rule: UsageRule = (rule, check) => {
    test(rule, async () => {
      const opened = await open();
      try {
        await check(opened);
      } finally {
        await opened.dispose();
      }
    });
  };
  describe(`${name}: sums of use`, () => describeUsageSums(rule));
  describe(`${name}: events of use`, () => describeUsageOutbox(rule));
  describe(`${name}: last use`, () => describeLastUse(rule));
}
