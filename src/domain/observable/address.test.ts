import assert from 'node:assert/strict';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AddressScope,
  addressScope,
  contains,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
  rangeOf,
  rangeScope,
} from './address.ts';

/** Valid addresses, and text that almost is one. */
const nearly = fc.oneof(
  fc.ipV4Extended(),
  fc.ipV4(),
  fc.ipV6(),
  fc
    .array(
      fc.constantFrom(
        ':',
        '::',
        '.',
        '0',
        '00',
        '1',
        'ff',
        'FFFF',
        '10000',
        '256',
        '192.0.2.1',
        '%1',
        ' ',
        'g',
      ),
      { maxLength: 18 },
    )
    .map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom('0', '1', 'abcd', '', 'ffff', '192.0.2.1'), { minLength: 6, maxLength: 10 })
    .map((parts) => parts.join(':')),
);

test('accepts what the operating system accepts', () => {
  fc.assert(
    fc.property(nearly, (text) => {
      const known = isIPv4(text) || (isIPv6(text) && !text.includes('%'));
      assert.equal(parseAddress(text) !== undefined, known, text);
    }),
    { numRuns: 5_000 },
  );
});

test('refuses octal, hexadecimal, short and padded dotted quads', () => {
  for (const text of ['010.1.1.1', '0x7f.0.0.1', '127.1', '1.2.3.4 ', '1.2.3.04', '1.2.3.4.', '', '1..3.4']) {
    assert.equal(parseAddress(text), undefined, text);
  }
});

const bytes = (length: number) => fc.array(fc.nat(255), { minLength: length, maxLength: length });
const sparse = fc.array(fc.constantFrom(0, 0, 0, 0, 1, 0x80), { minLength: 16, maxLength: 16 });
const address = fc
  .oneof(bytes(4), bytes(16), sparse)
  .filter((value) => parseAddress(formatAddress(value))?.length === value.length);

test('formatting and parsing are inverse', () => {
  fc.assert(
    fc.property(address, (value) => {
      assert.deepEqual(parseAddress(formatAddress(value)), value);
    }),
  );
});

test('writes IPv6 as the URL Standard does, by RFC 5952', () => {
  fc.assert(
    fc.property(fc.oneof(bytes(16), sparse), (value) => {
      assert.equal(`[${formatAddress(value)}]`, new URL(`http://[${formatAddress(value)}]/`).hostname);
    }),
  );
  const canonical = {
    '2001:DB8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
    '2001:db8:0:1:1:1:1:1': '2001:db8:0:1:1:1:1:1',
    '2001:db8::0:1': '2001:db8::1',
    '0:0:0:0:0:0:0:0': '::',
    '64:ff9b::192.0.2.33': '64:ff9b::c000:221',
    '1:0:0:0:0:0:0:0': '1::',
  };
  for (const [text, expected] of Object.entries(canonical)) {
    assert.equal(formatAddress(parseAddress(text) ?? []), expected);
  }
});

test('IPv4-mapped IPv6 is IPv4, alone and as a range', () => {
  assert.deepEqual(parseAddress('::ffff:192.0.2.1'), [192, 0, 2, 1]);
  assert.deepEqual(parseAddress('::FFFF:c000:201'), [192, 0, 2, 1]);
  assert.equal(formatCidr(parseCidr('::ffff:192.0.2.9/120')!), '192.0.2.0/24');
  assert.equal(formatCidr(parseCidr('::ffff:192.0.2.9/96')!), '0.0.0.0/0');
  assert.equal(formatCidr(parseCidr('::ffff:192.0.2.9/95')!), '::fffe:0:0/95');
  assert.equal(addressScope([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 1]), 'private');
});

test('a range is written with its host bits cleared', () => {
  assert.equal(formatCidr(parseCidr('192.0.2.77/24')!), '192.0.2.0/24');
  assert.equal(formatCidr(parseCidr('198.51.100.255/31')!), '198.51.100.254/31');
  assert.equal(formatCidr(parseCidr('203.0.113.9/0')!), '0.0.0.0/0');
  assert.equal(formatCidr(parseCidr('2001:db8:ffff::1/33')!), '2001:db8:8000::/33');
  for (const text of [
    '192.0.2.0',
    '192.0.2.0/',
    '/24',
    '192.0.2.0/33',
    '192.0.2.0/024',
    '192.0.2.0/-1',
    '::/129',
    '::/1e1',
  ]) {
    assert.equal(parseCidr(text), undefined, text);
  }
});

test('contains agrees with node:net', () => {
  const cases = fc
    .oneof(fc.tuple(bytes(4), bytes(4)), fc.tuple(bytes(16), bytes(16)))
    .chain(([network, other]) => {
      const bits = 8 * network.length;
      // Half of the candidates share a prefix with the network, so that both answers are common.
      const near = fc.tuple(fc.nat(bits - 1), fc.boolean()).map(([bit, far]) => {
        if (far) return other;
        return network.map((byte, index) => (index === bit >> 3 ? byte ^ (0x80 >> (bit & 7)) : byte));
      });
      return fc.record({
        network: fc.constant(network),
        candidate: near,
        prefix: fc.integer({ min: 0, max: bits }),
      });
    });
  fc.assert(
    fc.property(cases, ({ network, candidate, prefix }) => {
      const family = network.length === 4 ? 'ipv4' : 'ipv6';
      const oracle = new BlockList();
      oracle.addSubnet(formatAddress(network), prefix, family);
      const range = rangeOf(network, prefix);
      assert.equal(contains(range, candidate), oracle.check(formatAddress(candidate), family));
      assert.ok(contains(range, network));
    }),
  );
  assert.equal(contains(parseCidr('::/0')!, [192, 0, 2, 1]), false);
});

test('scopes follow the IANA registries', () => {
  const expected: Record<AddressScope, readonly string[]> = {
    public: [
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.1',
      '198.18.0.1',
      '172.32.0.1',
      '100.128.0.0',
      '9.255.255.255',
      '223.255.255.255',
      '2001:db8::1',
      '3fff::1',
      '2001:db8::',
      '64:ff9b::c000:201',
      '2002:c000:201::1',
    ],
    private: [
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '100.64.0.1',
      '100.127.255.255',
      'fc00::1',
      'fdff::1',
      'fec0::1',
      'feff::1',
      '64:ff9b:1::1',
      '64:ff9b::10.0.0.1',
      '2002:c0a8:101::1',
    ],
    loopback: ['127.0.0.1', '127.255.255.255', '::1', '64:ff9b::7f00:1'],
    'link-local': ['169.254.1.1', 'fe80::1', 'febf::1'],
    multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1'],
    unspecified: ['0.0.0.0', '0.1.2.3', '::'],
    reserved: ['255.255.255.255', '240.0.0.1', '192.0.0.8', '::192.0.2.1', '::1:0:0', '100::1', '5f00::1'],
  };
  for (const [scope, texts] of Object.entries(expected)) {
    for (const text of texts) assert.equal(addressScope(parseAddress(text)!), scope, text);
  }
});

test('a range is public only when every address in it is', () => {
  fc.assert(
    fc.property(fc.oneof(bytes(4), bytes(16)), fc.nat(128), (value, bits) => {
      const range = rangeOf(value, Math.min(bits, 8 * value.length));
      if (rangeScope(range) === 'public') assert.equal(addressScope(value), 'public');
    }),
  );
  for (const text of [
    '0.0.0.0/0',
    '128.0.0.0/1',
    '8.0.0.0/6',
    '172.0.0.0/8',
    '::/0',
    '::/70',
    '2002::/16',
    '64:ff9b::/96',
    'fc00::/6',
  ]) {
    assert.notEqual(rangeScope(parseCidr(text)!), 'public', text);
  }
  for (const text of ['192.0.2.0/24', '8.0.0.0/7', '2001:db8::/32', '2002:c000:200::/40', '192.0.2.1/32']) {
    assert.equal(rangeScope(parseCidr(text)!), 'public', text);
  }
});
