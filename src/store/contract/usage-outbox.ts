// Rules of the events for a billing system: none is lost, a taken event never changes, and there are not too many.

import assert from 'node:assert/strict';
import { HOUR } from '../../domain/instant.ts';
import type { UsageEvent } from '../usage.ts';
import { NOW } from './fixtures.ts';
import { aUse, type UsageRule } from './rule.ts';

export function describeUsageOutbox(rule: UsageRule): void {
  rule('use that is not to be announced leaves no event', async ({ usage }) => {
    await usage.record([aUse()], false);
    assert.deepEqual(await usage.outbox(), { events: 0, searches: 0, lookups: 0 });
    assert.deepEqual(await usage.takeEvents(10), []);
  });

  rule('an event tells of one credential and one hour', async ({ usage }) => {
    const uses = [
      aUse(),
      aUse({ credential: 'k2', searches: 4 }),
      aUse({ account: 'plant', searches: 5, returned: 0 }),
      aUse({ at: NOW + HOUR }),
    ];
    await usage.record(uses, true);
    const events = await usage.takeEvents(10);
    assert.deepEqual(events.map(withoutId), uses);
    assert.equal(new Set(events.map(({ id }) => id)).size, 4);
    for (const { id } of events) assert.match(id, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  rule(
    'use is added to an event of its hour until that is taken; then it begins another',
    async ({ usage }) => {
      await usage.record([aUse()], true);
      await usage.record([aUse({ at: NOW + 5, searches: 2, lookups: 7, lookupRequests: 1 })], true);
      // A clock that stepped back does not lower the time of the event.
      await usage.record([aUse({ at: NOW + 1 })], true);
      assert.deepEqual(await usage.outbox(), { events: 1, searches: 4, lookups: 7, oldestAt: NOW });
      const taken = await usage.takeEvents(10);
      assert.deepEqual(taken.map(withoutId), [
        aUse({ at: NOW + 5, searches: 4, returned: 6, lookups: 7, lookupRequests: 1 }),
      ]);
      await usage.record([aUse({ searches: 7 })], true);
      const events = await usage.takeEvents(10);
      assert.deepEqual(events.slice(0, 1), taken);
      assert.deepEqual(events.slice(1).map(withoutId), [aUse({ searches: 7 })]);
    },
  );

  rule('events are given again, the same, until they are settled', async ({ usage, another }) => {
    await usage.record(
      [1, 2, 3].map((searches) => aUse({ credential: `k${searches}`, searches })),
      true,
    );
    const first = await usage.takeEvents(2);
    assert.deepEqual(
      first.map(({ searches }) => searches),
      [1, 2],
    );
    const other = await another();
    assert.deepEqual(await other.takeEvents(2), first);
    await other.settleEvents([first[0]?.id ?? '', 'no such id']);
    assert.deepEqual(
      (await usage.takeEvents(2)).map(({ searches }) => searches),
      [2, 3],
    );
    await usage.settleEvents((await usage.takeEvents(10)).map(({ id }) => id));
    assert.deepEqual(await usage.takeEvents(10), []);
    assert.deepEqual(await usage.outbox(), { events: 0, searches: 0, lookups: 0 });
  });

  rule('while nobody takes events, there is one for each credential and hour at most', async ({ usage }) => {
    for (let round = 0; round < 50; round++) {
      await usage.record(
        [aUse({ credential: `k${round % 2}`, at: NOW + (round % 5 === 0 ? HOUR : 0) })],
        true,
      );
    }
    assert.deepEqual(await usage.outbox(), { events: 4, searches: 50, lookups: 0, oldestAt: NOW });
  });
}

function withoutId({ id: _, ...use }: UsageEvent) {
  return use;
}
