// Our patterns are valid and contain the value unchanged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VALUES } from '../objects/indicators.test-support.ts';
import { parsePattern } from './pattern-grammar.test-support.ts';
import { type ObservableType, stixPattern } from './stix-pattern.ts';

const EXTENSION_ID = 'extension-definition--5d0c2f9a-8f35-4a0c-8a64-1d3f2b7e9c22';

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e';
const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const EXAMPLES: readonly (readonly [ObservableType, string, string])[] = [
  ['IPV4', '198.51.100.7', "[ipv4-addr:value = '198.51.100.7']"],
  ['IPV6', '2001:db8::1', "[ipv6-addr:value = '2001:db8::1']"],
  ['DOMAIN', 'evil.example.com', "[domain-name:value = 'evil.example.com']"],
  ['URL', "http://evil.example.com/a'b\\c", "[url:value = 'http://evil.example.com/a\\'b\\\\c']"],
  ['FILE_HASH_MD5', MD5, `[file:hashes.MD5 = '${MD5}']`],
  ['FILE_HASH_SHA1', SHA1, `[file:hashes.'SHA-1' = '${SHA1}']`],
  ['FILE_HASH_SHA256', SHA256, `[file:hashes.'SHA-256' = '${SHA256}']`],
  ['EMAIL', 'a@evil.example.com', "[email-addr:value = 'a@evil.example.com']"],
  ['CIDR', '198.51.100.0/24', "[ipv4-addr:value ISSUBSET '198.51.100.0/24']"],
  ['CIDR', '2001:db8::/32', "[ipv6-addr:value ISSUBSET '2001:db8::/32']"],
  ['JA3', MD5, `[network-traffic:extensions.'${EXTENSION_ID}'.ja3 = '${MD5}']`],
  ['SSL_CERT_FINGERPRINT', MD5, `[x509-certificate:hashes.'MD5' = '${MD5}']`],
  ['SSL_CERT_FINGERPRINT', SHA1, `[x509-certificate:hashes.'SHA-1' = '${SHA1}']`],
  ['SSL_CERT_FINGERPRINT', SHA256, `[x509-certificate:hashes.'SHA-256' = '${SHA256}']`],
];

for (const [type, value, pattern] of EXAMPLES) {
  test(`${type} ${value}`, () => assert.equal(stixPattern(type, value, EXTENSION_ID), pattern));
}

for (const type of Object.keys(VALUES) as ObservableType[]) {
  test(`every ${type} pattern parses and holds the value`, () => {
    fc.assert(
      fc.property(VALUES[type], (value) => {
        assert.equal(parsePattern(stixPattern(type, value, EXTENSION_ID)).value, value);
      }),
    );
  });
}

test('no text can break out of the string literal', () => {
  const hostile = fc.string({ unit: fc.constantFrom("'", '\\', ']', '[', ' ', 'a', '\n', 'OR') });
  fc.assert(
    fc.property(hostile, (value) =>
      assert.equal(parsePattern(stixPattern('URL', value, EXTENSION_ID)).value, value),
    ),
  );
});
