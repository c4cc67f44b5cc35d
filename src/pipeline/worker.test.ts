// The worker when the store fails, and when the data of the enrichers changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createRenderStix } from '../stix/objects/render.ts';
import { aWrite, documentOf, idOf, keyOf, NOW, save } from '../store/contract/fixtures.ts';
import { openTemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import type { Stores } from '../store/stores.ts';
import type { Enricher } from './enricher.ts';
import { evidenceRisk } from './enrichers/evidence-risk.ts';
import { templateSummary } from './enrichers/summary/template-summary.ts';
import { createWorker, type WorkerParts } from './worker.ts';

/** All but the queue, which a test brings. */
const PARTS: Omit<WorkerParts, 'stores'> = {
  enrichers: [evidenceRisk, templateSummary],
  encodeIndicator: documentOf,
  renderStix: () => ({ changes: [], feed: undefined }),
  syncCollections: async () => 1,
  clock: () => NOW,
  memoryClock: () => NOW,
  enricherTimeoutMs: 1_000,
  onError: () => undefined,
};

/** One more than a batch. */
const VALUES = Array.from({ length: 501 }, (_, index) => `host-${index}.example`);

test('a batch whose results cannot be stored does not hold up the next one', async () => {
  const store = await openTemporaryStore(() => NOW);
  try {
    await save(
      store.stores,
      VALUES.map((value) => ({ value })),
    );
    await store.stores.write((tx) =>
      tx.enqueue(
        VALUES.map((value) => keyOf(idOf(value))),
        NOW,
      ),
    );
    let writes = 0;
    const failing: Stores = {
      ...store.stores,
      // The first write claims, the second one stores the results.
      write: (work) => {
        writes += 1;
        return writes === 2 ? Promise.reject(new Error('disk full')) : store.stores.write(work);
      },
    };
    const errors: unknown[] = [];
    const stopping = new AbortController();
    const worker = createWorker({ ...PARTS, stores: failing, onError: (error) => errors.push(error) });
    const running = worker.run(stopping.signal);
    while ((await store.stores.jobs.counts()).pending > 500) await new Promise(setImmediate);
    stopping.abort();
    await running;
    assert.deepEqual(errors.map(String), ['Error: disk full']);
    // The jobs of the failed batch wait for the end of their leases.
    assert.equal((await store.stores.jobs.counts()).pending, 500);
  } finally {
    await store.dispose();
  }
});

test('a view whose processing fails shows the reports that were merged into it', async () => {
  const store = await openTemporaryStore(() => NOW);
  const { stores } = store;
  const tagsOf = async () =>
    JSON.parse((await stores.indicators.document(idOf('a'), 'RED')) ?? '{}').tags as unknown;
  try {
    await save(stores, [{ value: 'a', tags: ['old'] }]);
    const { record, audience } = aWrite({ value: 'a', tags: ['new'] });
    await stores.write(async (tx) => {
      await tx.save([{ record, audience }]);
      await tx.enqueue([keyOf(idOf('a'))], NOW);
    });
    assert.deepEqual(await tagsOf(), ['old']);
    const renderStix = () => {
      throw new Error('no template');
    };
    await createWorker({ ...PARTS, stores, renderStix }).drain();
    assert.deepEqual(await tagsOf(), ['new']);
    assert.equal((await stores.jobs.counts()).pending, 1);
  } finally {
    await store.dispose();
  }
});

test('new data is used for all views, and those that it changes are published', async () => {
  const store = await openTemporaryStore(() => NOW);
  const stopping = new AbortController();
  try {
    const values = ['one.example', 'two.example'];
    await save(
      store.stores,
      values.map((value) => ({ value })),
    );
    await store.stores.write((tx) =>
      tx.enqueue(
        values.map((value) => keyOf(idOf(value))),
        NOW,
      ),
    );
    let at = NOW;
    let generation = 0;
    const published: string[] = [];
    const { installation } = store.stores;
    const render = createRenderStix({ installation, collections: () => [], withTlp1: false });
    const families: Enricher = {
      name: 'families',
      appliesTo: ({ record }) => record.indicator.value === 'two.example',
      enrich: () => ({ malwareFamilies: generation > 0 ? ['Example'] : [] }),
    };
    const worker = createWorker({
      ...PARTS,
      stores: store.stores,
      enrichers: [families, evidenceRisk, templateSummary],
      renderStix: (record, changed, audience) => {
        if (changed) published.push(record.indicator.value);
        return render(record, changed, audience);
      },
      dataGeneration: () => generation,
      clock: () => ++at,
      onError: assert.ifError,
    });
    const keys = values.map((value) => keyOf(idOf(value)));
    const revisions = () => store.stores.write((tx) => tx.revisions(keys));
    await worker.drain();
    const before = (await revisions()).map((revision = 0) => revision + 1);
    generation = 1;
    published.length = 0;
    const running = worker.run(stopping.signal);
    while (!isDeepStrictEqual(await revisions(), before)) await new Promise(setImmediate);
    stopping.abort();
    await running;
    assert.deepEqual(published, ['two.example']);
  } finally {
    stopping.abort();
    await store.dispose();
  }
});
