import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDomain } from '../observable/domain-name.ts';
import { RESEARCH_SCANNERS, scannerOfName } from './research-scanners.ts';

test('each scanner has a source, a date, and a domain that is a name', () => {
  for (const { name, source, date, domains } of RESEARCH_SCANNERS) {
    assert.match(date, /^\d{4}-\d{2}-\d{2}$/, name);
    for (const one of [source, ...domains.split(' ')])
      assert.equal(parseDomain(one, { acceptPrivateAddresses: false }), one, name);
  }
  const names = new Set(RESEARCH_SCANNERS.map(({ name }) => name));
  for (const name of ['BinaryEdge', 'Stretchoid', 'LeakIX', 'ZoomEye', 'FOFA', 'ONYPHE', 'Shadowserver'])
    assert.ok(names.has(name), name);
});

test('names below the domain of a scanner are its names, and no others', () => {
  assert.equal(scannerOfName('scan-7.ch1.censys-scanner.com'), 'Censys');
  assert.equal(scannerOfName('a.internet-measurement.com'), 'Internet Measurement');
  for (const name of [
    'stretchoid.com',
    'xstretchoid.com',
    'a.xstretchoid.com',
    'stretchoid.com.example.net',
    '',
  ])
    assert.equal(scannerOfName(name), undefined, name);
});
