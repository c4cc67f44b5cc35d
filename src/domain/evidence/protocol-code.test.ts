import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeNumber, codeTable, lookUp } from './protocol-code.ts';

test('numbers: decimal, hexadecimal, and as Zeek names what it does not know', () => {
  assert.equal(codeNumber('43'), 43);
  assert.equal(codeNumber('0x2B'), 43);
  assert.equal(codeNumber('unknown-171'), 171);
  assert.equal(codeNumber('0'), 0);
});

test('anything else is no number', () => {
  for (const text of ['', ' 43', '4 3', '-1', '1.5', '1e3', '0x', '0x12345', '123456', '٣', undefined]) {
    assert.equal(codeNumber(text), undefined, text);
  }
});

test('names in any spelling, with or without the kind of message', () => {
  const table = codeTable('p', [
    [1, 'read-coils', 'get-coils'],
    [[2, 3], 'response'],
  ]);
  for (const text of [
    '1',
    '0x01',
    'READ_COILS',
    'Read Coils',
    'readCoilsRequest',
    'read-coils-ack',
    'get coils',
  ]) {
    assert.equal(lookUp(table, text), 'p:read-coils', text);
  }
  assert.equal(lookUp(table, '3'), 'p:response');
  assert.equal(lookUp(table, 'RESPONSE'), 'p:response');
  for (const text of ['4', 'coils', '', '!', 'x'.repeat(65), undefined])
    assert.equal(lookUp(table, text), undefined);
});
