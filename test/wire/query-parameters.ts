// Query parameters of GET methods.

import assert from 'node:assert/strict';
import { fails, invalid, UNKNOWN_ID, type WireCase, type WireTable } from './wire-case.ts';

const known = ({ status }: Parameters<WireCase['check']>[0]): void => assert.equal(status, 200);
const malformed = fails(400, 3, 'MALFORMED_QUERY', 'query');

function asking(check: WireCase['check'], ...queries: readonly string[]): WireCase[] {
  return queries.map((query) => ({ given: query, path: `/v1/indicators/{plc}?${query}`, check }));
}

function usage(check: WireCase['check'], ...queries: readonly string[]): WireCase[] {
  return queries.map((query) => ({ given: query, path: `/v1/usage?${query}`, as: 'accountant', check }));
}

const START = 'window.start=2026-01-31T12:00:00Z';

export const QUERY_PARAMETERS: WireTable = {
  'unknown ones (stricter: 400)': [
    ...asking(invalid('x'), 'x=1', 'x=1&x=2', 'x', 'x=%41+%42', 'x=%E2%82%AC', '%78=1'),
    ...asking(invalid('["a.b.c"]'), 'a.b.c=1'),
    ...asking(invalid('[""]'), '='),
    ...asking(invalid('__proto__'), '__proto__=1'),
    ...asking(invalid('x', 'y'), 'x=1&y=2'),
    ...usage(invalid('window.strat'), 'window.strat=2026-01-31T12:00:00Z'),
    ...usage(invalid('window.start'), 'window.start.seconds=1'),
  ],
  'nothing between the separators': asking(known, '&&', ''),
  'a field of the path is ignored here': asking(known, `id=${UNKNOWN_ID}`, 'id=', 'id=a&id=b'),
  'dotted names, in either spelling': usage(
    known,
    `${START}&window.end=2026-02-01T00:00:00Z`,
    'keyId=x',
    'key_id=x',
    `%77indow%2Estart=2026-01-31T12:00:00Z`,
  ),
  'a second value for one field': [
    ...usage(invalid('bucket'), 'bucket=1&bucket=1', 'bucket=1&bucket=USAGE_BUCKET_DAY'),
    ...usage(invalid('keyId'), 'keyId=a&key_id=b'),
    ...usage(invalid('window.start'), `${START}&${START}`),
  ],
  'an enum by its exact name or its number': usage(known, 'bucket=USAGE_BUCKET_HOUR', 'bucket=1', 'bucket=0'),
  'an enum that is none': usage(
    invalid('bucket'),
    'bucket=HOUR',
    'bucket=usage_bucket_hour',
    'bucket=9',
    'bucket=-1',
    'bucket=1.0',
    'bucket=01',
    'bucket=',
    'bucket',
    'bucket=1,2',
  ),
  'a timestamp, whose plus sign has to be escaped': usage(
    known,
    'window.start=2026-01-31T12:00:00%2B02:00',
    'window.start=2026-01-31T12%3A00%3A00.5Z',
  ),
  'a timestamp that is none': usage(
    invalid('window.start'),
    'window.start=2026-01-31T12:00:00+02:00',
    'window.start=2026-01-31',
    'window.start=',
    'window.start=1769860800',
  ),
  'a message has no text of its own': usage(invalid('window'), 'window=x', 'window={}', 'window='),
  'text is text, whatever is in it': usage(known, 'keyId=%F0%9F%94%91', 'keyId=null', 'keyId=%22', 'keyId='),
  'a semicolon separates nothing': [
    ...asking(malformed, 'a=1;b=2', ';'),
    ...usage(malformed, `${START};bucket=1`),
  ],
  'a broken escape is 400 with a status object': asking(malformed, 'x=%zz', '%', 'x=%2', '%ff=1', 'x=%c0%af'),
};
