import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTextQuery } from './text-query.ts';

function terms(query: string): string[] {
  return parseTextQuery(query).map(({ kind, text }) => `${kind} ${text}`);
}

test('a term that reads as an observable is canonical, whatever its spelling', () => {
  assert.deepEqual(terms('1[.]1.1.1 EVIL.example hxxp://Evil[.]example:80 Ann@EVIL.example 2001:DB8:0::1'), [
    'whole 1.1.1.1',
    'whole evil.example',
    'whole http://evil.example/',
    'whole ann@evil.example',
    'whole 2001:db8::1',
  ]);
  assert.deepEqual(terms(`203.0.113.9/24 ${'AB'.repeat(16)} evil.example/x bins.sh`), [
    'whole 203.0.113.0/24',
    `whole ${'ab'.repeat(16)}`,
    'whole ://evil.example/x',
    'whole bins.sh',
  ]);
});

test('an address that is never an indicator is an address all the same', () => {
  assert.deepEqual(terms('127.0.0.1 10.1.2.3 ::ffff:127.0.0.1'), [
    'whole 127.0.0.1',
    'whole 10.1.2.3',
    'whole ::ffff:127.0.0.1',
  ]);
});

test('an address or a name with a port occurs as a whole', () => {
  assert.deepEqual(terms('203.0.113.9:80 Evil[.]example:8080 [2001:db8::1]:443'), [
    'whole 203.0.113.9:80',
    'whole evil.example:8080',
    'whole [2001:db8::1]:443',
  ]);
});

test('other terms are contiguous if a dot, colon, slash, at or dash is in them', () => {
  assert.deepEqual(terms('1.2.3 T1110.001 /bin/sh ssh-2 user@host port:22 mirai "water plant" abcdef'), [
    'contiguous 1.2.3',
    'contiguous t1110.001',
    'contiguous /bin/sh',
    'contiguous ssh-2',
    'contiguous user@host',
    'contiguous port:22',
    'plain mirai',
    'plain water plant',
    'plain abcdef',
  ]);
});
