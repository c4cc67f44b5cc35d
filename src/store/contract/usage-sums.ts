// Rules of the sums of use, of its holders and of last use.

import assert from 'node:assert/strict';
import { DAY, HOUR, MINUTE } from '../../domain/instant.ts';
import type { UsageBucket } from '../../domain/usage-bucket.ts';
import type { UsageQuery, UsageStore } from '../usage.ts';
import { NOW } from './fixtures.ts';
import { aUse, type UsageRule } from './rule.ts';

export function describeUsageSums(rule: UsageRule): void {
  rule('use adds up by account and by credential, for every opener', async ({ usage, another }) => {
    await usage.record([aUse(), aUse({ credential: 'k2', searches: 3, returned: 0 })], false);
    await usage.record([aUse({ searches: 2, returned: 5 }), aUse({ account: 'plant' })], false);
    for (const opener of [usage, await another()]) {
      assert.deepEqual(await sums(opener, {}), [[6, 7]]);
      assert.deepEqual(await sums(opener, { credential: 'k1' }), [[3, 7]]);
      assert.deepEqual(await sums(opener, { credential: 'k2' }), [[3, 0]]);
      assert.deepEqual(await sums(opener, { account: 'plant' }), [[1, 2]]);
      // A credential of another account, and an unknown account.
      assert.deepEqual(await sums(opener, { account: 'plant', credential: 'k2' }), []);
      assert.deepEqual(await sums(opener, { account: 'nobody' }), []);
    }
  });

  rule(
    'buckets are whole hours, days and months of UTC, oldest first, none without use',
    async ({ usage }) => {
      const instants = [
        '2026-03-01T00:00:00.000Z',
        '2026-02-28T23:59:59.999Z',
        '2026-02-28T22:10:00.000Z',
        '2025-12-31T23:30:00.000Z',
        '2026-02-28T23:00:00.000Z',
      ];
      await usage.record(
        instants.map((text) => aUse({ at: Date.parse(text) })),
        false,
      );
      const starts = async (bucket: UsageBucket) =>
        (await usage.report({ account: 'default', bucket, window: {} }, 10)).map(
          ({ start, end, searches }) => `${text(start)} ${text(end)} ${searches}`,
        );
      assert.deepEqual(await starts('HOUR'), [
        '2025-12-31T23 2026-01-01T00 1',
        '2026-02-28T22 2026-02-28T23 1',
        '2026-02-28T23 2026-03-01T00 2',
        '2026-03-01T00 2026-03-01T01 1',
      ]);
      assert.deepEqual(await starts('DAY'), [
        '2025-12-31T00 2026-01-01T00 1',
        '2026-02-28T00 2026-03-01T00 3',
        '2026-03-01T00 2026-03-02T00 1',
      ]);
      assert.deepEqual(await starts('MONTH'), [
        '2025-12-01T00 2026-01-01T00 1',
        '2026-02-01T00 2026-03-01T00 3',
        '2026-03-01T00 2026-04-01T00 1',
      ]);
    },
  );

  rule('a window holds the buckets it touches, whole; its end is outside', async ({ usage }) => {
    const hours = [0, 1, 2, 3].map((hour) => Date.UTC(2026, 10, 20, hour, 30));
    await usage.record(
      hours.map((at, index) => aUse({ at, searches: 10 ** index })),
      false,
    );
    const within = async (start?: number, end?: number) => {
      const window = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
      return (await sums(usage, { bucket: 'HOUR', window })).map(([searches]) => searches);
    };
    const at = (hour: number, minute = 0) => Date.UTC(2026, 10, 20, hour, minute);
    assert.deepEqual(await within(), [1, 10, 100, 1_000]);
    assert.deepEqual(await within(at(1), at(3)), [10, 100]);
    assert.deepEqual(await within(at(1, 59), at(2, 1)), [10, 100]);
    assert.deepEqual(await within(at(1, 59)), [10, 100, 1_000]);
    assert.deepEqual(await within(undefined, at(1)), [1]);
    assert.deepEqual(await within(at(2), at(2)), []);
    assert.deepEqual(await within(at(9), at(10)), []);
  });

  rule('a report is cut off at its limit, from the oldest on', async ({ usage }) => {
    await usage.record(
      [3, 1, 2].map((hour) => aUse({ at: hour * HOUR, searches: hour })),
      false,
    );
    const totals = await usage.report({ account: 'default', bucket: 'HOUR', window: {} }, 2);
    assert.deepEqual(
      totals.map(({ searches }) => searches),
      [1, 2],
    );
  });

  rule('holders are the credentials that have use', async ({ usage }) => {
    assert.deepEqual(await usage.holders(), []);
    const later = NOW + 5 * HOUR;
    await usage.record(
      [aUse({ account: 'plant', credential: 'b' }), aUse({ account: 'plant', credential: 'a' })],
      false,
    );
    await usage.record([aUse(), aUse({ at: later })], false);
    const [k1, a, b] = [
      { account: 'default', credential: 'k1' },
      { account: 'plant', credential: 'a' },
      { account: 'plant', credential: 'b' },
    ];
    assert.deepEqual(await usage.holders(), [k1, a, b]);
    assert.deepEqual(await usage.holders('plant'), [a, b]);
    assert.deepEqual(await usage.holders('nobody'), []);
  });

  rule('use that openers record at once is all there', async ({ usage, another }) => {
    const openers = [usage, await another()];
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        openers[index % 2]?.record([aUse({ credential: `k${index % 3}` })], index % 2 === 0),
      ),
    );
    assert.deepEqual(await sums(usage, {}), [[200, 400]]);
    assert.deepEqual(await sums(usage, { credential: 'k0' }), [[67, 134]]);
  });
}

export function describeRefusals(rule: UsageRule): void {
  rule(
    'requests over the limit are summed by bucket, for a credential and for its account',
    async ({ usage, another }) => {
      const refused = (credential: string, at: number, requests: number) => ({
        account: 'default',
        credential,
        at,
        requests,
      });
      await usage.refuse([refused('a', NOW, 3), refused('b', NOW, 1), refused('a', NOW + DAY, 5)]);
      await (await another()).refuse([refused('a', NOW, 2)]);
      const query = { account: 'default', bucket: 'DAY', window: {} } as const;
      const requests = async (more: { credential?: string; account?: string }) =>
        (await usage.refusals({ ...query, ...more }, 10)).map((total) => total.requests);
      assert.deepEqual(await requests({}), [6, 5]);
      assert.deepEqual(await requests({ credential: 'a' }), [5, 5]);
      assert.deepEqual(await requests({ credential: 'b' }), [1]);
      assert.deepEqual(await requests({ account: 'other' }), []);
      assert.deepEqual(await usage.report(query, 10), [], 'they are no use');
    },
  );
}

export function describeLastUse(rule: UsageRule): void {
  rule('the last use of a credential is the latest instant told', async ({ usage, another }) => {
    await usage.touch(['a', 'b'], NOW);
    await usage.touch(['b'], NOW + MINUTE);
    await usage.touch(['b', 'c'], NOW - MINUTE);
    const told = await (await another()).lastUses(['c', 'b', 'a', 'nobody']);
    assert.deepEqual(
      told,
      new Map([
        ['a', NOW],
        ['b', NOW + MINUTE],
        ['c', NOW - MINUTE],
      ]),
    );
    assert.deepEqual(await usage.lastUses([]), new Map());
  });
}

/** The numbers of searches and of returned indicators of each total. */
async function sums(usage: UsageStore, query: Partial<UsageQuery>): Promise<number[][]> {
  const totals = await usage.report({ account: 'default', bucket: 'MONTH', window: {}, ...query }, 100);
  return totals.map(({ searches, returned }) => [searches, returned]);
}

function text(instant: number): string {
  return new Date(instant).toISOString().slice(0, 13);
}
