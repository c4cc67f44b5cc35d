// Query parameters of TAXII: read, ignored or refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../domain/errors.ts';
import { type MatchField, parseFeedParameters } from './parameters.ts';

const ALL: readonly MatchField[] = ['id', 'type', 'version', 'spec_version'];

function parse(query: string, fields = ALL) {
  return parseFeedParameters(`/taxii2/collections/x/objects/${query}`, fields);
}

/** The names of the faulty parameters. */
function faults(query: string): (string | undefined)[] {
  try {
    parse(query);
    return [];
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'invalid_argument');
    return (error.details.violations ?? []).map(({ field }) => field);
  }
}

test('nothing asked for', () => {
  for (const query of ['', '?', '?&', '?unknown=1&match[unknown]=2&unknown=3']) {
    assert.deepEqual(parse(query), { filter: {} });
  }
});

test('everything asked for', () => {
  assert.deepEqual(
    parse(
      '?added_after=2026-01-01T00%3A00%3A00Z&limit=10&next=abc&match%5Bid%5D=b,a,b&match[type]=indicator' +
        '&match[version]=2026-01-01T00:00:00.0000Z,first&match[spec_version]=2.1,2.0',
    ),
    {
      addedAfter: Date.UTC(2026, 0, 1) * 1_000,
      limit: 10,
      next: 'abc',
      filter: {
        ids: ['a', 'b'],
        types: ['indicator'],
        versions: ['2026-01-01T00:00:00.000Z', 'first'],
        specVersions: ['2.0', '2.1'],
      },
    },
  );
});

test('an offset whose plus sign became a blank', () => {
  assert.deepEqual(parse('?added_after=2026-01-01T00:00:00+00:00'), {
    addedAfter: Date.UTC(2026, 0, 1) * 1_000,
    filter: {},
  });
});

test('a match filter that the endpoint does not have is ignored', () => {
  assert.deepEqual(parse('?match[id]=&match[type]=indicator', ['version']), { filter: {} });
});

for (const limit of ['0', '-1', 'abc', '1.5', '', '1e3', '+5', ' 5', '0x10', '%zz']) {
  test(`limit=${limit} is refused`, () => assert.deepEqual(faults(`?limit=${limit}`), ['limit']));
}

test('a limit beyond all bounds is a limit', () => {
  assert.ok((parse(`?limit=${'9'.repeat(400)}`).limit ?? 0) > 5_000);
});

for (const version of [
  'zz',
  '',
  'first,first',
  'all,first',
  '2026-01-01T00:00:00Z,2026-01-01T00:00:00.000Z',
  'last,',
]) {
  test(`match[version]=${version} is refused`, () => {
    assert.deepEqual(faults(`?match[version]=${version}`), ['match[version]']);
  });
}

for (const version of ['first', 'last', 'all'] as const) {
  test(`match[version]=${version}`, () => {
    assert.deepEqual(parse(`?match[version]=${version}`).filter, { versions: version });
  });
}

test('what is given twice is refused', () => {
  for (const field of ['added_after', 'limit', 'next', 'match[id]', 'match[type]', 'match[version]']) {
    assert.deepEqual(faults(`?${field}=1&${field}=1`), [field]);
  }
});

test('every fault is named', () => {
  assert.deepEqual(faults('?added_after=xx&limit=0&match[type]=a,,b&match[spec_version]=two'), [
    'added_after',
    'limit',
    'match[type]',
    'match[spec_version]',
  ]);
});

test('any query string is parsed or refused', () => {
  const piece = fc.constantFrom(
    'added_after',
    'limit',
    'next',
    'match[',
    'id',
    ']',
    '=',
    '&',
    '%',
    '%5B',
    '+',
    ',',
    '1',
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => void faults(`?${pieces.join('')}`)));
});
