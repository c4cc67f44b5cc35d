import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findValues } from './find-values.ts';
import { understand } from './understanding.ts';

const HASH = 'd41d8cd98f00b204e9800998ecf8427e';

test('values are found among the words of a log, defanged or not, each once', () => {
  const log = `Nov 22 03:11:09 gw sshd[411]: Failed password for root from 198.51.100.7 port 40022 ssh2
    GET hxxp://files[.]example[.]org/a.php?x=1, then 198[.]51[.]100[.]7 again; md5=${HASH}
    (see https://example.net/report). 2001:db8::7 and [2001:db8::8]:443, mail a(at)example(dot)com 203.0.113.0/24
    fingerprint ${Array(20).fill('AB').join(':')} at 12:30:45 in conpot.log`;
  assert.deepEqual(findValues(log), [
    '198.51.100.7',
    'http://files.example.org/a.php?x=1',
    HASH,
    'https://example.net/report',
    '2001:db8::7',
    '2001:db8::8',
    'a@example.com',
    '203.0.113.0/24',
    Array(20).fill('AB').join(':'),
  ]);
});

test('what only looks like a value is left alone', () => {
  for (const text of [
    '1.2.3.4.5',
    '12:30:45',
    'version 2.10',
    '300.1.1.1',
    'index.php',
    'a.b',
    'e.g. this',
    '::',
    'deadbeef',
  ])
    assert.deepEqual(findValues(text), [], text);
});

test('no text takes long, and what is found stands in the text', () => {
  const parts = fc.constantFrom(
    '1',
    '.',
    ':',
    'a',
    'http://',
    '@',
    '-',
    '/',
    '[',
    ']',
    'xn--',
    ' ',
    '255',
    '(',
    ')',
    'é',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 400 }), (pieces) => {
      const started = performance.now();
      findValues(pieces.join('').repeat(5));
      assert.ok(performance.now() - started < 500);
    }),
  );
  for (const text of [
    'a.'.repeat(50_000),
    '1:'.repeat(50_000),
    'a@'.repeat(50_000),
    'ab:'.repeat(40_000),
    'a-'.repeat(50_000),
  ]) {
    const started = performance.now();
    findValues(text);
    assert.ok(performance.now() - started < 1_000, text.slice(0, 10));
  }
});

test('the box says what it understood', () => {
  const kinds = (text: string, asText = false) => understand(text, asText).kind;
  assert.equal(kinds(' \n'), 'all');
  assert.equal(kinds('198[.]51[.]100[.]7'), 'value');
  assert.equal(kinds('"hxxps://a.example/b"'), 'value');
  assert.equal(kinds('198.51.100.7 198.51.100.8'), 'values');
  assert.equal(kinds('198.51.100.7 198.51.100.8', true), 'text');
  assert.equal(kinds('Failed password for root from 198.51.100.7 port 22'), 'values');
  assert.equal(kinds('modbus 198.51.100.7'), 'text');
  assert.equal(kinds('coil write'), 'text');
  assert.deepEqual(understand('evil[.]example'), { kind: 'value', value: 'evil.example' });
});
