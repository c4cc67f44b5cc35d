// Counts against a plain count over all indicators.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { MATCH_ALL } from '../domain/filter.ts';
import type { Indicator } from '../domain/indicator/indicator.ts';
import { matches, matchesText } from '../domain/indicator/matching.ts';
import { DAY } from '../domain/instant.ts';
import { parseTextQuery } from '../domain/text-query.ts';
import { isVisible } from '../domain/tlp.ts';
import {
  arbitraryCeiling,
  arbitraryFilter,
  arbitraryIndicator,
  arbitraryQuery,
} from '../store/contract/arbitraries.ts';
import { anIndicator, documentOf, NOW, save } from '../store/contract/fixtures.ts';
import { openTemporaryStore, type TemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import { type Aggregate, type AggregateRequest, createAggregate } from './aggregate.ts';
import { COUNT_BOUND } from './search.ts';

const SEED = 20_260_314;
const EVERYTHING: AggregateRequest = { filter: MATCH_ALL, query: '', facets: [], top: 0, ceiling: 'RED' };

describe('over random indicators', () => {
  let opened: TemporaryStore;
  let population: Indicator[];

  before(async () => {
    opened = await openTemporaryStore(() => NOW);
    const [drawn = []] = fc.sample(fc.array(arbitraryIndicator, { minLength: 450, maxLength: 450 }), {
      numRuns: 1,
      seed: SEED,
    });
    const distinct = new Map(drawn.map((members) => [anIndicator(members).id, anIndicator(members)]));
    population = [...distinct.values()];
    await save(opened.stores, population);
  });
  after(() => opened.dispose());

  test('each value is counted as often as a plain evaluation finds it', async () => {
    const aggregate = createAggregate(opened.stores.indicators);
    const property = fc.asyncProperty(
      arbitraryFilter,
      arbitraryQuery,
      arbitraryCeiling,
      async (members, query, ceiling) => {
        const filter = { ...MATCH_ALL, ...members };
        const terms = parseTextQuery(query);
        const expected = population.filter(
          (indicator) =>
            isVisible(indicator.tlp, ceiling) && matches(indicator, filter) && matchesText(indicator, terms),
        );
        const histogram = { time: 'LAST_SEEN', bucket: 'DAY' } as const;
        const found = await aggregate({ ...EVERYTHING, filter, query, top: 100, histogram, ceiling });
        assert.deepEqual([found.counted, found.atLeast], [expected.length, false]);
        assert.deepEqual(
          countsOf(found, 'TLP'),
          plainCounts(expected, ({ tlp }) => [tlp]),
        );
        assert.deepEqual(
          countsOf(found, 'CATEGORY'),
          plainCounts(expected, ({ categories }) => categories),
        );
        assert.deepEqual(
          countsOf(found, 'TAG'),
          plainCounts(expected, ({ tags }) => tags),
        );
        assert.deepEqual(
          countsOf(found, 'TECHNIQUE'),
          plainCounts(expected, ({ enrichment }) => enrichment?.attackTechniques ?? []),
        );
        assert.deepEqual(
          countsOf(found, 'SOURCE'),
          plainCounts(expected, ({ sources }) => sources.map(({ id }) => id)),
        );
      },
    );
    await fc.assert(property, { numRuns: 300, seed: SEED });
  });
});

test('the most frequent values come first, and further ones are counted', async () => {
  const aggregate = createAggregate(rowsOf(['b', 'a', 'c', 'a', 'b', 'd'].map((tag) => ({ tags: [tag] }))));
  const { facets } = await aggregate({ ...EVERYTHING, facets: ['TAG', 'TAG'], top: 3 });
  assert.deepEqual(facets, [
    {
      facet: 'TAG',
      values: [
        { value: 'a', count: 2 },
        { value: 'b', count: 2 },
        { value: 'c', count: 1 },
      ],
      omittedValueCount: 1,
    },
  ]);
});

test('a histogram has the buckets with indicators, oldest first', async () => {
  const days = [3, 1, 3, 2 * 366];
  const aggregate = createAggregate(
    rowsOf(days.map((day) => ({ lastSeen: NOW - day * DAY, createdAt: NOW }))),
  );
  const counts = async (time: 'LAST_SEEN' | 'CREATED_AT', bucket: 'HOUR' | 'MONTH') =>
    (await aggregate({ ...EVERYTHING, histogram: { time, bucket } })).histogram.map(({ start, count }) => [
      new Date(start).toISOString().slice(0, 13),
      count,
    ]);
  assert.deepEqual(await counts('LAST_SEEN', 'MONTH'), [
    ['2024-03-01T00', 1],
    ['2026-03-01T00', 3],
  ]);
  assert.deepEqual(await counts('CREATED_AT', 'HOUR'), [['2026-03-14T09', 4]]);
  assert.deepEqual((await aggregate(EVERYTHING)).histogram, []);
});

test('beyond the bound the newest are counted, and the answer says so', async () => {
  const rows = (count: number) => rowsOf(Array.from({ length: count }, () => ({})));
  const exact = await createAggregate(rows(COUNT_BOUND))({ ...EVERYTHING, facets: ['TYPE'] });
  assert.deepEqual([exact.counted, exact.atLeast], [COUNT_BOUND, false]);
  const more = await createAggregate(rows(COUNT_BOUND + 1))({ ...EVERYTHING, facets: ['TYPE'] });
  assert.deepEqual([more.counted, more.atLeast], [COUNT_BOUND, true]);
  assert.deepEqual(more.facets[0]?.values, [{ value: 'DOMAIN', count: COUNT_BOUND }]);
});

/** A search that finds these indicators, the first one first. */
function rowsOf(indicators: readonly Partial<Indicator>[]) {
  const rows = indicators.map((changes, index) => {
    const { lastSeen, createdAt, ...members } = anIndicator(changes);
    const times = { lastSeen: new Date(lastSeen), createdAt: new Date(createdAt) };
    const document = JSON.stringify({
      ...JSON.parse(documentOf({ ...members, lastSeen, createdAt })),
      ...times,
    });
    return { seq: indicators.length - index, document };
  });
  return {
    count: async () => undefined,
    blocks: async (_: unknown, limit: number, before = Number.MAX_SAFE_INTEGER) => {
      const left = rows.filter(({ seq }) => seq < before);
      const page = left.slice(0, limit);
      return {
        blocks: [Buffer.from(page.map(({ document }) => document).join())],
        count: page.length,
        last: page.at(-1),
        more: left.length > limit,
      };
    },
  };
}

function countsOf({ facets }: Aggregate, wanted: string): Record<string, number> {
  const values = facets.find(({ facet }) => facet === wanted)?.values ?? [];
  return Object.fromEntries(values.map(({ value, count }) => [value, count]));
}

function plainCounts(
  indicators: readonly Indicator[],
  valuesOf: (indicator: Indicator) => readonly string[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of indicators.flatMap(valuesOf)) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
