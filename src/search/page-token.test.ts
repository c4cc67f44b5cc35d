import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../domain/errors.ts';
import { arbitraryCeiling, arbitraryFilter, arbitraryQuery } from '../store/contract/arbitraries.ts';
import { criteriaOf, NOW } from '../store/contract/fixtures.ts';
import type { SearchCriteria } from '../store/indicators.ts';
import { createPageTokens, type WalkPosition } from './page-token.ts';

const SEED = 20_260_314;

const tokens = createPageTokens(Buffer.alloc(32, 1));
const CRITERIA = criteriaOf(
  { types: ['IPV4', 'IPV6'], lastSeenWindow: { start: NOW } },
  'evil "water plant"',
);

const POSITION: WalkPosition = { last: 123_456, totalCount: 7 };

function assertForeign(token: string, criteria: SearchCriteria = CRITERIA, context = token): void {
  assert.throws(
    () => tokens.open(token, criteria),
    (error: unknown) => {
      assert.ok(error instanceof ServiceError, context);
      assert.equal(error.code, 'invalid_argument', context);
      assert.equal(error.details.reason, 'INVALID_PAGE_TOKEN', context);
      assert.equal(error.details.violations?.[0]?.field, 'pagination.pageToken');
      return true;
    },
    context,
  );
}

test('a token gives back the position it was made for, and fits into a URL as it is', () => {
  const property = fc.property(
    fc.tuple(fc.maxSafeNat(), fc.option(fc.nat(10_000), { nil: undefined })),
    arbitraryFilter,
    arbitraryQuery,
    arbitraryCeiling,
    ([last, totalCount], filter, query, ceiling) => {
      const position: WalkPosition = { last, totalCount };
      const criteria = criteriaOf(filter, query, ceiling);
      const token = tokens.seal(position, criteria);
      assert.match(token, /^[A-Za-z0-9_-]+$/);
      assert.deepEqual(tokens.open(token, criteria), position);
    },
  );
  fc.assert(property, { seed: SEED });
});

test('a token of another search is refused, whatever member differs', () => {
  const property = fc.property(
    arbitraryFilter,
    arbitraryFilter,
    arbitraryQuery,
    arbitraryQuery,
    (filter, otherFilter, query, otherQuery) => {
      const token = tokens.seal(POSITION, criteriaOf(filter, query));
      const same = criteriaOf(filter, query);
      for (const other of [criteriaOf(otherFilter, query), criteriaOf(filter, otherQuery)]) {
        if (meaning(other) === meaning(same)) assert.deepEqual(tokens.open(token, other), POSITION);
        else assertForeign(token, other);
      }
    },
  );
  fc.assert(property, { seed: SEED, numRuns: 500 });
});

test('a token is good for the ceiling it was made under only', () => {
  const under = (ceiling: SearchCriteria['ceiling']): SearchCriteria => ({ ...CRITERIA, ceiling });
  assertForeign(tokens.seal(POSITION, under('RED')), under('AMBER'));
  assertForeign(tokens.seal(POSITION, under('AMBER')), under('RED'));
});

test('the order of a list and repeats in it do not matter, the sides of a window do', () => {
  const token = tokens.seal(POSITION, criteriaOf({ tags: ['a', 'b'], types: ['IPV4', 'IPV6'] }));
  assert.deepEqual(
    tokens.open(token, criteriaOf({ types: ['IPV6', 'IPV4'], tags: ['b', 'a', 'b'] })),
    POSITION,
  );
  assertForeign(token, criteriaOf({ types: ['IPV4', 'IPV6'], tags: ['a', 'b', 'c'] }));
  assertForeign(
    tokens.seal(POSITION, criteriaOf({ lastSeenWindow: { start: NOW } })),
    criteriaOf({ lastSeenWindow: { end: NOW } }),
  );
  assertForeign(
    tokens.seal(POSITION, criteriaOf({ lastSeenWindow: { start: NOW } })),
    criteriaOf({ createdWindow: { start: NOW } }),
  );
});

test('a token changed in any character, cut or lengthened is refused', () => {
  const token = tokens.seal(POSITION, CRITERIA);
  for (let index = 0; index < token.length; index++) {
    for (const character of 'ABab01-_=+/. ') {
      const changed = token.slice(0, index) + character + token.slice(index + 1);
      if (changed !== token) assertForeign(changed);
    }
    assertForeign(token.slice(0, index));
    assertForeign(token.slice(index + 1));
  }
  for (const end of ['A', '=', '==', ' ', '\n', '\u0000', token]) assertForeign(token + end);
});

test('a token of another installation is refused', () => {
  assertForeign(createPageTokens(Buffer.alloc(32, 2)).seal(POSITION, CRITERIA));
});

test('whatever is given as a token is refused in the same way', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.base64String()), (text) =>
      assertForeign(text),
    ),
    { seed: SEED },
  );
});

/** A text that is equal for criteria with the same meaning. */
function meaning({ filter, terms }: SearchCriteria): string {
  const lists = Object.entries(filter).map(([member, value]) => [
    member,
    Array.isArray(value) ? [...new Set(value)].toSorted() : value,
  ]);
  return JSON.stringify([lists.toSorted(), terms]);
}
