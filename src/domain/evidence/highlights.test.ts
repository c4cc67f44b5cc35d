import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVIDENCE_KEYS } from './evidence-key.ts';
import { highlighted, withHighlights } from './highlights.ts';

const command = (value: string) => [{ key: 'command.input', value }];

test('the most reliable source, then what tells most, then the earliest', () => {
  let known = withHighlights([], command('ls'), 0.7, 5);
  const shown = () => highlighted(known, 'command.input');
  known = withHighlights(known, command('id'), 0.7, 4);
  assert.deepEqual(shown(), ['id']);
  known = withHighlights(known, command('wget x'), 0.7, 9);
  assert.deepEqual(shown(), ['wget x']);
  known = withHighlights(known, command('uname'), 0.9, 9);
  assert.deepEqual(shown(), ['uname']);
  assert.equal(
    withHighlights(known, command('curl x'), 0.7, 0),
    known,
    'nobody displaces a more reliable source',
  );
  assert.equal(withHighlights(known, command('uname'), 0.9, 10), known, 'repetition changes nothing');
});

test('a long text keeps what tells most, and never ends inside a character', () => {
  const excerpt = (text: string) =>
    highlighted(withHighlights([], command(text), 1, 0), 'command.input')[0] ?? '';
  assert.equal(excerpt(`${'a '.repeat(60)}wget x`), '…wget x');
  assert.equal(excerpt('😀'.repeat(60)).length, 101);
  assert.ok(excerpt(`a${'😀'.repeat(60)}`).isWellFormed());
});

test('only known keys are quoted, and of each a few values', () => {
  const ports = ['1', '2', '3', '4'].map((value) => ({ key: 'destination.port', value }));
  const known = withHighlights([], [...ports, { key: 'http.body', value: 'x' }], 1, 0);
  assert.deepEqual(highlighted(known, 'destination.port'), ['1', '2', '3']);
  for (const { key } of known) assert.ok(key in EVIDENCE_KEYS);
});
