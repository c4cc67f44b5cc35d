import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IndicatorType } from '../vocabulary.ts';
import type { WarningList } from './warning-list.ts';
import { createWarningListIndex } from './warning-list-index.ts';

const ADDRESSES = ['ip-src', 'ip-dst', 'domain|ip'];
const NAMES = ['hostname', 'domain', 'domain|ip'];

function list(name: string, changes: Partial<WarningList>): WarningList {
  return { id: name, name, version: '1', kind: 'string', attributes: [], entries: [], ...changes };
}

/** `relation entry` by list name. */
function hits(lists: readonly WarningList[], type: IndicatorType, value: string): Record<string, string> {
  const matches = createWarningListIndex(lists).match({ type, value });
  return Object.fromEntries(matches.map(({ name, relation, entry }) => [name, `${relation} ${entry}`]));
}

test('string lists match whole values, in any case', () => {
  const lists = [
    list('names', { attributes: NAMES, entries: ['Example.COM', 'www.example.org'] }),
    list('hashes', { attributes: ['md5'], entries: ['D41D8CD98F00B204E9800998ECF8427E'] }),
    list('addresses', { attributes: ADDRESSES, entries: ['192.0.2.53', '2001:DB8:0::35'] }),
  ];
  assert.deepEqual(hits(lists, 'DOMAIN', 'example.com'), { names: 'itself example.com' });
  assert.deepEqual(hits(lists, 'DOMAIN', 'www.example.com'), { names: 'itself example.com' });
  assert.deepEqual(hits(lists, 'DOMAIN', 'www.example.org'), { names: 'itself www.example.org' });
  assert.deepEqual(hits(lists, 'DOMAIN', 'example.org'), {});
  assert.deepEqual(hits(lists, 'DOMAIN', 'a.example.com'), {});
  assert.deepEqual(hits(lists, 'FILE_HASH_MD5', 'd41d8cd98f00b204e9800998ecf8427e'), {
    hashes: 'itself d41d8cd98f00b204e9800998ecf8427e',
  });
  assert.deepEqual(hits(lists, 'JA3', 'd41d8cd98f00b204e9800998ecf8427e'), {}, 'a list about files');
  assert.deepEqual(hits(lists, 'IPV4', '192.0.2.53'), { addresses: 'itself 192.0.2.53' });
  assert.deepEqual(hits(lists, 'IPV6', '2001:db8::35'), { addresses: 'itself 2001:db8::35' });
});

test('hostname lists match names and all below them, label by label', () => {
  const lists = [
    list('hosts', {
      kind: 'hostname',
      attributes: NAMES,
      entries: ['.example.com', '*.example.org', 'https://example.net/path'],
    }),
  ];
  assert.deepEqual(hits(lists, 'DOMAIN', 'example.com'), { hosts: 'itself example.com' });
  assert.deepEqual(hits(lists, 'DOMAIN', 'a.b.example.com'), { hosts: 'below example.com' });
  assert.deepEqual(hits(lists, 'DOMAIN', 'a.example.org'), { hosts: 'below example.org' });
  assert.deepEqual(hits(lists, 'DOMAIN', 'example.net'), { hosts: 'itself example.net' });
  assert.deepEqual(hits(lists, 'DOMAIN', 'badexample.com'), {});
  assert.deepEqual(hits(lists, 'DOMAIN', 'com'), {});
});

test('cidr lists match addresses, ranges inside and ranges around', () => {
  const lists = [
    list('ranges', { kind: 'cidr', attributes: ADDRESSES, entries: ['192.0.2.0/25', '2001:DB8::/32'] }),
    list('one', { kind: 'cidr', attributes: ADDRESSES, entries: ['192.0.2.53'] }),
  ];
  assert.deepEqual(hits(lists, 'IPV4', '192.0.2.53'), {
    one: 'itself 192.0.2.53',
    ranges: 'itself 192.0.2.0/25',
  });
  assert.deepEqual(hits(lists, 'IPV4', '192.0.2.128'), {});
  assert.deepEqual(hits(lists, 'IPV6', '2001:db8:1::1'), { ranges: 'itself 2001:db8::/32' });
  assert.deepEqual(hits(lists, 'CIDR', '192.0.2.0/26'), {
    one: 'around 192.0.2.53',
    ranges: 'itself 192.0.2.0/25',
  });
  assert.deepEqual(hits(lists, 'CIDR', '192.0.0.0/16'), {
    one: 'around 192.0.2.53',
    ranges: 'around 192.0.2.0/25',
  });
});

test('substring lists match what contains an entry', () => {
  const lists = [
    list('mail', { kind: 'substring', attributes: ['email-src'], entries: ['drop.example', 'ab'] }),
  ];
  assert.deepEqual(hits(lists, 'EMAIL', 'Somebody@Drop.example'), { mail: 'itself drop.example' });
  assert.deepEqual(hits(lists, 'EMAIL', 'ab@example.com'), {});
  assert.deepEqual(hits(lists, 'DOMAIN', 'drop.example'), {});
});

test('a URL is judged by its host: alone as that, with a path as a page on it', () => {
  const lists = [
    list('names', { attributes: NAMES, entries: ['example.com'] }),
    list('hosts', { kind: 'hostname', attributes: ['url'], entries: ['example.com'] }),
    list('ranges', { kind: 'cidr', attributes: ADDRESSES, entries: ['192.0.2.0/24', '2001:db8::/32'] }),
    list('urls', { attributes: ['url'], entries: ['https://example.com/known'] }),
    list('files', { attributes: ['md5'], entries: ['example.com'] }),
  ];
  for (const url of ['http://example.com/', 'https://example.com:8443/', 'http://u:p@example.com/']) {
    assert.deepEqual(hits(lists, 'URL', url), { hosts: 'itself example.com', names: 'itself example.com' });
  }
  assert.deepEqual(hits(lists, 'URL', 'http://example.com/a.sh'), {
    hosts: 'page example.com',
    names: 'page example.com',
  });
  assert.equal(hits(lists, 'URL', 'http://example.com/?a').names, 'page example.com');
  assert.equal(hits(lists, 'URL', 'http://a.example.com/').hosts, 'below example.com');
  assert.equal(hits(lists, 'URL', 'http://a.example.com/b').hosts, 'page example.com');
  assert.equal(hits(lists, 'URL', 'https://example.com/known').urls, 'itself https://example.com/known');
  assert.deepEqual(hits(lists, 'URL', 'http://example.com.example.net/'), {});
  assert.deepEqual(hits(lists, 'URL', 'http://example.com@198.51.100.1/'), {});
  assert.deepEqual(hits(lists, 'URL', 'http://192.0.2.7/'), { ranges: 'itself 192.0.2.0/24' });
  assert.deepEqual(hits(lists, 'URL', 'http://[2001:db8::7]:81/x'), { ranges: 'page 2001:db8::/32' });
});

test('one match for each list, the closest, sorted by name, with its standing', () => {
  const lists = [
    list('z dynamic DNS', { kind: 'hostname', entries: ['example.com', 'a.example.com'], version: '7' }),
    list('Top 1000', { entries: ['a.example.com'] }),
  ];
  assert.deepEqual(createWarningListIndex(lists).match({ type: 'DOMAIN', value: 'a.example.com' }), [
    { name: 'Top 1000', version: '1', entry: 'a.example.com', relation: 'itself', standing: 'known' },
    {
      name: 'z dynamic DNS',
      version: '7',
      entry: 'a.example.com',
      relation: 'itself',
      standing: 'shared',
    },
  ]);
});

test('entries that can not be read are counted by list', () => {
  const lists = [
    list('ranges', { kind: 'cidr', entries: ['192.0.2.0/33', 'example.com', '192.0.2.1'] }),
    list('hosts', { kind: 'hostname', entries: ['a*.example.com', '', 'example.com'] }),
    list('texts', { entries: [' ', 'x'] }),
    list('parts', { kind: 'substring', entries: ['xy', 'xyz'] }),
    list('fine', { entries: ['x'] }),
  ];
  assert.deepEqual(createWarningListIndex(lists).unread, [
    { name: 'ranges', count: 2 },
    { name: 'hosts', count: 2 },
    { name: 'texts', count: 1 },
    { name: 'parts', count: 1 },
  ]);
});

test('nothing that is looked up makes it fail', () => {
  const index = createWarningListIndex([
    list('a', { entries: ['x'] }),
    list('b', { kind: 'hostname', entries: ['x'] }),
    list('c', { kind: 'cidr', entries: ['0.0.0.0/0'] }),
  ]);
  const types = ['DOMAIN', 'URL', 'IPV4', 'IPV6', 'CIDR', 'EMAIL', 'UNSPECIFIED'] as const;
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.string(), (type, value) => {
      index.match({ type, value });
    }),
  );
});
