// Pruning when it is interrupted, and when indicators change meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readersOf } from '../domain/audience.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { DAY, toRfc3339 } from '../domain/instant.ts';
import { aRecord, documentOf, idOf, keyOf, NOW } from '../store/contract/fixtures.ts';
import { openTemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import type { FeedObject } from '../store/feed.ts';
import type { IndicatorWrite } from '../store/indicators.ts';
import type { Stores } from '../store/stores.ts';
import { prune } from './prune.ts';
import type { RenderStix } from './publish.ts';

const BEFORE = NOW - 90 * DAY;
/** More than two batches. */
const VALUES = Array.from({ length: 250 }, (_, index) => `host-${index}.example`);

/** Renders one version that says whether it is the last one. */
const renderStix: RenderStix = (record, _changed, audience) => {
  const { indicator, archivedAt } = record;
  const id = `indicator--${indicator.id}`;
  const version = toRfc3339(indicator.updatedAt);
  const object = JSON.stringify({ id, modified: version, archived: archivedAt !== undefined });
  const modified = indicator.updatedAt;
  const entry = { id, type: 'indicator', version, modified, audience, object } as const;
  return {
    changes: archivedAt === undefined ? [entry] : [entry, { id, from: audience }],
    feed: { tlp: indicator.tlp, collections: [], relationships: {}, sightings: {}, day: 0, revoked: false },
  };
};

function writeOf(record: IndicatorRecord): IndicatorWrite {
  return { record, audience: readersOf('GREEN'), document: documentOf(record.indicator) };
}

/** A store with stale indicators, published. */
async function filled() {
  const opened = await openTemporaryStore(() => NOW);
  await opened.stores.write(async (tx) => {
    for (const value of VALUES) {
      const record = aRecord({ value, state: 'ENRICHED', validUntil: BEFORE - 1, lastSeen: BEFORE - 1 });
      await tx.save([writeOf(record)]);
      await tx.append(renderStix(record, true, readersOf('GREEN')).changes, NOW);
    }
  });
  return { ...opened, [Symbol.asyncDispose]: opened.dispose };
}

/** All versions in the feed after a place. */
async function versionsAfter(stores: Stores, after: number): Promise<readonly FeedObject[]> {
  const query = {
    after,
    until: Number.MAX_SAFE_INTEGER,
    limit: 10_000,
    ceiling: 'RED',
    versions: 'all',
  } as const;
  return (await stores.feed.objects(query)).entries;
}

function partsOf(stores: Stores, write: Stores['write'] = stores.write) {
  return { stores: { ...stores, write }, renderStix, clock: () => NOW };
}

test('after an interruption another run moves the rest, and the feed tells of each once', async () => {
  await using opened = await filled();
  const { stores } = opened;
  const last = (await stores.feed.bounds('RED'))?.end.place ?? 0;
  let writes = 0;
  const failing = partsOf(stores, (work) => {
    writes += 1;
    // The first write deletes what earlier runs left in the feed. The third one fails at its end.
    if (writes !== 3) return stores.write(work);
    return stores.write(async (tx) => {
      await work(tx);
      throw new Error('killed');
    });
  });
  await assert.rejects(prune(failing, BEFORE));
  const { archived } = await prune(partsOf(stores), BEFORE);
  assert.equal(archived, VALUES.length - 100);
  const told = await versionsAfter(stores, last);
  assert.equal(told.length, VALUES.length);
  assert.equal(new Set(told.map(({ object }) => JSON.parse(object).id)).size, VALUES.length);
  assert.ok(told.every(({ object }) => JSON.parse(object).archived));
  assert.deepEqual(await prune(partsOf(stores), BEFORE), { archived: 0, leftFeed: 0 });
  assert.deepEqual(await prune(partsOf(stores), NOW + 1), { archived: 0, leftFeed: VALUES.length });
  assert.deepEqual(await versionsAfter(stores, 0), []);
});

test('what a person judged, what is seen again and what has a job stays', async () => {
  await using opened = await filled();
  const { stores } = opened;
  const stale = { validUntil: BEFORE - 1, lastSeen: BEFORE - 1 } as const;
  const kept = [
    aRecord({ value: 'host-0.example', state: 'VERIFIED', ...stale }),
    { ...aRecord({ value: 'host-1.example', state: 'ENRICHED', ...stale }), revokedAt: 1 },
    aRecord({ value: 'host-2.example', state: 'ENRICHED', ...stale, lastSeen: BEFORE }),
    aRecord({ value: 'host-3.example', state: 'ENRICHED', ...stale, validUntil: BEFORE }),
    aRecord({ value: 'host-4.example', state: 'ENRICHED', ...stale }),
  ];
  let writes = 0;
  const racing = partsOf(stores, async (work) => {
    writes += 1;
    // They change after they were listed.
    if (writes === 2)
      await stores.write(async (tx) => {
        await tx.save(kept.map(writeOf));
        await tx.enqueue([keyOf(idOf('host-4.example'))], NOW);
      });
    return stores.write(work);
  });
  const { archived } = await prune(racing, BEFORE);
  assert.equal(archived, VALUES.length - kept.length);
  for (const { indicator } of kept)
    assert.ok((await stores.indicators.record(indicator.id, 'RED')) !== undefined, indicator.value);
});
