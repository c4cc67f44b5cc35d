import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { INDICATOR_TYPES, type IndicatorType } from '../vocabulary.ts';
import { addressScope, formatAddress } from './address.ts';
import { type Accepted, parseObservable, recognise } from './observable.ts';
import type { ObservableRefusal, ObservableRefusalReason } from './refusal.ts';

const PUBLIC_ONLY = { acceptPrivateAddresses: false };
const OWN_NETWORK = { acceptPrivateAddresses: true };

const MD5 = '0123456789abcdef0123456789abcdef';
const SHA1 = `${MD5}01234567`;
const SHA256 = MD5 + MD5;
const PAIRS = SHA1.toUpperCase().replace(/(..)(?!$)/g, '$1:');

function show(result: Accepted | ObservableRefusal): string {
  return result.ok ? `${result.type} ${result.value}` : result.reason;
}

test('each type has one canonical form', () => {
  const cases: readonly [IndicatorType, string, string][] = [
    ['IPV4', ' 192.0.2[.]1\n', 'IPV4 192.0.2.1'],
    ['IPV4', '::ffff:192.0.2.1', 'IPV4 192.0.2.1'],
    ['IPV6', '2001:DB8:0:0::1', 'IPV6 2001:db8::1'],
    ['IPV6', '[2001:db8::1]', 'IPV6 2001:db8::1'],
    ['IPV6', '::ffff:c000:201', 'IPV4 192.0.2.1'],
    ['DOMAIN', 'Evil[.]Example.', 'DOMAIN evil.example'],
    ['URL', 'hxxps[://]Evil[.]Example/a#b', 'URL https://evil.example/a'],
    ['FILE_HASH_MD5', MD5.toUpperCase(), `FILE_HASH_MD5 ${MD5}`],
    ['FILE_HASH_SHA1', SHA1, `FILE_HASH_SHA1 ${SHA1}`],
    ['FILE_HASH_SHA256', SHA256.toUpperCase(), `FILE_HASH_SHA256 ${SHA256}`],
    ['EMAIL', "O'Neil+Tag[at]Evil[dot]Example", "EMAIL O'Neil+Tag@evil.example"],
    ['CIDR', '192.0.2.77/24', 'CIDR 192.0.2.0/24'],
    ['CIDR', '2001:db8::1/32', 'CIDR 2001:db8::/32'],
    ['JA3', MD5.toUpperCase(), `JA3 ${MD5}`],
    ['SSL_CERT_FINGERPRINT', PAIRS, `SSL_CERT_FINGERPRINT ${SHA1}`],
    ['SSL_CERT_FINGERPRINT', MD5, `SSL_CERT_FINGERPRINT ${MD5}`],
    ['SSL_CERT_FINGERPRINT', SHA256, `SSL_CERT_FINGERPRINT ${SHA256}`],
  ];
  for (const [type, text, expected] of cases) {
    assert.equal(show(parseObservable(type, text, PUBLIC_ONLY)), expected);
  }
  assert.deepEqual(
    new Set(cases.map(([type]) => type)),
    new Set(INDICATOR_TYPES.filter((type) => type !== 'UNSPECIFIED')),
  );
});

test('recognises the type from the form', () => {
  const cases: Readonly<Record<string, string>> = {
    '192.0.2.1': 'IPV4 192.0.2.1',
    '192[.]0[.]2[.]1': 'IPV4 192.0.2.1',
    '2001:db8::1': 'IPV6 2001:db8::1',
    '::ffff:192.0.2.1': 'IPV4 192.0.2.1',
    'evil.example': 'DOMAIN evil.example',
    'münchen.example': 'DOMAIN xn--mnchen-3ya.example',
    'hxxp://evil[.]example': 'URL http://evil.example/',
    'evil.example/@user': 'URL http://evil.example/@user',
    'a.de/24': 'URL http://a.de/24',
    'user@evil.example': 'EMAIL user@evil.example',
    '192.0.2.0/24': 'CIDR 192.0.2.0/24',
    '2001:db8::/32': 'CIDR 2001:db8::/32',
    [MD5]: `FILE_HASH_MD5 ${MD5}`,
    [SHA1.toUpperCase()]: `FILE_HASH_SHA1 ${SHA1}`,
    [SHA256]: `FILE_HASH_SHA256 ${SHA256}`,
    [PAIRS]: `SSL_CERT_FINGERPRINT ${SHA1}`,
  };
  for (const [text, expected] of Object.entries(cases)) {
    assert.equal(show(recognise(text, PUBLIC_ONLY)), expected);
    assert.deepEqual(parseObservable('UNSPECIFIED', text, PUBLIC_ONLY), recognise(text, PUBLIC_ONLY));
  }
});

test('refuses with a reason', () => {
  const cases: readonly [IndicatorType, string, ObservableRefusalReason][] = [
    ['IPV4', '', 'EMPTY_VALUE'],
    ['UNSPECIFIED', ' \t\n', 'EMPTY_VALUE'],
    ['DOMAIN', 'a'.repeat(5_000), 'VALUE_TOO_LONG'],
    ['EMAIL', `abcd@${'b.'.repeat(122)}example`, 'VALUE_TOO_LONG'],
    ['IPV4', '192.0.2.256', 'INVALID_IPV4'],
    ['IPV4', '192.0.2.010', 'INVALID_IPV4'],
    ['IPV4', '192.0.2.1:80', 'ADDRESS_WITH_PORT'],
    ['IPV6', '[2001:db8::1]:443', 'ADDRESS_WITH_PORT'],
    ['IPV6', '2001:db8::1%eth0', 'INVALID_IPV6'],
    ['IPV6', '192.0.2.1', 'TYPE_MISMATCH'],
    ['IPV4', '2001:db8::1', 'TYPE_MISMATCH'],
    ['DOMAIN', '192.0.2.1', 'TYPE_MISMATCH'],
    ['DOMAIN', 'http://evil.example/', 'TYPE_MISMATCH'],
    ['DOMAIN', 'no_dots', 'INVALID_DOMAIN'],
    ['DOMAIN', '*.evil.example', 'WILDCARD_DOMAIN'],
    ['URL', 'evil.example', 'TYPE_MISMATCH'],
    ['URL', 'file:///etc/passwd', 'UNSUPPORTED_SCHEME'],
    ['EMAIL', '@evil.example', 'INVALID_EMAIL'],
    ['EMAIL', 'a..b@evil.example', 'INVALID_EMAIL'],
    ['EMAIL', 'a b@evil.example', 'INVALID_EMAIL'],
    ['EMAIL', `${'a'.repeat(65)}@evil.example`, 'INVALID_EMAIL'],
    ['EMAIL', 'a@[192.0.2.1]', 'INVALID_EMAIL'],
    ['CIDR', '192.0.2.0/33', 'INVALID_CIDR'],
    ['CIDR', '192.0.2.1', 'TYPE_MISMATCH'],
    ['FILE_HASH_MD5', SHA1, 'INVALID_HASH_LENGTH'],
    ['FILE_HASH_SHA1', 'evil.example', 'INVALID_HASH'],
    ['JA3', SHA256, 'INVALID_HASH_LENGTH'],
    ['JA3', '771,4865-4866,0-23,29-23,0', 'INVALID_HASH'],
    ['SSL_CERT_FINGERPRINT', '2001:0db8:0000:0000:0000:0000:0000:0001', 'INVALID_HASH'],
    ['UNSPECIFIED', SHA256 + SHA256, 'INVALID_HASH_LENGTH'],
    ['UNSPECIFIED', '192.0.2.1:80', 'ADDRESS_WITH_PORT'],
    ['UNSPECIFIED', '192.0.2.999', 'INVALID_IPV4'],
    ['UNSPECIFIED', '192.0.2.0/33', 'INVALID_CIDR'],
    ['UNSPECIFIED', 'http://evil example/', 'INVALID_URL'],
    ['UNSPECIFIED', 'deadbeef', 'UNRECOGNISED_VALUE'],
    ['UNSPECIFIED', 'two words', 'UNRECOGNISED_VALUE'],
    ['UNSPECIFIED', '00:53:00:ab:cd:ef', 'UNRECOGNISED_VALUE'],
    ['UNSPECIFIED', 'Mozilla/5.0 (X11)', 'UNRECOGNISED_VALUE'],
    ['UNSPECIFIED', 'evil[.]example:8080', 'ADDRESS_WITH_PORT'],
    ['UNSPECIFIED', 'port:8080', 'UNRECOGNISED_VALUE'],
    ['UNSPECIFIED', 'evil.example:99999999', 'UNRECOGNISED_VALUE'],
    ['UNSPECIFIED', '192.0.2.1 192.0.2.2', 'UNRECOGNISED_VALUE'],
    ['IPV4', '10.0.0.1', 'PRIVATE_ADDRESS'],
    ['IPV6', '::ffff:127.0.0.1', 'LOOPBACK_ADDRESS'],
    ['UNSPECIFIED', 'fe80::1', 'LINK_LOCAL_ADDRESS'],
    ['IPV4', '224.0.0.251', 'MULTICAST_ADDRESS'],
    ['IPV6', '::', 'UNSPECIFIED_ADDRESS'],
    ['IPV4', '255.255.255.255', 'RESERVED_ADDRESS'],
    ['CIDR', '10.1.2.3/16', 'PRIVATE_ADDRESS'],
    ['CIDR', '0.0.0.0/0', 'UNSPECIFIED_ADDRESS'],
    ['CIDR', '168.0.0.0/5', 'PRIVATE_ADDRESS'],
    ['URL', 'http://192.168.1.1/setup.cgi', 'PRIVATE_ADDRESS'],
    ['EMAIL', 'root@localhost', 'LOCAL_NAME'],
    ['DOMAIN', 'historian.plant.internal', 'LOCAL_NAME'],
    ['UNSPECIFIED', 'localhost', 'LOCAL_NAME'],
  ];
  for (const [type, text, reason] of cases) {
    const result = parseObservable(type, text, PUBLIC_ONLY);
    assert.equal(show(result), reason, `${type} ${text.slice(0, 60)}`);
    assert.ok(!result.ok && result.description.length > 0 && /^[A-Z0-9_]{1,63}$/.test(result.reason));
  }
});

test('a plant that wants its own network gets it, but never itself or everybody', () => {
  for (const text of [
    '10.0.0.1',
    '169.254.7.7',
    'fd00::1',
    '10.0.0.0/8',
    'http://192.168.1.1/',
    'a@hmi.lan',
  ]) {
    assert.ok(recognise(text, OWN_NETWORK).ok, text);
  }
  for (const text of [
    '127.0.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    'localhost',
    '0.0.0.0/0',
  ]) {
    assert.ok(!recognise(text, OWN_NETWORK).ok, text);
  }
});

const byte = fc.nat(255);
const digest = fc
  .constantFrom(32, 40, 64)
  .chain((length) => fc.stringMatching(new RegExp(`^[0-9a-fA-F]{${length}}$`)));
const plausible = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.domain(),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.emailAddress(),
  fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(130)).map(([address, prefix]) => `${address}/${prefix}`),
  digest,
);
const garbage = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc
    .array(
      fc.constantFrom(
        ...'[](){}.:/@%?#*_- 0a\\',
        'dot',
        'at',
        '://',
        'http',
        'xn--',
        '127.1',
        '::',
        'é',
        '\ud800',
        '\u3002',
      ),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join('')),
);
const anyType = fc.constantFrom(...INDICATOR_TYPES);

test('never throws, and what it accepts is a fixed point under its own type', () => {
  fc.assert(
    fc.property(anyType, fc.oneof(plausible, garbage), fc.boolean(), (type, text, acceptPrivateAddresses) => {
      const options = { acceptPrivateAddresses };
      const result = parseObservable(type, text, options);
      if (!result.ok) return;
      assert.notEqual(result.type, 'UNSPECIFIED');
      assert.ok(result.value.length <= 2_048);
      assert.deepEqual(parseObservable(result.type, result.value, options), result);
    }),
    { numRuns: 1_200 },
  );
});

test('what is recognised is recognised again from its canonical form', () => {
  let accepted = 0;
  fc.assert(
    fc.property(plausible, (text) => {
      const result = recognise(text, PUBLIC_ONLY);
      if (!result.ok) return;
      accepted++;
      assert.deepEqual(recognise(result.value, PUBLIC_ONLY), result);
    }),
    { numRuns: 1_000 },
  );
  assert.ok(accepted > 300, `only ${accepted} of 1000 plausible values were accepted`);
});

test('no address that is not public gets through, in whatever form and under whatever type', () => {
  const notPublic = fc
    .oneof(
      fc.tuple(fc.constant(10), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
      fc.tuple(fc.constant(127), byte, byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
      fc.tuple(fc.constantFrom(0xfc, 0xfd, 0xff), ...Array.from({ length: 15 }, () => byte)),
      fc.tuple(
        fc.constant(0xfe),
        fc.integer({ min: 0x80, max: 0xff }),
        ...Array.from({ length: 14 }, () => byte),
      ),
    )
    .map((address) => {
      assert.notEqual(addressScope(address), 'public');
      return address;
    });
  const form = notPublic.chain((address) => {
    const text = formatAddress(address);
    const prefix = fc.integer({ min: 1, max: 8 * address.length });
    if (address.length !== 4) {
      return fc.oneof(
        fc.constantFrom(
          text,
          text.toUpperCase(),
          `[${text}]`,
          text.replaceAll(':', '[:]'),
          `http://[${text}]/`,
          `tftp://[${text}]/`,
        ),
        prefix.map((bits) => `${text}/${bits}`),
      );
    }
    const [a = 0, b = 0, c = 0, d = 0] = address;
    const number = ((a * 256 + b) * 256 + c) * 256 + d;
    return fc.oneof(
      fc.constantFrom(
        text,
        text.replaceAll('.', '[.]'),
        text.replaceAll('.', ' (dot) '),
        `::ffff:${text}`,
        `64:ff9b::${text}`,
        `http://${text}/x`,
        `hxxp://${text}:8080`,
        `http://${number}/`,
        `http://0x${number.toString(16)}/`,
        `https://user@0${a.toString(8)}.${b}.${c}.${d}/`,
        `ldap://${text}/x`,
        `http://[::ffff:${text}]/`,
        `${text}/x`,
      ),
      prefix.map((bits) => `${text}/${bits}`),
      prefix.map((bits) => `::ffff:${text}/${96 + bits}`),
    );
  });
  fc.assert(
    fc.property(anyType, form, (type, text) => {
      const result = parseObservable(type, text, PUBLIC_ONLY);
      assert.ok(!result.ok, show(result));
      const recognised = recognise(text, PUBLIC_ONLY);
      assert.ok(!recognised.ok && /_ADDRESS$/.test(recognised.reason), show(recognised));
    }),
    { numRuns: 1_200 },
  );
});
