// Patterns that are understood, patterns that are not, and that what we write is read back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VALUES } from './indicators.test-fixture.ts';
import { readPattern } from './pattern-reader.ts';
import { stixContext } from './stix-ids.ts';
import { ja3Path, type ObservableType, stixPattern } from './stix-pattern.ts';

const CONTEXT = stixContext(Buffer.alloc(32, 7));
const JA3 = ja3Path(CONTEXT);

function read(pattern: string): (readonly [string, string])[] {
  const result = readPattern(pattern, JA3);
  assert.ok(result.ok, `${pattern}: ${result.ok ? '' : result.reason}`);
  return result.terms.map(({ type, value }) => [type, value] as const);
}

test('every pattern that we write is read back as what it was written for', () => {
  const types = Object.keys(VALUES) as ObservableType[];
  const observables = fc
    .constantFrom(...types)
    .chain((type) => VALUES[type].map((value) => ({ type, value })));
  fc.assert(
    fc.property(observables, ({ type, value }) => {
      assert.deepEqual(read(stixPattern(type, value, CONTEXT)), [[type, value]]);
    }),
    { numRuns: 500 },
  );
});

test('lists joined by OR, inside one observation, between several, and by IN', () => {
  const expected = [
    ['IPV4', '192.0.2.1'],
    ['DOMAIN', 'evil.example'],
  ];
  for (const pattern of [
    "[ipv4-addr:value = '192.0.2.1' OR domain-name:value = 'evil.example']",
    "[ipv4-addr:value = '192.0.2.1'] OR [domain-name:value = 'evil.example']",
    "  [ ipv4-addr:value='192.0.2.1' ]\n or [domain-name:value ='evil.example']  ",
    "[ipv4-addr:value IN ('192.0.2.1')] OR [domain-name:value IN ( 'evil.example' )]",
  ]) {
    assert.deepEqual(read(pattern), expected, pattern);
  }
  assert.deepEqual(read("[file:hashes.'MD5' IN ('a', 'b') OR file:hashes.'SHA-256' = 'c']"), [
    ['FILE_HASH_MD5', 'a'],
    ['FILE_HASH_MD5', 'b'],
    ['FILE_HASH_SHA256', 'c'],
  ]);
});

test('an address with a prefix length is a range', () => {
  assert.deepEqual(read("[ipv4-addr:value = '192.0.2.0/24' OR ipv6-addr:value ISSUBSET '2001:db8::/32']"), [
    ['CIDR', '192.0.2.0/24'],
    ['CIDR', '2001:db8::/32'],
  ]);
});

test('whatever else a pattern can say is refused with a reason', () => {
  for (const pattern of [
    '',
    'ipv4-addr:value',
    '[]',
    "[ipv4-addr:value = '192.0.2.1'",
    "[ipv4-addr:value = '192.0.2.1'] x",
    "[ipv4-addr:value = '192.0.2.1'] OR",
    "[ipv4-addr:value = '192.0.2.1' AND ipv4-addr:value = '192.0.2.2']",
    "[ipv4-addr:value = '192.0.2.1'] AND [ipv4-addr:value = '192.0.2.2']",
    "[ipv4-addr:value = '192.0.2.1'] FOLLOWEDBY [ipv4-addr:value = '192.0.2.2']",
    "[ipv4-addr:value = '192.0.2.1'] WITHIN 5 SECONDS",
    "[ipv4-addr:value != '192.0.2.1']",
    "[NOT ipv4-addr:value = '192.0.2.1']",
    "[ipv4-addr:value NOT = '192.0.2.1']",
    "[ipv4-addr:value LIKE '192.%']",
    "[ipv4-addr:value IN '192.0.2.1']",
    "[ipv4-addr:value IN ('192.0.2.1' '192.0.2.2')]",
    "([ipv4-addr:value = '192.0.2.1'])",
    '[file:size = 5]',
    "[file:name = 'a.exe']",
    '[network-traffic:dst_port = 502]',
    `[${'x'.repeat(2_000_000)}]`,
    `[ipv4-addr:value IN (${Array.from({ length: 1_001 }, (_, index) => `'${index}'`).join()})]`,
  ]) {
    const result = readPattern(pattern, JA3);
    assert.equal(result.ok, false, pattern);
    assert.ok(!result.ok && result.reason.length > 0);
  }
});

test('any text at all is answered, and quickly', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("'", '\\', '[', ']', ' ', 'a', ':', '=', 'OR', '('), maxLength: 60 }),
      (text) => {
        assert.equal(typeof readPattern(text, JA3).ok, 'boolean');
      },
    ),
  );
  for (const text of ["'", "a'", "\\'", '[', "['", 'a.'].map((part) => part.repeat(100_000))) {
    const started = performance.now();
    readPattern(text, JA3);
    assert.ok(performance.now() - started < 1_000);
  }
});
