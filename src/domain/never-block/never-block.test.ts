import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contains, formatAddress, formatCidr, rangeOf } from '../observable/address.ts';
import type { IndicatorType } from '../vocabulary.ts';
import { createNeverBlock, type NeverBlockEntry, parseNeverBlock } from './never-block.ts';

function listOf(...texts: readonly string[]) {
  return createNeverBlock(texts.map((text) => parseNeverBlock(text) as NeverBlockEntry));
}

const LIST = listOf(
  '192.0.2.0/24',
  '198.51.100.7',
  '2001:db8::/32',
  '*.plant.example',
  'Partner.example.org',
);

const CASES: readonly (readonly [type: IndicatorType, value: string, entry: string | undefined])[] = [
  ['IPV4', '192.0.2.9', '192.0.2.0/24'],
  ['IPV4', '192.0.3.9', undefined],
  ['IPV6', '2001:db8::9', '2001:db8::/32'],
  ['CIDR', '192.0.2.128/25', '192.0.2.0/24'],
  // It covers an entry.
  ['CIDR', '198.51.100.0/24', '198.51.100.7'],
  ['CIDR', '203.0.113.0/24', undefined],
  ['URL', 'http://192.0.2.9/a', '192.0.2.0/24'],
  ['URL', 'https://a.plant.example/x', '*.plant.example'],
  ['DOMAIN', 'plant.example', '*.plant.example'],
  ['DOMAIN', 'scada.plant.example', '*.plant.example'],
  ['DOMAIN', 'notplant.example', undefined],
  // Who blocks the parent blocks the entry.
  ['DOMAIN', 'example.org', 'Partner.example.org'],
  ['DOMAIN', 'other.example.org', undefined],
  ['EMAIL', 'a@partner.example.org', 'Partner.example.org'],
  ['FILE_HASH_MD5', '0'.repeat(32), undefined],
];

for (const [type, value, entry] of CASES) {
  test(`${type} ${value}: ${entry ?? 'not protected'}`, () => {
    assert.equal(LIST.match({ type, value }), entry);
  });
}

test('what is neither an address, a range nor a name is no entry', () => {
  for (const text of ['', '*', '192.0.2.0/33', 'localhost', 'http://plant.example/', '/etc/own-ranges'])
    assert.equal(parseNeverBlock(text), undefined, text);
});

test('a range is protected exactly if it shares an address with an entry', () => {
  const range = fc
    .tuple(fc.constantFrom(0, 1, 128, 129), fc.constantFrom(0, 64, 255), fc.integer({ min: 8, max: 32 }))
    .map(([third, fourth, prefix]) => rangeOf([203, 0, third, fourth], prefix));
  const property = fc.property(fc.array(range, { maxLength: 5 }), range, (entries, asked) => {
    const list = listOf(...entries.map(formatCidr));
    const shares = entries.some((entry) => contains(entry, asked.network) || contains(asked, entry.network));
    assert.equal(list.match({ type: 'CIDR', value: formatCidr(asked) }) !== undefined, shares);
    const inside = entries.some((entry) => contains(entry, asked.network));
    const value = formatAddress(asked.network);
    assert.equal(list.match({ type: 'IPV4', value }) !== undefined, inside);
  });
  fc.assert(property, { seed: 20_260_314, numRuns: 300 });
});
