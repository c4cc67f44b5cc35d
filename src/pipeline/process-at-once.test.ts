// Processing with the events, and by the worker: the same indicators and the same versions.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MATCH_ALL } from '../domain/filter.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { EVENT, NOON } from '../domain/indicator/observation.test-support.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { createRenderStix } from '../stix/objects/render.ts';
import { openTemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import type { FeedObject } from '../store/feed.ts';
import type { Enricher } from './enricher.ts';
import { LOCAL_ENRICHERS } from './enrichers/enricher.test-support.ts';
import { createIngest } from './ingest.ts';
import { canProcessAtOnce } from './process-at-once.ts';
import type { Reporter } from './reporter.ts';
import { createWorker } from './worker.ts';

const REPORTER: Reporter = {
  account: 'default',
  id: 'group',
  group: 'group',
  source: { id: 'group', name: 'group', reliability: 0.7 },
  title: 'group',
  sources: [],
  ceiling: 'RED',
  isOperator: true,
};

function eventOf(eventId: string, value: string, changes: Partial<SensorEvent> = {}): SensorEvent {
  return { ...EVENT, eventId, value, ...changes };
}

/** New and known values, a value with two views, and two events about one value. */
const BATCHES: readonly (readonly SensorEvent[])[] = [
  [eventOf('1', '198.51.100.1'), eventOf('2', '198.51.100.2'), eventOf('3', '198.51.100.1', { tags: ['a'] })],
  [eventOf('4', '198.51.100.1', { severity: 'CRITICAL' }), eventOf('5', '198.51.100.3', { tlp: 'RED' })],
  [eventOf('6', '198.51.100.1', { tlp: 'RED', tags: ['b'] }), eventOf('7', '198.51.100.3', { tlp: 'GREEN' })],
];

async function started(atOnce: boolean, enrichers: readonly Enricher[] = LOCAL_ENRICHERS) {
  const store = await openTemporaryStore(() => NOON);
  const stores = {
    ...store.stores,
    // Two stores with one secret give the same ids.
    installation: { secret: Buffer.alloc(32, 'one'), createdAt: NOON },
  };
  const errors: unknown[] = [];
  const process = {
    enrichers,
    enricherTimeoutMs: 1_000,
    renderStix: createRenderStix({
      installation: stores.installation,
      collections: () => [],
      withTlp1: false,
    }),
    syncCollections: async () => 1,
    onError: (error: unknown) => errors.push(error),
  };
  const encodeIndicator = ({ id }: { readonly id: string }) => JSON.stringify({ id });
  const clock = () => NOON;
  const ingest = createIngest({
    stores,
    encodeIndicator,
    clock,
    observedBy: clock,
    options: {
      acceptPrivateAddresses: false,
      defaultTlp: 'GREEN',
      minPrefixIpv4: 16,
      minPrefixIpv6: 32,
      quota: { each: { values: 9, bytes: 9e9 }, all: { values: 9, bytes: 9e9 } },
    },
    ...(atOnce ? { process } : {}),
  });
  const worker = createWorker({ ...process, stores, encodeIndicator, clock, memoryClock: clock });
  return { stores, ingest, worker, errors, [Symbol.asyncDispose]: store.dispose };
}

type Started = Awaited<ReturnType<typeof started>>;

async function recordsOf({ stores }: Started, ceiling: 'GREEN' | 'RED'): Promise<IndicatorRecord[]> {
  const criteria = { filter: MATCH_ALL, terms: [], ceiling };
  return Array.fromAsync(stores.indicators.each(criteria));
}

async function feedOf({ stores }: Started, ceiling: 'GREEN' | 'RED'): Promise<readonly FeedObject[]> {
  const query = { until: Number.MAX_SAFE_INTEGER, limit: 1_000, ceiling, versions: 'all' } as const;
  return (await stores.feed.objects(query)).entries;
}

async function pending({ stores }: Started): Promise<number> {
  return (await stores.jobs.counts()).pending;
}

describe('processing at once', () => {
  test('gives the indicators and the versions that the worker gives', async () => {
    await using atOnce = await started(true);
    await using later = await started(false);
    for (const batch of BATCHES) {
      await atOnce.ingest(batch, REPORTER);
      assert.equal(await pending(atOnce), 0);
      await later.ingest(batch, REPORTER);
      assert.notEqual(await pending(later), 0);
      await later.worker.drain();
    }
    for (const ceiling of ['GREEN', 'RED'] as const) {
      const records = await recordsOf(atOnce, ceiling);
      assert.equal(records.length, 3);
      assert.ok(records.every(({ indicator }) => indicator.state === 'ENRICHED'));
      assert.deepEqual(records, await recordsOf(later, ceiling));
      assert.deepEqual(objectsOf(await feedOf(atOnce, ceiling)), objectsOf(await feedOf(later, ceiling)));
    }
  });

  test('what has a job is left to the worker, which has read it already', async () => {
    await using atOnce = await started(true);
    const [first = [], second = []] = BATCHES;
    await atOnce.ingest(first, REPORTER);
    const [record] = await recordsOf(atOnce, 'RED');
    const key = { indicatorId: record?.indicator.id ?? '', marking: 'GREEN' } as const;
    await atOnce.stores.write((tx) => tx.enqueue([key], NOON));
    const before = (await feedOf(atOnce, 'RED')).length;
    await atOnce.ingest([second[0] ?? EVENT], REPORTER);
    assert.equal((await feedOf(atOnce, 'RED')).length, before);
    await atOnce.worker.drain();
    assert.ok((await feedOf(atOnce, 'RED')).length > before);
    assert.equal(await pending(atOnce), 0);
  });

  test('what cannot be enriched is stored, and tried again by the worker', async () => {
    let works = false;
    const fails = LOCAL_ENRICHERS.map((enricher) => ({
      ...enricher,
      enrich: (signal: Parameters<Enricher['enrich']>[0]) => {
        if (!works) throw new Error('no data');
        return enricher.enrich(signal);
      },
    }));
    await using atOnce = await started(true, fails);
    const results = await atOnce.ingest([eventOf('1', '198.51.100.1')], REPORTER);
    assert.equal(results[0]?.status, 'ACCEPTED');
    assert.equal((await recordsOf(atOnce, 'RED'))[0]?.indicator.state, 'RAW');
    assert.deepEqual([await pending(atOnce), (await feedOf(atOnce, 'RED')).length], [1, 0]);
    works = true;
    await atOnce.worker.drain();
    assert.equal((await recordsOf(atOnce, 'RED'))[0]?.indicator.state, 'ENRICHED');
  });

  test('enrichers that may wait are left to the worker', () => {
    const waiting = LOCAL_ENRICHERS.map((enricher) => ({ ...enricher, mayWait: true as const }));
    assert.equal(canProcessAtOnce({ enrichers: LOCAL_ENRICHERS }), true);
    assert.equal(canProcessAtOnce({ enrichers: [...LOCAL_ENRICHERS, ...waiting] }), false);
  });
});

/** The objects in the order of their ids and versions: the worker takes the views in another order. */
function objectsOf(entries: readonly FeedObject[]): readonly string[] {
  return entries.map(({ object }) => object).toSorted();
}
