// Rules of walking through all matches in the order of creation, as exports do.

import assert from 'node:assert/strict';
import { isVisible } from '../../domain/tlp.ts';
import { TLP_MARKINGS } from '../../domain/vocabulary.ts';
import type { SearchCriteria } from '../indicators.ts';
import type { Stores } from '../stores.ts';
import { aWrite, criteriaOf, idOf, save } from './fixtures.ts';
import type { Rule } from './rule.ts';

/** More than a driver reads in one batch. */
const MANY = 2_500;

export function describeWalking(rule: Rule): void {
  rule('a walk gives every match once, oldest first, as a whole record', async ({ stores }) => {
    await saveNumbered(stores, 0, MANY);
    for (const criteria of [criteriaOf(), criteriaOf({ types: ['DOMAIN'] }), criteriaOf({}, 'example')])
      assert.deepEqual(await valuesOf(stores, criteria), numbered(0, MANY));
    const odd = numbered(0, MANY).filter((_, index) => index % 2 === 1);
    assert.deepEqual(await valuesOf(stores, criteriaOf({ tags: ['odd'] })), odd);
    assert.deepEqual(await valuesOf(stores, criteriaOf({ tags: ['nowhere'] })), []);
    for await (const stored of stores.indicators.each(criteriaOf({}, odd[7])))
      assert.deepEqual(stored, await stores.indicators.record(stored.indicator.id, 'RED'));
  });

  rule('a walk through an empty store ends at once', async ({ stores }) => {
    assert.deepEqual(await valuesOf(stores, criteriaOf()), []);
  });

  rule('a walk meets nothing above the ceiling', async ({ stores }) => {
    await save(
      stores,
      TLP_MARKINGS.map((tlp) => ({ value: tlp, tlp })),
    );
    for (const ceiling of TLP_MARKINGS) {
      const visible = TLP_MARKINGS.filter((tlp) => isVisible(tlp, ceiling));
      assert.deepEqual(await valuesOf(stores, criteriaOf({}, '', ceiling)), visible, ceiling);
    }
  });

  rule('a walk keeps its place while others write, and ends', async ({ stores, another }) => {
    const other = await another();
    await saveNumbered(stores, 0, MANY);
    const values = numbered(0, MANY);
    const [first, next] = values as [string, string];
    const [raised, last] = values.slice(-2) as [string, string];
    const met = new Map<string, readonly string[]>();
    let created = 0;
    for await (const { indicator } of stores.indicators.each(criteriaOf({}, '', 'GREEN'))) {
      const { value, tags } = indicator;
      assert.ok(!met.has(value), value);
      met.set(value, tags);
      if (met.size === 1) {
        // One indicator changes behind the walk and one ahead of it. One ahead rises above the ceiling.
        await save(other, [{ value: first, tags: ['changed'] }]);
        await save(other, [{ value: last, tags: ['changed'] }]);
        await stores.write(async (tx) => {
          await tx.save([{ ...aWrite({ value: raised, tlp: 'AMBER' }), madeFrom: 'GREEN' }]);
          await tx.removeViews(idOf(raised), ['GREEN']);
        });
      }
      if (met.size % 500 === 0) await save(stores, [{ value: `created ${created++}` }]);
    }
    assert.equal(created, 4);
    assert.equal(met.size, MANY - 1);
    assert.deepEqual(met.get(first), ['even']);
    assert.deepEqual(met.get(next), ['odd']);
    assert.deepEqual(met.get(last), ['changed']);
  });

  rule('a walk that is given up leaves the store as usable as before', async ({ stores }) => {
    await saveNumbered(stores, 0, MANY);
    for await (const { indicator } of stores.indicators.each(criteriaOf())) {
      assert.equal(indicator.value, numbered(0, 1)[0]);
      break;
    }
    await saveNumbered(stores, MANY, MANY + 1);
    assert.equal((await valuesOf(stores, criteriaOf())).length, MANY + 1);
    const walk = stores.indicators.each(criteriaOf())[Symbol.asyncIterator]();
    assert.equal((await walk.next()).value?.indicator.id, idOf(numbered(0, 1)[0] ?? ''));
    await stores.close();
    await assert.rejects(valuesOf(stores, criteriaOf()), { name: 'ServiceError', code: 'unavailable' });
  });
}

async function valuesOf(stores: Stores, criteria: SearchCriteria): Promise<string[]> {
  const values: string[] = [];
  for await (const { indicator } of stores.indicators.each(criteria)) values.push(indicator.value);
  return values;
}

/** The values of the numbers from `first` up to `end`, exclusive. */
function numbered(first: number, end: number): string[] {
  return Array.from({ length: end - first }, (_, index) => `${first + index}.example`);
}

function saveNumbered(stores: Stores, first: number, end: number): Promise<void> {
  return save(
    stores,
    numbered(first, end).map((value, index) => ({
      value,
      tags: [(first + index) % 2 === 0 ? 'even' : 'odd'],
    })),
  );
}
