// Which patterns can be read, which cannot, and that every pattern we write can be read back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VALUES } from '../objects/indicators.test-support.ts';
import { stixContext } from '../objects/stix-object.ts';
import { StixFault } from '../stix-fault.ts';
import { type PatternTerm, readPattern } from './pattern-reader.ts';
import { ja3Path, type ObservableType, stixPattern } from './stix-pattern.ts';

const EXTENSION_ID = stixContext(Buffer.alloc(32, 7)).extensionId;
const JA3 = ja3Path(EXTENSION_ID);

function outcomeOf(pattern: string): readonly PatternTerm[] | StixFault {
  try {
    return readPattern(pattern, JA3);
  } catch (error) {
    assert.ok(error instanceof StixFault, pattern);
    return error;
  }
}

function assertRefused(pattern: string, reason = /./): void {
  const refusal = outcomeOf(pattern);
  assert.ok(refusal instanceof StixFault, pattern);
  assert.match(refusal.message, reason);
}

function read(pattern: string): (readonly [string, string])[] {
  const terms = outcomeOf(pattern);
  assert.ok(!(terms instanceof StixFault), `${pattern}: ${JSON.stringify(terms)}`);
  return terms.map(({ type, value }) => [type, value] as const);
}

test('every pattern that we write is read back as what it was written for', () => {
  const types = Object.keys(VALUES) as ObservableType[];
  const observables = fc
    .constantFrom(...types)
    .chain((type) => VALUES[type].map((value) => ({ type, value })));
  fc.assert(
    fc.property(observables, ({ type, value }) => {
      assert.deepEqual(read(stixPattern(type, value, EXTENSION_ID)), [[type, value]]);
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

test('a path is quoted part by part, never as a whole', () => {
  assert.deepEqual(read("[ipv4-addr:'value' = '198.51.100.1']"), [['IPV4', '198.51.100.1']]);
  assert.deepEqual(read("[file:'hashes'.'MD5' = 'a']"), [['FILE_HASH_MD5', 'a']]);
  for (const path of [
    "'ipv4-addr:value'",
    "'ipv4-addr':value",
    "ipv4-addr':value'",
    "ipv4-addr:val'ue'",
    "ipv4-addr:'val'ue",
    "ipv4-addr:''value",
    "file:'hashes.MD5'",
    "file:hashes'.MD5'",
  ]) {
    assertRefused(`[${path} = '198.51.100.1']`);
  }
});

test('equality has two spellings, and so has its opposite, which is refused', () => {
  assert.deepEqual(read("[ipv4-addr:value == '198.51.100.1' OR url:value=='a']"), [
    ['IPV4', '198.51.100.1'],
    ['URL', 'a'],
  ]);
  assert.deepEqual(
    read("[network-traffic:dst_ref.type == 'ipv4-addr' AND network-traffic:dst_ref.value == '198.51.100.1']"),
    [['IPV4', '198.51.100.1']],
  );
  for (const operator of ['!=', '<>', '<', '>', '<=', '>=', '!', '===', '= =', '=!']) {
    assertRefused(`[url:value ${operator} 'a']`);
  }
  assertRefused("[url:value <> 'a']", /only the operators =, IN and ISSUBSET/);
});

test('an address with a prefix length is a range', () => {
  assert.deepEqual(read("[ipv4-addr:value = '192.0.2.0/24' OR ipv6-addr:value ISSUBSET '2001:db8::/32']"), [
    ['CIDR', '192.0.2.0/24'],
    ['CIDR', '2001:db8::/32'],
  ]);
});

test('the type and the value of one end of network traffic are an address', () => {
  const type = (of: string, end = 'dst') => `network-traffic:${end}_ref.type = '${of}'`;
  const value = (of: string, end = 'dst') => `network-traffic:${end}_ref.value = '${of}'`;
  assert.deepEqual(read(`[${type('ipv4-addr')} AND ${value('203.0.113.78')}]`), [['IPV4', '203.0.113.78']]);
  assert.deepEqual(read(`[${value('2001:db8::1', 'src')} and ${type('ipv6-addr', 'src')}]`), [
    ['IPV6', '2001:db8::1'],
  ]);
  assert.deepEqual(read(`[url:value = 'a' OR ${type('ipv4-addr')} AND ${value('203.0.113.0/24')}]`), [
    ['URL', 'a'],
    ['CIDR', '203.0.113.0/24'],
  ]);
  for (const pattern of [
    `[${type('ipv4-addr')}]`,
    `[${value('203.0.113.78')}]`,
    `[${type('ipv4-addr')} OR ${value('203.0.113.78')}]`,
    `[${type('ipv4-addr')}] AND [${value('203.0.113.78')}]`,
    `[${type('ipv4-addr')} AND ${type('ipv4-addr')}]`,
    `[${value('203.0.113.78')} AND ${value('203.0.113.78')}]`,
    `[${type('ipv4-addr', 'src')} AND ${value('203.0.113.78', 'dst')}]`,
    `[${type('domain-name')} AND ${value('evil.example')}]`,
    `[${type('ipv4-addr')} AND ${value('203.0.113.78')} AND network-traffic:dst_port = 502]`,
    `[${type('ipv4-addr')} AND ${value('203.0.113.78')} AND ${type('ipv4-addr')} AND ${value('a')}]`,
    `[url:value = 'a' AND ${type('ipv4-addr')} AND ${value('203.0.113.78')}]`,
    `[${type('ipv4-addr')} AND ${value('203.0.113.0/24').replace('=', 'ISSUBSET')}]`,
    `[${type('ipv4-addr').replace('=', 'IN')} AND ${value('203.0.113.78')}]`,
  ]) {
    assertRefused(pattern);
  }
});

test('hashes are read with and without the hyphen of their names', () => {
  for (const name of ["'SHA-256'", "'SHA256'", 'SHA256']) {
    assert.deepEqual(read(`[file:hashes.${name} = 'a']`), [['FILE_HASH_SHA256', 'a']]);
    assert.deepEqual(read(`[x509-certificate:hashes.${name} = 'a']`), [['SSL_CERT_FINGERPRINT', 'a']]);
  }
  for (const name of ["'SHA-1'", "'SHA1'", 'SHA1']) {
    assert.deepEqual(read(`[file:hashes.${name} = 'a']`), [['FILE_HASH_SHA1', 'a']]);
  }
  for (const pattern of [
    "[file:hashes.MD5 = 'a' AND file:hashes.SHA256 = 'b']",
    "[file:hashes.SHA512 = 'a']",
    "[file:hashes.sha256 = 'a']",
  ]) {
    assertRefused(pattern);
  }
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
    "[domain-name:value ISSUBSET 'evil.example']",
    "[url:value ISSUBSET '192.0.2.0/24']",
    "[file:hashes.MD5 ISSUBSET 'a']",
    "[ipv4-addr:value ISSUBSET ('192.0.2.0/24')]",
    "[ipv4-addr:value ISSUPERSET '192.0.2.0/24']",
    `[url:value = '${'x'.repeat(4_097)}']`,
    '[file:size = 5]',
    "[file:name = 'a.exe']",
    '[network-traffic:dst_port = 502]',
    `[${'x'.repeat(2_000_000)}]`,
    `[ipv4-addr:value IN (${Array.from({ length: 1_001 }, (_, index) => `'${index}'`).join()})]`,
  ]) {
    assertRefused(pattern);
  }
});

test('what is missing behind a comparison is told', () => {
  for (const pattern of [
    "[url:value = 'a'",
    "[url:value = 'a' OR url:value = 'b' ",
    "[url:value = 'a'] OR [url:value IN ('b')",
    "[url:value = 'a' [url:value = 'b']",
    "[url:value = 'a' url:value = 'b']",
  ]) {
    assertRefused(pattern, /^a comparison is not followed by OR or \]$/);
  }
  for (const and of ['AND', 'and'])
    assertRefused(
      `[url:value = 'a' ${and} url:value = 'b']`,
      /^only comparisons joined by OR are supported$/,
    );
});

test('a pattern has room for as many comparisons as it may have, and an end', () => {
  const urls = Array.from(
    { length: 1_000 },
    (_, index) => `'https://host${index}.example/${'p'.repeat(200)}'`,
  );
  assert.equal(read(`[url:value IN (${urls.join(', ')})]`).length, 1_000);
  const filled = (length: number) => `[url:value = '${'x'.repeat(length - 16)}']`;
  assertRefused(filled(250_000), /a value has at most/);
  assertRefused(filled(250_001), /^the pattern has more than 250000 characters$/);
});

test('any text at all is answered, and quickly', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("'", '\\', '[', ']', ' ', 'a', ':', '=', 'OR', '('), maxLength: 60 }),
      (text) => {
        outcomeOf(text);
      },
    ),
  );
  for (const text of ["'", "a'", "\\'", '[', "['", 'a.'].map((part) => part.repeat(100_000))) {
    const started = process.threadCpuUsage();
    outcomeOf(text);
    const { user } = process.threadCpuUsage(started);
    assert.ok(user < 2_000_000, `${text.slice(0, 4)}: ${user / 1_000} ms`);
  }
});
