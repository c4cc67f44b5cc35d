// The tokens of stored text are not stored. The index of an existing store has those that this code made when the text was
// written, so they may never change without a step of the schema that builds the index anew (docs/decisions/0035).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndicator, aSummary } from '../../contract/fixtures.ts';
import { searchedText, substringTokens, wordTokens } from './text-tokens.ts';

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
