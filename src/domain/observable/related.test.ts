import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCidr } from './address.ts';
import { recognise } from './observable.ts';
import { relatedValues } from './related.ts';

function related(text: string): string[] {
  const reading = recognise(text, { acceptPrivateAddresses: false });
  assert.ok(reading.ok, text);
  const { candidates, range } = relatedValues(reading);
  return [
    ...candidates.map(({ kind, type, value }) => `${kind} ${type} ${value}`),
    ...(range === undefined ? [] : [`around ${formatCidr(range)}`]),
  ];
}

test('a domain is followed by the domains above it, but not by the top-level domain', () => {
  assert.deepEqual(related('a.b.example[.]com'), [
    'EXACT DOMAIN a.b.example.com',
    'PARENT_DOMAIN DOMAIN b.example.com',
    'PARENT_DOMAIN DOMAIN example.com',
  ]);
  const deep = related(`${'a.'.repeat(50)}example.com`);
  assert.equal(deep.length, 10);
  assert.equal(deep[1], `PARENT_DOMAIN DOMAIN ${'a.'.repeat(8)}example.com`);
  assert.equal(deep.at(-1), 'PARENT_DOMAIN DOMAIN example.com');
});

test('a URL and an e-mail address are followed by their host', () => {
  assert.deepEqual(related('hxxps://user:pw@www.example.com:8443/x?y#z'), [
    'EXACT URL https://user:pw@www.example.com:8443/x?y',
    'HOST DOMAIN www.example.com',
    'PARENT_DOMAIN DOMAIN example.com',
  ]);
  assert.deepEqual(related('http://[2001:db8::1]:80/'), [
    'EXACT URL http://[2001:db8::1]/',
    'HOST IPV6 2001:db8::1',
    'around 2001:db8::1/128',
  ]);
  assert.deepEqual(related('tcp://203.0.113.9:23'), [
    'EXACT URL tcp://203.0.113.9:23',
    'HOST IPV4 203.0.113.9',
    'around 203.0.113.9/32',
  ]);
  assert.deepEqual(related('Ann@Mail.Example.com'), [
    'EXACT EMAIL Ann@mail.example.com',
    'HOST DOMAIN mail.example.com',
    'PARENT_DOMAIN DOMAIN example.com',
  ]);
});

test('addresses and ranges have ranges around them', () => {
  assert.deepEqual(related('203.0.113.9'), ['EXACT IPV4 203.0.113.9', 'around 203.0.113.9/32']);
  assert.deepEqual(related('203.0.113.9/24'), ['EXACT CIDR 203.0.113.0/24', 'around 203.0.113.0/24']);
});

test('a range of one address is that address too', () => {
  assert.deepEqual(related('203.0.113.9/32'), [
    'EXACT CIDR 203.0.113.9/32',
    'EXACT IPV4 203.0.113.9',
    'around 203.0.113.9/32',
  ]);
  assert.deepEqual(related('2001:db8:0::1/128').slice(0, 2), [
    'EXACT CIDR 2001:db8::1/128',
    'EXACT IPV6 2001:db8::1',
  ]);
  assert.equal(related('203.0.113.8/31').length, 2);
});

test('a digest can be of every type with its length', () => {
  const types = (length: number) => related('a'.repeat(length)).map((text) => text.split(' ')[1]);
  assert.deepEqual(types(32), ['FILE_HASH_MD5', 'JA3', 'SSL_CERT_FINGERPRINT']);
  assert.deepEqual(types(40), ['FILE_HASH_SHA1', 'SSL_CERT_FINGERPRINT']);
  assert.deepEqual(types(64), ['FILE_HASH_SHA256', 'SSL_CERT_FINGERPRINT']);
  assert.deepEqual(related(Array.from({ length: 20 }, () => 'AB').join(':')), [
    `EXACT FILE_HASH_SHA1 ${'ab'.repeat(20)}`,
    `EXACT SSL_CERT_FINGERPRINT ${'ab'.repeat(20)}`,
  ]);
});
