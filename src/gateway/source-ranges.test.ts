import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalSourceRange, liesWithin, parseSourceRange } from './source-ranges.ts';

const within = (source: string, ...ranges: string[]): boolean =>
  liesWithin(
    ranges.flatMap((text) => parseSourceRange(text) ?? []),
    source,
  );

describe('source ranges', () => {
  it('are written one way', () => {
    assert.equal(canonicalSourceRange('192.0.2.77/24'), '192.0.2.0/24');
    assert.equal(canonicalSourceRange('192.0.2.77'), '192.0.2.77/32');
    assert.equal(canonicalSourceRange('2001:DB8:0::1/48'), '2001:db8::/48');
    assert.equal(canonicalSourceRange('2001:db8::1'), '2001:db8::1/128');
    for (const text of ['', 'x', '192.0.2.0/33', '192.0.2/24', '/8', '192.0.2.0/', 'example.com', '*']) {
      assert.equal(canonicalSourceRange(text), undefined, text);
    }
  });

  it('contain what lies in any of them', () => {
    assert.equal(within('192.0.2.1', '198.51.100.0/24', '192.0.2.0/24'), true);
    assert.equal(within('::ffff:192.0.2.1', '192.0.2.0/24'), true);
    assert.equal(within('2001:db8::5%eth0', '2001:db8::/32'), true);
    assert.equal(within('203.0.113.1', '198.51.100.0/24', '192.0.2.0/24'), false);
    assert.equal(within('2001:db8::5', '0.0.0.0/0'), false);
  });

  it('contain nothing that can not be read, and nothing when there are none', () => {
    assert.equal(within('', '0.0.0.0/0', '::/0'), false);
    assert.equal(within('unix:', '0.0.0.0/0', '::/0'), false);
    assert.equal(within('192.0.2.1'), false);
  });
});
