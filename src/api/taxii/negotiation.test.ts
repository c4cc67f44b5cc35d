// The Accept and Accept-Encoding headers that are served.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { acceptsGzip, acceptsTaxii } from './negotiation.ts';

const SERVED: readonly (string | undefined)[] = [
  undefined,
  '',
  '*/*',
  'application/*',
  'application/taxii+json',
  'application/taxii+json;version=2.1',
  'application/taxii+json; version=2.1',
  'application/taxii+json ; version = 2.1',
  'application/taxii+json;version="2.1"',
  'APPLICATION/TAXII+JSON;VERSION=2.1',
  'application/taxii+json;version=2.1;q=0.5',
  'application/taxii+json;q=0.001',
  'application/taxii+json;charset=utf-8;version=2.1',
  'application/taxii+json;version=2.1,application/stix+json;version=2.1',
  'text/html, application/xhtml+xml, */*;q=0.1',
  'application/taxii+json;version=2.0, application/taxii+json;version=2.1',
  'application/taxii+json;version=2.1;q=0, application/taxii+json;version=2.1',
  '*/*;q=0, application/taxii+json',
  'text/plain;note="a, b;c", */*',
];

const REFUSED = [
  'application/taxii+json;version=2.0',
  'application/taxii+json;version="2.0"',
  'application/taxii+json;version=2',
  'application/vnd.oasis.taxii+json',
  'application/vnd.oasis.taxii+json;version=2.0',
  'application/stix+json;version=2.1',
  'application/json',
  'text/html',
  'text/*',
  '*/*;q=0',
  'application/taxii+json;version=2.1;q=0.000',
  'application/taxii+json;version=2.1;q=0, */*',
  'application/taxii+json;q=0, application/*;q=0.5',
  'text/plain;note="application/taxii+json, */*"',
  ';;;',
  ',,,',
  'nonsense',
];

for (const accept of SERVED) {
  test(`Accept ${accept ?? '(none)'} is served`, () => assert.equal(acceptsTaxii(accept), true));
}

for (const accept of REFUSED) {
  test(`Accept ${accept} is refused`, () => assert.equal(acceptsTaxii(accept), false));
}

test('any Accept header gets a yes or a no', () => {
  const piece = fc.constantFrom(
    'application/taxii+json',
    '*/*',
    ';',
    ',',
    '"',
    '\\',
    '=',
    'q=0',
    'version=2.1',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => assert.equal(typeof acceptsTaxii(pieces.join('')), 'boolean')),
  );
});

const CODINGS: readonly (readonly [string | undefined, boolean])[] = [
  [undefined, false],
  ['', false],
  ['identity', false],
  ['br', false],
  ['gzip', true],
  ['GZIP', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8', true],
  ['gzip;q=0', false],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
];

for (const [header, served] of CODINGS) {
  test(`Accept-Encoding ${header ?? '(none)'}: gzip ${served}`, () =>
    assert.equal(acceptsGzip(header), served));
}
