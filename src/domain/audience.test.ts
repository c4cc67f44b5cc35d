import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CEILINGS, ceilingsOf, EVERYBODY, isReader, NOBODY, readersAt, readersOf } from './audience.ts';
import { isVisible } from './tlp.ts';
import { TLP_MARKINGS } from './vocabulary.ts';

test('the readers of a marking are those who may see it', () => {
  for (const marking of TLP_MARKINGS) {
    for (const ceiling of TLP_MARKINGS) {
      assert.equal(
        isReader(ceiling, readersOf(marking)),
        isVisible(marking, ceiling),
        `${marking} ${ceiling}`,
      );
    }
  }
});

test('the readers of a marking below another see the first and not the second', () => {
  for (const marking of CEILINGS) {
    for (const below of CEILINGS) {
      const expected = CEILINGS.filter(
        (ceiling) => isVisible(marking, ceiling) && !isVisible(below, ceiling),
      );
      assert.deepEqual(ceilingsOf(readersOf(marking, below)), expected, `${marking} ${below}`);
    }
  }
});

test('an audience is the union of its ceilings', () => {
  for (let audience = NOBODY; audience <= EVERYBODY; audience++) {
    const union = ceilingsOf(audience).reduce((sum, ceiling) => sum | readersAt(ceiling), NOBODY);
    assert.equal(union, audience);
  }
});
