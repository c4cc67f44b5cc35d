// Rules of the order of a search, of its pages, and of counts.

import assert from 'node:assert/strict';
import type { SearchCriteria, SearchResult, SearchRow, Seq } from '../indicators.ts';
import { PAGE_CHARACTERS } from '../rules/page-size.ts';
import type { Stores } from '../stores.ts';
import { aVersion, aWrite, criteriaOf, documentsIn, NOW, save, valueIn } from './fixtures.ts';
import type { Rule } from './rule.ts';

const EVERY_KIND: readonly SearchCriteria[] = [
  criteriaOf(),
  criteriaOf({}, '', 'GREEN'),
  criteriaOf({ types: ['DOMAIN'] }),
  criteriaOf({ tags: ['even', 'odd'], minConfidenceScore: 45 }, '', 'AMBER'),
  criteriaOf({}, 'example'),
];

/** More pages than any walk in these rules has. */
const LONGEST_WALK = 1_000;

export function describePaging(rule: Rule): void {
  rule('a page with large documents is cut, and the next page goes on behind it', async ({ stores }) => {
    const values = ['a.example', 'b.example'];
    const large = 'x'.repeat(0.6 * PAGE_CHARACTERS);
    await stores.write(async (tx) => {
      await tx.save(
        values.map((value) => ({ ...aWrite({ value }), document: JSON.stringify({ value, large }) })),
      );
      await tx.append(
        values.map((value) => aVersion(value, 0, { object: JSON.stringify({ value, large }) })),
        NOW,
      );
    });
    const pages = await walk(stores, criteriaOf(), 1_000);
    assert.deepEqual(
      pages.map((rows) => rows.map(({ document }) => valueIn(document))),
      [['b.example'], ['a.example']],
    );
    const until = (await stores.feed.bounds('RED'))?.end.place ?? 0;
    const first = await stores.feed.objects({ until, limit: 1_000, ceiling: 'RED' });
    assert.deepEqual([first.entries.length, first.more], [1, true]);
    assert.equal((await stores.feed.versions({ until, limit: 10, ceiling: 'RED' })).entries.length, 2);
  });

  rule('a search gives the newest first, in the order of creation', async ({ stores }) => {
    await saveNumbered(stores, 0, 30);
    for (const criteria of EVERY_KIND) {
      const { rows } = await stores.indicators.search(criteria, 100);
      assert.deepEqual(numbersOf(rows), descending(29, 0));
      assert.ok(rows.every(({ seq }, index) => seq > (rows[index + 1]?.seq ?? -1)));
    }
  });

  rule(
    'pages of every size, each behind the last row of the one before, hold every row once',
    async ({ stores }) => {
      await saveNumbered(stores, 0, 30);
      for (const criteria of EVERY_KIND) {
        for (const size of [1, 2, 3, 7, 15, 29, 30, 31]) {
          const pages = await walk(stores, criteria, size);
          assert.deepEqual(pages.flatMap(numbersOf), descending(29, 0));
          assert.equal(pages.length, Math.ceil(30 / size));
        }
      }
    },
  );

  rule('more says whether a row is left, not whether the page is full', async ({ stores }) => {
    await saveNumbered(stores, 0, 4);
    const search = (criteria: SearchCriteria, limit: number, before?: Seq) =>
      pageOf(stores, criteria, limit, before);
    for (const criteria of EVERY_KIND) {
      assert.equal((await search(criteria, 3)).more, true);
      assert.equal((await search(criteria, 4)).more, false);
      assert.equal((await search(criteria, 5)).more, false);
      const last = (await search(criteria, 4)).rows.at(-1)?.seq;
      assert.deepEqual(await search(criteria, 4, last), { rows: [], more: false });
    }
    assert.deepEqual(await search(criteriaOf({ tags: ['nowhere'] }), 4), { rows: [], more: false });
  });

  rule('a walk neither repeats nor misses what was there when it began', async ({ stores }) => {
    for (const criteria of EVERY_KIND) {
      await saveNumbered(stores, 0, 20);
      const first = await stores.indicators.search(criteria, 10);
      // New indicators are added. Old ones change on both sides of the cursor.
      await saveNumbered(stores, 20, 25);
      await saveNumbered(stores, 3, 4);
      await saveNumbered(stores, 15, 16);
      const second = await stores.indicators.search(criteria, 100, first.rows.at(-1)?.seq);
      assert.equal(first.rows.length, 10);
      assert.deepEqual(numbersOf(second.rows), descending(Number(numbersOf(first.rows).at(-1)) - 1, 0));
    }
  });

  rule('another order is by its key, then by creation, and its pages go on there', async ({ stores }) => {
    const scores = [10, 95, 95, 60, 95, 60, 10, 100];
    await save(
      stores,
      scores.map((confidenceScore, index) => ({ value: `${index}.example`, confidenceScore })),
    );
    const found: number[] = [];
    let before: SearchRow | undefined;
    for (let more = true; more; ) {
      const from = before?.key === undefined ? {} : { from: before.key };
      const criteria: SearchCriteria = { ...criteriaOf(), order: { by: 'CONFIDENCE', ...from } };
      const page = await pageOf(stores, criteria, 3, before?.seq);
      found.push(...numbersOf(page.rows));
      before = page.rows.at(-1);
      more = page.more;
      // What falls behind the walk comes again; all others come once.
      if (found.length === 3) await save(stores, [{ value: '7.example', confidenceScore: 11 }]);
    }
    assert.deepEqual(found, [7, 4, 2, 1, 5, 3, 7, 6, 0]);
  });

  rule('a count is exact up to the bound, and not given above it', async ({ stores }) => {
    await saveNumbered(stores, 0, 10);
    const { count } = stores.indicators;
    for (const criteria of EVERY_KIND) {
      assert.equal(await count(criteria, 9), undefined);
      assert.equal(await count(criteria, 10), 10);
      assert.equal(await count(criteria, 11), 10);
    }
    assert.equal(await count(criteriaOf({ tags: ['odd'] }), 10), 5);
    assert.equal(await count(criteriaOf({ tags: ['nowhere'] }), 0), 0);
  });

  rule('pages and counts follow every write, by this opener and by another', async ({ stores, another }) => {
    const other = await another();
    const check = async (expected: number) => {
      for (const opener of [stores, other]) {
        for (const criteria of EVERY_KIND) {
          assert.equal(await opener.indicators.count(criteria, 1_000), expected);
          assert.equal((await opener.indicators.search(criteria, 1_000)).rows.length, expected);
        }
      }
    };
    await check(0);
    await saveNumbered(stores, 0, 5);
    await check(5);
    await saveNumbered(other, 5, 7);
    await check(7);
    await saveNumbered(stores, 7, 8);
    await check(8);
  });
}

/** Saves indicators whose values begin with the numbers from `first` up to `end`, exclusive. */
function saveNumbered(stores: Stores, first: number, end: number): Promise<void> {
  const numbers = Array.from({ length: end - first }, (_, index) => first + index);
  return save(
    stores,
    numbers.map((number) => ({ value: `${number}.example`, tags: [number % 2 === 0 ? 'even' : 'odd'] })),
  );
}

function numbersOf(rows: readonly SearchRow[]): number[] {
  return rows.map(({ document }) => Number.parseInt(valueIn(document), 10));
}

function descending(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index);
}

/** One page, read by `search` and by `blocks`. Both must find the same. */
async function pageOf(
  stores: Stores,
  criteria: SearchCriteria,
  limit: number,
  before: Seq | undefined,
): Promise<SearchResult> {
  const result = await stores.indicators.search(criteria, limit, before);
  const { blocks, count, last, more } = await stores.indicators.blocks(criteria, limit, before);
  const { document, ...place } = result.rows.at(-1) ?? {};
  assert.deepEqual(
    documentsIn(blocks),
    result.rows.map((row) => row.document),
  );
  assert.deepEqual(
    { count, last, more },
    { count: result.rows.length, last: document === undefined ? undefined : place, more: result.more },
  );
  return result;
}

async function walk(stores: Stores, criteria: SearchCriteria, size: number): Promise<SearchRow[][]> {
  const pages: SearchRow[][] = [];
  let before: number | undefined;
  for (;;) {
    const { rows, more } = await pageOf(stores, criteria, size, before);
    pages.push([...rows]);
    if (!more) return pages;
    assert.ok(pages.length < LONGEST_WALK, 'the walk does not end');
    before = rows.at(-1)?.seq;
  }
}
