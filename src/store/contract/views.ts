// Rules of views: each reader finds the view that is for his ceiling, at the place where his reports put it.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CEILINGS, NOBODY, readersAt, readersOf } from '../../domain/audience.ts';
import { isVisible } from '../../domain/tlp.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { IndicatorWrite } from '../indicators.ts';
import type { Stores } from '../stores.ts';
import { aWrite, criteriaOf, idOf, NOW, save } from './fixtures.ts';
import type { Rule } from './rule.ts';

const SEED = 20_260_314;

export function describeViews(rule: Rule): void {
  rule('each ceiling has the view that is for it', async ({ stores }) => {
    await stores.write((tx) =>
      tx.save([viewOf('a', 'GREEN', 'below', 'AMBER_STRICT'), viewOf('a', 'AMBER_STRICT', 'above')]),
    );
    const tags = async (ceiling: TlpMarking) =>
      (await stores.indicators.record(idOf('a'), ceiling))?.indicator.tags;
    assert.equal(await tags('UNSPECIFIED'), undefined);
    assert.equal(await tags('CLEAR'), undefined);
    assert.deepEqual(await tags('GREEN'), ['below']);
    assert.deepEqual(await tags('AMBER'), ['below']);
    assert.deepEqual(await tags('AMBER_STRICT'), ['above']);
    assert.deepEqual(await tags('RED'), ['above']);
  });

  rule('a load gives all views, least restrictive first', async ({ stores }) => {
    await stores.write((tx) => tx.save([viewOf('a', 'RED', 'above'), viewOf('a', 'CLEAR', 'below', 'RED')]));
    const views = (await stores.write((tx) => tx.load([idOf('a')]))).get(idOf('a'));
    assert.deepEqual(
      views?.map(({ indicator }) => indicator.tlp),
      ['CLEAR', 'RED'],
    );
  });

  rule('a write of a view changes its revision, and that of no other view', async ({ stores }) => {
    const keys = (['CLEAR', 'RED', 'AMBER'] as const).map((marking) => ({ indicatorId: idOf('a'), marking }));
    const revisions = () => stores.write((tx) => tx.revisions(keys));
    await stores.write((tx) => tx.save([viewOf('a', 'RED', 'above'), viewOf('a', 'CLEAR', 'below', 'RED')]));
    const first = await revisions();
    await stores.write((tx) => tx.save([viewOf('a', 'CLEAR', 'changed', 'RED')]));
    const second = await revisions();
    assert.ok(Number(second[0]) > Number(first[0]));
    assert.equal(second[1], first[1]);
    assert.equal(second[2], undefined);
    const [, above, missing] = await stores.write((tx) => tx.loadViews(keys));
    assert.equal(above?.revision, second[1]);
    assert.equal(above?.audience, readersOf('RED'));
    assert.equal(missing, undefined);
  });

  rule('a view that is made again has another revision than before', async ({ stores }) => {
    const key = { indicatorId: idOf('a'), marking: 'RED' } as const;
    const revision = async () => (await stores.write((tx) => tx.revisions([key])))[0];
    await stores.write((tx) => tx.save([viewOf('a', 'RED', 'first')]));
    const first = await revision();
    await stores.write(async (tx) => {
      await tx.save([{ ...viewOf('a', 'CLEAR', 'lowered'), madeFrom: 'RED' }]);
      await tx.removeViews(idOf('a'), ['RED']);
    });
    await stores.write((tx) => tx.save([viewOf('a', 'RED', 'second')]));
    assert.notEqual(await revision(), first);
  });

  rule('each view has a job of its own', async ({ stores }) => {
    const keys = (['RED', 'CLEAR'] as const).map((marking) => ({ indicatorId: idOf('a'), marking }));
    const [first, second] = keys;
    assert.ok(first !== undefined && second !== undefined);
    await stores.write((tx) => tx.enqueue([first], NOW - 2));
    await stores.write((tx) => tx.enqueue([second], NOW - 1));
    const [one] = await stores.write((tx) => tx.claim(1, 1_000, NOW));
    assert.equal(one?.marking, 'RED');
    await stores.write((tx) => tx.complete(one === undefined ? [] : [one]));
    const rest = await stores.write((tx) => tx.claim(10, 1_000, NOW));
    assert.deepEqual(
      rest.map(({ marking }) => marking),
      ['CLEAR'],
    );
  });

  rule('a view that was removed is gone from every answer', async ({ stores }) => {
    await save(stores, [{ value: 'other' }]);
    await stores.write((tx) =>
      tx.save([viewOf('a', 'CLEAR', 'below', 'AMBER'), viewOf('a', 'AMBER', 'above')]),
    );
    await stores.write(async (tx) => {
      await tx.save([viewOf('a', 'AMBER', 'above')]);
      await tx.removeViews(idOf('a'), ['CLEAR', 'RED']);
    });
    assert.equal(await stores.indicators.record(idOf('a'), 'GREEN'), undefined);
    assert.equal(await stores.indicators.count(criteriaOf({ tags: ['below'] }), 10), 0);
    assert.equal(await stores.indicators.count(criteriaOf({}, 'a', 'RED'), 10), 1);
    assert.equal(await stores.indicators.count(criteriaOf({}, '', 'RED'), 10), 2);
    assert.deepEqual(await found(stores, 'GREEN'), ['other']);
  });

  rule('a walk goes on from the place of a view that was replaced', async ({ stores }) => {
    await save(stores, [{ value: 'a', tlp: 'GREEN' }, { value: 'b', tlp: 'AMBER' }, { value: 'c' }]);
    const [, last] = (await stores.indicators.search(criteriaOf(), 2)).rows;
    // The view of b for this reader is now one with another marking, at the same place.
    await stores.write(async (tx) => {
      await tx.save([{ ...viewOf('b', 'GREEN', 'lowered'), madeFrom: 'AMBER' }]);
      await tx.removeViews(idOf('b'), ['AMBER']);
    });
    const rest = await stores.indicators.search(criteriaOf(), 10, last?.seq);
    assert.deepEqual(
      rest.rows.map(({ document }) => JSON.parse(document).value),
      ['a'],
    );
  });

  rule('a reader finds what he would find without the reports above his ceiling', async ({ stores }) => {
    let run = 0;
    const property = fc.asyncProperty(arbitraryHistory, async (batches) => {
      run += 1;
      const prefix = `run${run}-`;
      const views = new Map<string, ModelView[]>();
      let number = 0;
      for (const batch of batches) {
        const numbered = batch.map((report) => ({ ...report, number: number++ }));
        await stores.write((tx) => tx.save(merged(views, numbered, prefix)));
      }
      const reports = batches.flat();
      for (const ceiling of CEILINGS) {
        for (const tag of [undefined, 'even', 'odd'] as const) {
          const expected = expectedFor(ceiling, reports, tag).map(({ value, seen }) => `${value}: ${seen}`);
          const criteria = criteriaOf(tag === undefined ? {} : { tags: [tag] }, prefix, ceiling);
          const walked: string[] = [];
          let before: number | undefined;
          do {
            const { rows, more } = await stores.indicators.search(criteria, 2, before);
            walked.push(...rows.map(({ document }) => document));
            before = more ? rows.at(-1)?.seq : undefined;
          } while (before !== undefined);
          assert.deepEqual(walked, expected, `${ceiling} ${tag}`);
          assert.equal(await stores.indicators.count(criteria, 100), expected.length);
        }
      }
    });
    await fc.assert(property, { numRuns: 60, seed: SEED });
  });
}

interface Report {
  readonly value: string;
  readonly tlp: TlpMarking;
}

const arbitraryHistory = fc.array(
  fc.array(fc.record({ value: fc.constantFrom('a', 'b', 'c', 'd'), tlp: fc.constantFrom(...CEILINGS) }), {
    minLength: 1,
    maxLength: 3,
  }),
  { maxLength: 5 },
);

interface ModelView {
  readonly tlp: TlpMarking;
  /** The numbers of the reports. */
  seen: readonly number[];
}

/** Merges the reports of one change into the views, and gives the writes. New views come first, in their order. */
function merged(
  views: Map<string, ModelView[]>,
  reports: readonly (Report & { readonly number: number })[],
  prefix: string,
): readonly IndicatorWrite[] {
  const made: (() => IndicatorWrite)[] = [];
  const isNew = new Set<ModelView>();
  for (const { value, tlp, number } of reports) {
    const known = views.get(value) ?? [];
    const below = known.filter((view) => view.tlp !== tlp && isVisible(view.tlp, tlp));
    const above = known.slice(below.length);
    for (const view of above) view.seen = [...view.seen, number];
    if (above[0]?.tlp === tlp) continue;
    const base = below.at(-1);
    const view: ModelView = { tlp, seen: [...(base?.seen ?? []), number] };
    views.set(value, [...below, view, ...above]);
    isNew.add(view);
    made.push(() => ({
      ...written(prefix, value, views.get(value) ?? [], view),
      ...(base === undefined ? {} : { madeFrom: base.tlp }),
    }));
  }
  const changed = [...new Set(reports.map(({ value }) => value))].flatMap((value) => {
    const all = views.get(value) ?? [];
    return all.filter((view) => !isNew.has(view)).map((view) => written(prefix, value, all, view));
  });
  return [...made.map((write) => write()), ...changed];
}

function written(
  prefix: string,
  value: string,
  views: readonly ModelView[],
  view: ModelView,
): IndicatorWrite {
  const next = views[views.indexOf(view) + 1];
  const { record } = viewOf(`${prefix}${value}`, view.tlp, parityOf(view.seen));
  return { record, audience: readersOf(view.tlp, next?.tlp), document: `${value}: ${view.seen}` };
}

function expectedFor(ceiling: TlpMarking, reports: readonly Report[], tag: string | undefined): Expected[] {
  const found = new Map<string, number[]>();
  reports.forEach(({ value, tlp }, number) => {
    if (isVisible(tlp, ceiling)) found.set(value, [...(found.get(value) ?? []), number]);
  });
  return [...found]
    .map(([value, seen]) => ({ value, seen }))
    .filter(({ seen }) => tag === undefined || parityOf(seen) === tag)
    .toReversed();
}

interface Expected {
  readonly value: string;
  readonly seen: readonly number[];
}

function parityOf(seen: readonly number[]): string {
  return seen.length % 2 === 0 ? 'even' : 'odd';
}

/** @param below the marking of the next view. */
function viewOf(value: string, tlp: TlpMarking, tag: string, below?: TlpMarking): IndicatorWrite {
  return { ...aWrite({ value, tlp, tags: [tag] }), audience: readersOf(tlp, below) };
}

async function found(stores: Stores, ceiling: TlpMarking): Promise<string[]> {
  assert.notEqual(readersAt(ceiling), NOBODY);
  const { rows } = await stores.indicators.search(criteriaOf({}, '', ceiling), 100);
  return rows.map(({ document }) => JSON.parse(document).value);
}
