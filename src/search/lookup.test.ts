// Lookups against a naive evaluation over all indicators, with views for several ceilings, while others write.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { indicatorId } from '../domain/indicator/identity.ts';
import { contains, parseAddress, parseCidr } from '../domain/observable/address.ts';
import { recognise } from '../domain/observable/observable.ts';
import { hostOfUrl } from '../domain/observable/related.ts';
import { isVisible } from '../domain/tlp.ts';
import type { IndicatorType, TlpMarking } from '../domain/vocabulary.ts';
import { aWrite, NOW } from '../store/contract/fixtures.ts';
import type { OpenedStore } from '../store/contract/rule.ts';
import { openTemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import type { Stores } from '../store/stores.ts';
import { createLookup, type LookupAnswer } from './lookup.ts';

interface Known {
  readonly type: IndicatorType;
  readonly value: string;
  readonly tlp: TlpMarking;
}

const DIGEST = 'ab'.repeat(16);

async function save(stores: Stores, known: readonly Known[]): Promise<void> {
  const { secret } = stores.installation;
  await stores.write((tx) =>
    tx.save(known.map((one) => aWrite({ ...one, id: indicatorId(secret, one.type, one.value) }))),
  );
}

function ask(stores: Stores, values: readonly string[], ceiling: TlpMarking = 'RED'): Promise<LookupAnswer> {
  return createLookup(stores.indicators, stores.installation.secret)({ values, ceiling });
}

function matchesOf({ results }: LookupAnswer): string[][] {
  return results.map(({ matches }) => matches.map(({ kind, type, value }) => `${kind} ${type} ${value}`));
}

describe('lookup', () => {
  let opened: OpenedStore;
  let stores: Stores;

  before(async () => {
    opened = await openTemporaryStore(() => NOW);
    stores = opened.stores;
    await save(stores, [
      { type: 'IPV4', value: '203.0.113.9', tlp: 'GREEN' },
      { type: 'CIDR', value: '203.0.113.0/24', tlp: 'GREEN' },
      { type: 'CIDR', value: '203.0.112.0/20', tlp: 'RED' },
      { type: 'CIDR', value: '2001:db8::/32', tlp: 'GREEN' },
      { type: 'DOMAIN', value: 'example.com', tlp: 'AMBER' },
      { type: 'DOMAIN', value: 'c2.example.com', tlp: 'GREEN' },
      { type: 'URL', value: 'http://c2.example.com/a', tlp: 'GREEN' },
      { type: 'JA3', value: DIGEST, tlp: 'GREEN' },
      { type: 'FILE_HASH_MD5', value: DIGEST, tlp: 'GREEN' },
    ]);
  });
  after(() => opened.dispose());

  test('each kind of match is named, in the order of the values', async () => {
    const answer = await ask(stores, [
      'hxxp://c2[.]example[.]com/a',
      '203.0.113.9',
      '203.0.113[.]10',
      '203.0.113.0/25',
      '203.0.113.0/24',
      'http://[2001:db8::7]/',
      'ann@www.c2.example.com',
      DIGEST.toUpperCase(),
      'nobody.example',
      '203.0.113.9',
    ]);
    assert.deepEqual(matchesOf(answer), [
      ['EXACT URL http://c2.example.com/a', 'HOST DOMAIN c2.example.com', 'PARENT_DOMAIN DOMAIN example.com'],
      ['EXACT IPV4 203.0.113.9', 'COVERING_CIDR CIDR 203.0.113.0/24', 'COVERING_CIDR CIDR 203.0.112.0/20'],
      ['COVERING_CIDR CIDR 203.0.113.0/24', 'COVERING_CIDR CIDR 203.0.112.0/20'],
      ['COVERING_CIDR CIDR 203.0.113.0/24', 'COVERING_CIDR CIDR 203.0.112.0/20'],
      ['EXACT CIDR 203.0.113.0/24', 'COVERING_CIDR CIDR 203.0.112.0/20'],
      ['COVERING_CIDR CIDR 2001:db8::/32'],
      ['PARENT_DOMAIN DOMAIN c2.example.com', 'PARENT_DOMAIN DOMAIN example.com'],
      [`EXACT FILE_HASH_MD5 ${DIGEST}`, `EXACT JA3 ${DIGEST}`],
      [],
      ['EXACT IPV4 203.0.113.9', 'COVERING_CIDR CIDR 203.0.113.0/24', 'COVERING_CIDR CIDR 203.0.112.0/20'],
    ]);
    // Each indicator once, in the order of the first match.
    assert.deepEqual(
      answer.documents.map((document) => JSON.parse(document).value),
      [
        'http://c2.example.com/a',
        'c2.example.com',
        'example.com',
        '203.0.113.9',
        '203.0.113.0/24',
        '203.0.112.0/20',
        '2001:db8::/32',
        DIGEST,
        DIGEST,
      ],
    );
    assert.equal(answer.omitted, 0);
    for (const { matches } of answer.results) {
      for (const { indicatorId: id } of matches)
        assert.ok(answer.documents.some((document) => JSON.parse(document).id === id));
    }
  });

  test('nothing above the ceiling is there', async () => {
    const answer = await ask(stores, ['203.0.113.9', 'c2.example.com'], 'GREEN');
    assert.deepEqual(matchesOf(answer), [
      ['EXACT IPV4 203.0.113.9', 'COVERING_CIDR CIDR 203.0.113.0/24'],
      ['EXACT DOMAIN c2.example.com'],
    ]);
    assert.equal(answer.documents.length, 3);
  });

  test('a value that cannot be read says why and harms no other', async () => {
    const { results } = await ask(stores, [
      '',
      '1.2.3',
      '127.0.0.1',
      '10.0.0.1',
      'x'.repeat(9_999),
      '203.0.113.9',
    ]);
    assert.deepEqual(
      results.map(({ reason, type, matches }) => [reason, type, matches.length]),
      [
        ['EMPTY_VALUE', 'UNSPECIFIED', 0],
        ['INVALID_IPV4', 'UNSPECIFIED', 0],
        ['LOOPBACK_ADDRESS', 'UNSPECIFIED', 0],
        [undefined, 'IPV4', 0],
        ['VALUE_TOO_LONG', 'UNSPECIFIED', 0],
        [undefined, 'IPV4', 3],
      ],
    );
  });

  test('a range that another process adds is found at once', async () => {
    const other = await opened.another();
    assert.deepEqual(matchesOf(await ask(stores, ['198.51.100.7'])), [[]]);
    await save(other, [{ type: 'CIDR', value: '198.51.100.0/30', tlp: 'GREEN' }]);
    assert.deepEqual(matchesOf(await ask(stores, ['198.51.100.7', '198.51.100.3'])), [
      [],
      ['COVERING_CIDR CIDR 198.51.100.0/30'],
    ]);
  });

  test('a value has ten matches at most', async () => {
    const ranges = Array.from({ length: 12 }, (_, index): Known => {
      const value = `100.0.0.0/${20 + index}`;
      return { type: 'CIDR', value, tlp: 'GREEN' };
    });
    await save(stores, ranges);
    const { results } = await ask(stores, ['100.0.0.0', '100.0.15.0']);
    assert.deepEqual(
      results.map(({ matches, truncated }) => [matches.length, truncated, matches[0]?.value]),
      [
        [10, true, '100.0.0.0/31'],
        [1, false, '100.0.0.0/20'],
      ],
    );
  });

  test('a large answer leaves documents out and says how many', async () => {
    const values = Array.from({ length: 20 }, (_, index) => `large-${index}.example`);
    await stores.write((tx) =>
      tx.save(
        values.map((value) => ({
          ...aWrite({ value, id: indicatorId(stores.installation.secret, 'DOMAIN', value) }),
          document: JSON.stringify({ value, filling: 'x'.repeat(1_000_000) }),
        })),
      ),
    );
    const { results, documents, omitted } = await ask(stores, values);
    assert.equal(results.filter(({ matches }) => matches.length === 1).length, 20);
    assert.equal(documents.length + omitted, 20);
    assert.equal(documents.length, 16);
  });
});

const LABELS = ['a', 'b', 'example', 'com', 'net'];
const domain = fc
  .array(fc.constantFrom(...LABELS), { minLength: 1, maxLength: 3 })
  .map((labels) => `${labels.join('.')}.com`);
const octet = fc.constantFrom(0, 1, 127, 128, 255);
const ipv4 = fc.tuple(fc.constantFrom(100, 203), octet, octet, octet).map((bytes) => bytes.join('.'));
const ipv6 = fc
  .tuple(fc.constantFrom('2001:db8', '2a00:1'), fc.constantFrom('0', '1', 'ffff'))
  .map(([net, host]) => `${net}::${host}`);
const address = fc.oneof(ipv4, ipv6);
const cidr = fc
  .tuple(address, fc.nat({ max: 128 }))
  .map(([one, bits]) => `${one}/${one.includes(':') ? bits : Math.min(bits % 33, 32)}`);
const host = fc.oneof(
  domain,
  ipv4,
  ipv6.map((one) => `[${one}]`),
);
const url = fc.tuple(host, fc.constantFrom('', '/', '/x')).map(([name, path]) => `http://${name}${path}`);
const email = domain.map((name) => `u@${name}`);
const digest = fc.constantFrom('0'.repeat(32), '1'.repeat(40));
const anyValue = fc.oneof(domain, address, cidr, url, email, digest, fc.constant('no value'));

/** What each indicator of a world is to a value, without any index. */
function naive(known: readonly Known[], text: string, ceiling: TlpMarking): string[] {
  const reading = recognise(text, { acceptPrivateAddresses: true });
  if (!reading.ok) return [];
  const { type, value } = reading;
  const host = type === 'URL' ? hostOfUrl(value) : type === 'EMAIL' ? value.split('@').at(-1) : undefined;
  const name = type === 'DOMAIN' ? value : host;
  const own = type === 'CIDR' ? parseCidr(value) : undefined;
  const inside = parseAddress(type === 'CIDR' ? (value.split('/')[0] ?? '') : (host ?? value));
  return known.flatMap((one) => {
    const label = (kind: string) => [`${kind} ${one.type} ${one.value}`];
    if (!isVisible(one.tlp, ceiling)) return [];
    if (one.value === value && (one.type === type || /^[01]+$/.test(value))) return label('EXACT');
    if (one.value === host && (one.type === 'DOMAIN' || one.type.startsWith('IP'))) return label('HOST');
    if (one.type === 'DOMAIN' && name?.endsWith(`.${one.value}`)) return label('PARENT_DOMAIN');
    const range = one.type === 'CIDR' ? parseCidr(one.value) : undefined;
    if (range === undefined || inside === undefined || !contains(range, inside)) return [];
    return own === undefined || range.prefix < own.prefix ? label('COVERING_CIDR') : [];
  });
}

test('random worlds are looked up as a naive evaluation finds them', async () => {
  const marking = fc.constantFrom<TlpMarking>('CLEAR', 'GREEN', 'AMBER', 'RED');
  const world = fc.array(fc.tuple(anyValue, marking), { maxLength: 40 });
  const asked = fc.array(anyValue, { minLength: 1, maxLength: 150 });
  const property = fc.asyncProperty(world, asked, marking, async (values, asked, ceiling) => {
    const known = new Map<string, Known>();
    for (const [text, tlp] of values) {
      const reading = recognise(text, { acceptPrivateAddresses: true });
      if (reading.ok) known.set(reading.value, { type: reading.type, value: reading.value, tlp });
    }
    const opened = await openTemporaryStore(() => NOW);
    try {
      await save(opened.stores, [...known.values()]);
      const { results } = await ask(opened.stores, asked, ceiling);
      for (const [index, { matches, truncated }] of results.entries()) {
        const found = matches.map(({ kind, type, value }) => `${kind} ${type} ${value}`);
        const expected = naive([...known.values()], asked[index] ?? '', ceiling);
        assert.equal(truncated, expected.length > 10);
        if (!truncated) assert.deepEqual(found.toSorted(), expected.toSorted(), asked[index]);
      }
    } finally {
      await opened.dispose();
    }
  });
  await fc.assert(property, { numRuns: 20, seed: 20_260_314 });
});
