import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { MATCH_ALL } from '../domain/filter.ts';
import type { Indicator } from '../domain/indicator/indicator.ts';
import { matches, matchesText } from '../domain/indicator/matching.ts';
import { DAY } from '../domain/instant.ts';
import { parseTextQuery } from '../domain/text-query.ts';
import { isVisible } from '../domain/tlp.ts';
import { numberOf, SEVERITIES } from '../domain/vocabulary.ts';
import {
  arbitraryCeiling,
  arbitraryFilter,
  arbitraryIndicator,
  arbitraryQuery,
} from '../store/contract/arbitraries.ts';
import { anIndicator, documentOf, documentsIn, NOW, save } from '../store/contract/fixtures.ts';
import { openTemporaryStore, type TemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import { type IndicatorReader, ORDER_KEYS, type OrderKey } from '../store/indicators.ts';
import { COUNT_BOUND, createSearch, type Search, type SearchRequest } from './search.ts';

/** Fixed, so that a failure can be repeated. fast-check prints it with the path of the failure. */
const SEED = 20_260_314;
/** A long run: `npx node src/search/search.test.ts --queries 2500`. */
const { values: flags } = parseArgs({
  options: { queries: { type: 'string', default: '500' } },
  strict: false,
});

const KEYS: Readonly<Record<OrderKey, (indicator: Indicator) => number>> = {
  LAST_SEEN: ({ lastSeen }) => lastSeen,
  CONFIDENCE: ({ confidenceScore }) => confidenceScore,
  SEVERITY: ({ severity }) => numberOf(SEVERITIES, severity),
};

const EVERYTHING: SearchRequest = {
  filter: MATCH_ALL,
  query: '',
  pageSize: 0,
  pageToken: '',
  ceiling: 'RED',
};

describe('over random indicators', () => {
  let opened: TemporaryStore;
  let search: Search;
  /** Newest first, like the results of a search. */
  let population: Indicator[];

  before(async () => {
    opened = await openTemporaryStore(() => NOW);
    const [drawn = []] = fc.sample(fc.array(arbitraryIndicator, { minLength: 400, maxLength: 400 }), {
      numRuns: 1,
      seed: SEED,
    });
    const distinct = new Map(drawn.map((members) => [anIndicator(members).id, members]));
    population = [...distinct.values()]
      .map((members, index) =>
        anIndicator({ ...members, createdAt: Date.UTC(2025, 11, 30) + Math.floor(index / 3) * DAY }),
      )
      .toReversed();
    // Written twice, because the results must not depend on the order of changes.
    for (const indicator of population.toReversed()) {
      await save(opened.stores, [{ ...indicator, tags: ['gone'], lastSeen: 0 }]);
    }
    await save(opened.stores, population);
    search = createSearch(opened.stores.indicators, opened.stores.installation.secret);
  });
  after(() => opened.dispose());

  test('a search gives what a plain evaluation of filter, query and ceiling gives', async () => {
    const pageSizes = fc.constantFrom(0, 3, 20, 100, 1_000);
    const property = fc.asyncProperty(
      arbitraryFilter,
      arbitraryQuery,
      arbitraryCeiling,
      pageSizes,
      fc.constantFrom(undefined, undefined, ...ORDER_KEYS),
      async (members, query, ceiling, pageSize, orderBy) => {
        const filter = { ...MATCH_ALL, ...members };
        const terms = parseTextQuery(query);
        const matching = population.filter(
          (indicator) =>
            isVisible(indicator.tlp, ceiling) && matches(indicator, filter) && matchesText(indicator, terms),
        );
        // The sort is stable, and the population is in the order of creation.
        const expected =
          orderBy === undefined ? matching : matching.toSorted((a, b) => KEYS[orderBy](b) - KEYS[orderBy](a));
        const order = orderBy === undefined ? {} : { orderBy };
        const request: SearchRequest = { filter, query, pageSize, pageToken: '', ceiling, ...order };
        const found: string[] = [];
        for (let pageToken: string | undefined = ''; pageToken !== undefined; ) {
          const page = await search({ ...request, pageToken });
          assert.equal(page.totalCount, expected.length);
          found.push(...documentsIn(page.blocks));
          pageToken = page.nextPageToken === '' ? undefined : page.nextPageToken;
        }
        assert.deepEqual(found, expected.map(documentOf));
      },
    );
    await fc.assert(property, { numRuns: Number(flags.queries), seed: SEED });
  });
});

describe('requests', () => {
  let opened: TemporaryStore;
  let search: Search;

  before(async () => {
    opened = await openTemporaryStore(() => NOW);
    await save(
      opened.stores,
      Array.from({ length: 1_100 }, (_, index) => ({ value: `${index}.example` })),
    );
    search = createSearch(opened.stores.indicators, opened.stores.installation.secret);
  });
  after(() => opened.dispose());

  test('a page has fifty indicators unless asked otherwise, and never more than a thousand', async () => {
    for (const [pageSize, expected] of [
      [0, 50],
      [1, 1],
      [1_000, 1_000],
      [1_001, 1_000],
      [4_294_967_295, 1_000],
    ] as const) {
      const page = await search({ ...EVERYTHING, pageSize });
      assert.equal(page.count, expected);
      assert.equal(documentsIn(page.blocks).length, expected);
      assert.notEqual(page.nextPageToken, '');
      assert.equal(page.totalCount, 1_100);
    }
  });

  test('a query beyond the limits is refused, one at the limits is not', async () => {
    const refused = { code: 'invalid_argument', details: { reason: 'INVALID_ARGUMENT' } };
    const twenty = Array.from({ length: 20 }, (_, index) => `t${index}`).join(' ');
    await search({ ...EVERYTHING, query: twenty });
    await search({ ...EVERYTHING, query: 'x'.repeat(1_000) });
    for (const query of [`${twenty} one more`, 'x'.repeat(1_001)]) {
      await assert.rejects(search({ ...EVERYTHING, query }), (error: { code: string; details: unknown }) => {
        assert.equal(error.code, refused.code);
        assert.deepEqual((error.details as { reason: string }).reason, refused.details.reason);
        return true;
      });
    }
  });

  test('the total is left out where the store does not count so far', async () => {
    const bounds: number[] = [];
    const uncounted: IndicatorReader = {
      ...opened.stores.indicators,
      count: async (_, bound) => {
        bounds.push(bound);
        return undefined;
      },
    };
    const uncountedSearch = createSearch(uncounted, opened.stores.installation.secret);
    const page = await uncountedSearch(EVERYTHING);
    const next = await uncountedSearch({ ...EVERYTHING, pageToken: page.nextPageToken });
    assert.equal('totalCount' in page, false);
    assert.equal('totalCount' in next, false);
    // Once for the walk.
    assert.deepEqual(bounds, [COUNT_BOUND]);
  });
});
