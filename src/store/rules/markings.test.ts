import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVisible } from '../../domain/tlp.ts';
import { TLP_MARKINGS } from '../../domain/vocabulary.ts';
import { ceilingNumber, hiddenNumbers, markingNumber, visibleNumbers } from './markings.ts';

test('the numbers say what isVisible says, for every marking and every ceiling', () => {
  for (const ceiling of TLP_MARKINGS) {
    for (const marking of TLP_MARKINGS) {
      const visible = isVisible(marking, ceiling);
      const number = markingNumber(marking);
      const context = `${marking} up to ${ceiling}`;
      assert.equal(number <= ceilingNumber(ceiling), visible, context);
      assert.equal(visibleNumbers(ceiling).includes(number), visible, context);
      assert.equal(hiddenNumbers(ceiling).includes(number), !visible, context);
    }
  }
});
