import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isVisible, moreRestrictive, parseTlp, visibleMarkings } from './tlp.ts';
import { TLP_MARKINGS, type TlpMarking } from './vocabulary.ts';

const ORDER = ['CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const satisfies readonly TlpMarking[];
const marking = fc.constantFrom(...ORDER);

test('CLEAR < GREEN < AMBER < AMBER_STRICT < RED', () => {
  for (const [low, a] of ORDER.entries()) {
    for (const [high, b] of ORDER.entries()) assert.equal(isVisible(a, b), low <= high, `${a} up to ${b}`);
  }
});

test('fails closed without a marking or a ceiling', () => {
  for (const any of TLP_MARKINGS) assert.equal(isVisible(any, 'UNSPECIFIED'), false);
  assert.equal(isVisible('UNSPECIFIED', 'AMBER_STRICT'), false);
  assert.equal(isVisible('UNSPECIFIED', 'RED'), true);
});

test('the visible markings are those that isVisible lets through', () => {
  assert.deepEqual(visibleMarkings('AMBER'), ['CLEAR', 'GREEN', 'AMBER']);
  assert.deepEqual(visibleMarkings('RED'), ORDER);
  assert.deepEqual(visibleMarkings('UNSPECIFIED'), []);
});

test('what combines two markings is visible only to who may see both', () => {
  fc.assert(
    fc.property(marking, marking, marking, (a, b, ceiling) => {
      assert.equal(isVisible(moreRestrictive(a, b), ceiling), isVisible(a, ceiling) && isVisible(b, ceiling));
      assert.equal(moreRestrictive(a, b), moreRestrictive(b, a));
      assert.equal(moreRestrictive(a, 'UNSPECIFIED'), a);
    }),
  );
});

test('reads every spelling of every marking', () => {
  const spelling = fc.record({
    name: marking,
    prefix: fc.constantFrom('', 'TLP:', 'TLP_MARKING_', 'tlp-', 'TLP '),
    separator: fc.constantFrom('_', '+', '-', ' '),
    lower: fc.boolean(),
  });
  fc.assert(
    fc.property(spelling, ({ name, prefix, separator, lower }) => {
      const text = prefix + name.replace('_', separator);
      assert.equal(parseTlp(lower ? text.toLowerCase() : ` ${text} `), name);
    }),
  );
  assert.equal(parseTlp('tlp:white'), 'CLEAR');
});

test('reads nothing else', () => {
  for (const text of [
    '',
    'UNSPECIFIED',
    'TLP_MARKING_UNSPECIFIED',
    'tlp:',
    'AMBERSTRICT',
    'purple',
    'tlp:tlp:red',
    '5',
  ]) {
    assert.equal(parseTlp(text), undefined, text);
  }
});
