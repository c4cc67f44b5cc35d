import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDomain } from './domain-name.ts';

const PUBLIC_ONLY = { acceptPrivateAddresses: false };
const OWN_NETWORK = { acceptPrivateAddresses: true };

function reasonOf(text: string, options = PUBLIC_ONLY): string {
  const result = parseDomain(text, options);
  return typeof result === 'string' ? 'accepted' : result.reason;
}

test('writes names in lower case and punycode without the trailing dot', () => {
  const canonical = {
    'Evil.Example': 'evil.example',
    'evil.example.': 'evil.example',
    '_dmarc.evil.example': '_dmarc.evil.example',
    'r3---sn.evil.example': 'r3---sn.evil.example',
    'münchen.example': 'xn--mnchen-3ya.example',
    'MÜNCHEN.example': 'xn--mnchen-3ya.example',
    'XN--MNCHEN-3YA.example': 'xn--mnchen-3ya.example',
    'evil\u3002example': 'evil.example',
    'faß.example': 'xn--fa-hia.example',
    [`${'a'.repeat(63)}.example`]: `${'a'.repeat(63)}.example`,
    [`${'a.'.repeat(123)}example`]: `${'a.'.repeat(123)}example`,
  };
  for (const [text, expected] of Object.entries(canonical)) {
    assert.equal(parseDomain(text, PUBLIC_ONLY), expected);
  }
});

test('refuses what is no name', () => {
  const invalid = [
    'example',
    'a..example',
    '-a.example',
    'a-.example',
    'evil.example..',
    '192.0.2.1',
    '1.2.3',
    'a.0x1',
    'a.1',
    'evil .example',
    'evil\n.example',
    'evil.example/path',
    'münchen.example/path',
    'mün\tchen.example',
    'evil.example:80',
    'user@evil.example',
    '１９２.０.２.１',
    '\ud800.example',
    '\u200d.example',
    'a.-b',
    'a.x_y',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(124)}example`,
    `${'é'.repeat(63)}.example`,
  ];
  for (const text of invalid) assert.equal(reasonOf(text), 'INVALID_DOMAIN', JSON.stringify(text));
  for (const text of ['*.evil.example', '.evil.example']) assert.equal(reasonOf(text), 'WILDCARD_DOMAIN');
});

test('names of a local network are accepted only where the plant wants them', () => {
  for (const text of ['plc.local', 'PLC.Internal.', 'hmi.lan', 'router.home.arpa', 'dc.corp']) {
    assert.equal(reasonOf(text), 'LOCAL_NAME', text);
    assert.equal(reasonOf(text, OWN_NETWORK), 'accepted', text);
  }
});

test('this machine and the reverse tree are never accepted', () => {
  for (const text of [
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'localhost.localdomain',
    '1.2.0.192.in-addr.arpa',
  ]) {
    assert.equal(reasonOf(text), 'LOCAL_NAME', text);
    assert.equal(reasonOf(text, OWN_NETWORK), 'LOCAL_NAME', text);
  }
});

test('the canonical name is a fixed point', () => {
  const label = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.stringMatching(/^[\p{L}\p{N}_-]{1,12}$/u),
  );
  const name = fc.oneof(
    fc.domain(),
    fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => `${labels.join('.')}.example`),
  );
  fc.assert(
    fc.property(name, (text) => {
      const result = parseDomain(text, PUBLIC_ONLY);
      if (typeof result !== 'string') return;
      assert.match(result, /^[a-z0-9._-]{1,253}$/);
      assert.equal(parseDomain(result, PUBLIC_ONLY), result);
    }),
    { numRuns: 1_000 },
  );
});
