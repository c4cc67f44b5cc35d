// A walk from page to page while others write: no result is lost or repeated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MATCH_ALL } from '../domain/filter.ts';
import type { Indicator } from '../domain/indicator/indicator.ts';
import { documentsIn, NOW, save, valueIn } from '../store/contract/fixtures.ts';
import { openTemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import { createSearch, type SearchRequest } from './search.ts';

const SEED = 20_260_314;
const SIZES = [...Array.from({ length: 20 }, (_, index) => index + 1), 50, 1_000];

/** Indicators at the start of a walk. */
const THERE = 60;
const NUMBERS = Array.from({ length: THERE }, (_, index) => index);
const isUntouched = (number: number) => number % 3 !== 0;

type Question = Pick<SearchRequest, 'filter' | 'query'>;
const QUESTIONS: readonly Question[] = [
  { filter: MATCH_ALL, query: '' },
  { filter: { ...MATCH_ALL, tags: ['wanted'] }, query: '' },
  { filter: { ...MATCH_ALL, minConfidenceScore: 45 }, query: 'example' },
];

/** The writes beside one page: some indicators change, and new ones are created. */
interface Change {
  readonly touched: readonly number[];
  /** Whether the changed indicators match the question afterwards. */
  readonly wanted: boolean;
  readonly created: number;
}
const arbitraryChange: fc.Arbitrary<Change> = fc.record({
  touched: fc.subarray(
    NUMBERS.filter((number) => !isUntouched(number)),
    { maxLength: 5 },
  ),
  wanted: fc.boolean(),
  created: fc.integer({ min: 1, max: 3 }),
});

test('a walk gives each untouched indicator once, in descending order, whatever is written meanwhile', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...QUESTIONS),
    fc.array(arbitraryChange, { minLength: 3, maxLength: 3 }),
    async (question, changes) => {
      for (const pageSize of SIZES) {
        const walked = await walkAmidWrites(pageSize, question, changes);
        const context = `pages of ${pageSize}: ${walked}`;
        for (const [index, number] of walked.entries()) {
          assert.ok(number < (walked[index - 1] ?? THERE), context);
        }
        assert.deepEqual(walked.filter(isUntouched), NUMBERS.filter(isUntouched).toReversed(), context);
      }
    },
  );
  await fc.assert(property, { numRuns: 2, seed: SEED });
});

/** The numbers of the found indicators in their order. One change is written beside each page. */
async function walkAmidWrites(
  pageSize: number,
  question: Question,
  changes: readonly Change[],
): Promise<number[]> {
  const opened = await openTemporaryStore(() => NOW);
  try {
    const { stores } = opened;
    await save(
      stores,
      NUMBERS.map((number) => numbered(number)),
    );
    const search = createSearch(stores.indicators, stores.installation.secret);
    const walked: number[] = [];
    let count = THERE;
    let pageToken = '';
    do {
      const change = changes[count % changes.length];
      const touched = change?.touched.map((number) => numbered(number, change.wanted)) ?? [];
      const created = Array.from({ length: change?.created ?? 0 }, () => numbered(count++));
      const [page] = await Promise.all([
        search({ ...question, pageSize, pageToken, ceiling: 'AMBER' }),
        save(stores, [...touched, ...created]),
      ]);
      walked.push(...documentsIn(page.blocks).map((document) => Number.parseInt(valueIn(document), 10)));
      pageToken = page.nextPageToken;
      assert.ok(walked.length <= THERE, `repeats: ${walked}`);
    } while (pageToken !== '');
    return walked;
  } finally {
    await opened.dispose();
  }
}

test('a token stays good when the service starts again', async () => {
  const opened = await openTemporaryStore(() => NOW);
  try {
    await save(opened.stores, [numbered(0), numbered(1), numbered(2)]);
    const request: SearchRequest = {
      filter: { ...MATCH_ALL, types: ['DOMAIN', 'URL'] },
      query: 'example',
      pageSize: 2,
      pageToken: '',
      ceiling: 'GREEN',
    };
    const { stores } = opened;
    const first = await createSearch(stores.indicators, stores.installation.secret)(request);
    const again = await opened.reopen();
    const second = await createSearch(
      again.indicators,
      again.installation.secret,
    )({
      ...request,
      // A token stays valid for another page size and for the same list in another order.
      filter: { ...request.filter, types: ['URL', 'DOMAIN', 'URL'] },
      pageSize: 50,
      pageToken: first.nextPageToken,
    });
    assert.deepEqual(documentsIn([...first.blocks, ...second.blocks]).map(valueIn), [
      '2.example',
      '1.example',
      '0.example',
    ]);
    assert.equal(second.nextPageToken, '');
    assert.equal(second.totalCount, 3);
  } finally {
    await opened.dispose();
  }
});

test('every page of a walk has the total of its first page', async () => {
  const opened = await openTemporaryStore(() => NOW);
  try {
    const { stores } = opened;
    await save(stores, [numbered(0), numbered(1), numbered(2)]);
    const search = createSearch(stores.indicators, stores.installation.secret);
    const request: SearchRequest = {
      filter: MATCH_ALL,
      query: 'example',
      pageSize: 1,
      pageToken: '',
      ceiling: 'GREEN',
    };
    const first = await search(request);
    await save(stores, [numbered(3)]);
    const second = await search({ ...request, pageToken: first.nextPageToken });
    const third = await search({ ...request, pageToken: second.nextPageToken });
    assert.deepEqual(
      [first, second, third].map(({ totalCount }) => totalCount),
      [3, 3, 3],
    );
    assert.equal(third.nextPageToken, '');
    assert.equal((await search(request)).totalCount, 4);
  } finally {
    await opened.dispose();
  }
});

function numbered(number: number, wanted = true): Partial<Indicator> {
  return {
    value: `${number}.example`,
    tags: wanted ? ['wanted'] : ['unwanted'],
    confidenceScore: wanted ? 50 : 40,
  };
}
