import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseObservable } from '../domain/observable/observable.ts';
import { type BreadthRefusalReason, publicSuffixesFor, refuseBreadth } from './breadth.ts';

const OPTIONS = { minPrefixIpv4: 16, minPrefixIpv6: 32, acceptPrivateAddresses: false };
const isPublicSuffix = await publicSuffixesFor([
  {
    eventId: 'a',
    sensorId: '',
    sensorType: 'UNSPECIFIED',
    protocol: 'UNSPECIFIED',
    indicatorType: 'DOMAIN',
    value: 'evil.example',
    categories: [],
    severity: 'UNSPECIFIED',
    tlp: 'UNSPECIFIED',
    observedAt: 0,
    count: 1n,
    tags: [],
    labels: [],
    evidence: {},
  },
]);

function judge(text: string, options = OPTIONS): BreadthRefusalReason | 'narrow' {
  const observable = parseObservable('UNSPECIFIED', text, options);
  assert.ok(observable.ok, text);
  return refuseBreadth(observable, options, isPublicSuffix) ?? 'narrow';
}

test('a range keeps at least as many bits fixed as the smallest prefix of its family', () => {
  for (const text of [
    '8.0.0.0/7',
    '198.0.0.0/15',
    '::ffff:198.0.0.0/111',
    '2600::/12',
    '2001:c00::/31',
    '64:ff9b::c600:0/104',
    '2002:c600::/24',
  ])
    assert.equal(judge(text), 'RANGE_TOO_WIDE', text);
  for (const text of [
    '198.51.0.0/16',
    '198.51.100.7/32',
    '2001:db8::/32',
    '64:ff9b::c633:0/112',
    '2002:c633::/32',
    '2002:c633:6407::/64',
  ])
    assert.equal(judge(text), 'narrow', text);
});

test('the smallest prefixes come from the operator', () => {
  const options = { ...OPTIONS, minPrefixIpv4: 24, minPrefixIpv6: 0 };
  assert.equal(judge('198.51.0.0/23', options), 'RANGE_TOO_WIDE');
  assert.equal(judge('198.51.100.0/24', options), 'narrow');
  assert.equal(judge('2600::/12', options), 'narrow');
});

test('names below which strangers register are refused, and names of one owner are not', () => {
  for (const text of [
    'co.uk',
    'CO[.]UK.',
    'com.cn',
    'kawasaki.jp',
    'any.ck',
    'xn--55qx5d.cn',
    '公司.cn',
    'github.io',
    'duckdns.org',
    's3.amazonaws.com',
    'localto.net',
    'compute-1.amazonaws.com',
  ])
    assert.equal(judge(text), 'PUBLIC_SUFFIX', text);
  for (const text of [
    'evil.co.uk',
    'city.kawasaki.jp',
    'www.ck',
    'evil.duckdns.org',
    'evil.github.io',
    'evil.localto.net',
    'ec2-198-51-100-7.compute-1.amazonaws.com',
    '_dmarc.co.uk',
    'evil.example',
    'constructor.com',
    '__proto__.uk',
    'http://co.uk/a.exe',
    'someone@co.uk',
  ])
    assert.equal(judge(text), 'narrow', text);
});

test('a name below a narrow name is narrow', () => {
  fc.assert(
    fc.property(fc.domain(), fc.stringMatching(/^[a-z0-9]{1,20}$/), (name, label) => {
      if (!isPublicSuffix(name)) assert.equal(isPublicSuffix(`${label}.${name}`), false);
    }),
  );
});
