// The tokens of stored text are not stored. The index of an existing store has those that this code made when the text was
// written, so they may never change without a step of the schema that builds the index anew (docs/decisions/0035).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anIndicator, aSummary } from '../../contract/fixtures.ts';
import { searchedText, substringTokens, tokensOnlyIn, wordTokens } from './text-tokens.ts';

const LONG = 'x'.repeat(33);

test('the tokens of a text are those of every earlier version', () => {
  const text = searchedText(
    anIndicator({
      value: 'Über.io',
      tags: ['C2', 'a\nb', '\ud800!'],
      enrichment: aSummary(`Seen 2x. ${LONG}`),
    }),
  );
  assert.deepEqual(text, { haystack: 'über.io\nc2\na\rb\n\ud800!', words: ` seen 2x .  ${LONG} ` });
  assert.deepEqual(
    [...substringTokens(text.haystack)].join(' '),
    'xc3bc62 xbc6265 x626572 x65722e x722e69 x2e696f x610d62 xefbfbd xbfbd21',
  );
  assert.deepEqual(
    [...wordTokens(text)].join(' '),
    'qc3bc qc3bc62 q63 q6332 q61 q610d qefbfbd qefbfbd21 w7365656e q73 q7365 w3278 q32 q3278 ' +
      'wh11ba55a3a7c1ee0f8eb8867dc40a62c67240eb4a q78 q7878',
  );
});

test('the tokens that a new summary takes away and adds are those of the two summaries', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'ab', '\u{10400}', '7', ' ', '-', '. ', '\ud800', '\n'), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      text,
      fc.array(text, { maxLength: 2 }),
      text,
      text,
      text,
      (value, tags, first, one, other) => {
        const [before, after] = [one, other].map((end) =>
          searchedText(anIndicator({ value, tags, enrichment: aSummary(`${first}${end}${first}`) })),
        );
        assert.ok(before !== undefined && after !== undefined);
        const [had, has] = [wordTokens(before), wordTokens(after)];
        assert.deepEqual(tokensOnlyIn(before, after), new Set([...had].filter((one) => !has.has(one))));
        assert.deepEqual(tokensOnlyIn(after, before), new Set([...has].filter((one) => !had.has(one))));
      },
    ),
    { numRuns: 500 },
  );
});
