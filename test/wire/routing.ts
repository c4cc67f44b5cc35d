// Matching of paths and methods.

import assert from 'node:assert/strict';
import { OPERATIONS, pathOf } from '../support/operations.ts';
import {
  fails,
  findsAll,
  SEARCH,
  UNKNOWN_ID,
  type WireCase,
  type WireReply,
  type WireTable,
} from './wire-case.ts';

const unknownPath = fails(404, 5, 'PATH_NOT_FOUND');
const unknownIndicator = fails(404, 5, 'INDICATOR_NOT_FOUND');

function at(check: WireCase['check'], ...paths: readonly string[]): WireCase[] {
  return paths.map((path) => ({ given: path, path, check }));
}

function wrongMethod(allow: string) {
  return (reply: WireReply): void => {
    fails(405, 12, 'METHOD_NOT_ALLOWED')(reply);
    assert.equal(reply.headers.allow, allow);
  };
}

/** Every path of the contract with its methods. */
const ALLOWED = new Map<string, string[]>();
for (const operation of OPERATIONS) {
  const path = pathOf(operation, UNKNOWN_ID);
  ALLOWED.set(path, [...(ALLOWED.get(path) ?? []), operation.method]);
}
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export const ROUTING: WireTable = {
  'an unknown path is 404': at(
    unknownPath,
    '/',
    '/v1',
    '/v1/',
    '/v2/indicators/x',
    '/index.html',
    '/.env',
    '/v1/usages',
    '/a?b#c',
  ),
  'an unknown path is 404 for every method, with and without a credential': [
    '/v2',
    '/v1/indicators',
    '/.env',
  ].flatMap((path) =>
    ['GET', 'POST', 'DELETE'].flatMap((method) =>
      (['client', 'none'] as const).map((as) => ({
        given: `${method} ${path}, ${as}`,
        method,
        path,
        as,
        check: unknownPath,
      })),
    ),
  ),
  'slashes are not folded, case counts': at(
    unknownPath,
    `/v1/indicators/${UNKNOWN_ID}/`,
    '/v1//indicators/a',
    '//v1/indicators/a',
    `/V1/indicators/${UNKNOWN_ID}`,
    '/v1/Indicators/a',
    '/v1/indicators/a/b',
    '/v1/indicators/search/',
    '/v1/./indicators/a',
    '/v1/indicators/../indicators/a',
  ),
  'an empty id is none (stricter: the stock gateway asks for the id "")': at(
    unknownPath,
    '/v1/indicators/',
    '/v1/indicators',
    '/v1/indicators/?id=x',
  ),
  'a literal is an id too where the method differs': [
    { given: 'GET search', path: SEARCH, check: unknownIndicator },
    { given: 'POST search', method: 'POST', path: SEARCH, body: {}, check: findsAll },
  ],
  'a verb belongs to its own path only': [
    { given: 'GET :verify', path: `/v1/indicators/${UNKNOWN_ID}:verify`, check: wrongMethod('POST') },
    {
      given: 'POST :explain',
      method: 'POST',
      path: `/v1/indicators/${UNKNOWN_ID}:explain`,
      check: wrongMethod('GET'),
    },
    ...at(unknownIndicator, `/v1/indicators/${UNKNOWN_ID}:explain`),
    ...at(unknownPath, '/v1/indicators/a:zap', '/v1/indicators/a:verify:verify', '/v1/indicators/a:'),
    { given: 'POST :zap', method: 'POST', path: '/v1/indicators/a:zap', body: {}, check: unknownPath },
    {
      given: 'POST an empty id',
      method: 'POST',
      path: '/v1/indicators/:verify',
      as: 'analyst',
      check: unknownPath,
    },
  ],
  'a wrong method is 405 with Allow (stricter than 501)': [
    ...['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'].map((method) => ({
      given: `${method} search`,
      method,
      path: SEARCH,
      check: wrongMethod('POST'),
    })),
    ...[...ALLOWED].flatMap(([path, allowed]) =>
      METHODS.filter((method) => !allowed.includes(method) && !(path === SEARCH && method === 'GET')).map(
        (method) => ({
          given: `${method} ${path}`,
          method,
          path,
          check: wrongMethod(allowed.toSorted().join(', ')),
        }),
      ),
    ),
    {
      given: 'without a credential too',
      method: 'PUT',
      path: SEARCH,
      as: 'none',
      check: wrongMethod('POST'),
    },
    ...[...ALLOWED].map(([path, allowed]) => ({
      given: `HEAD ${path}, which has no body`,
      method: 'HEAD',
      path,
      check: ({ status, headers, body }: WireReply) => {
        assert.deepEqual([status, headers.allow, body.length], [405, allowed.toSorted().join(', '), 0]);
        assert.equal(headers['content-type'], 'application/json');
      },
    })),
  ],
  'no method hides behind another (stricter: no form fallback, no override)': [
    {
      given: 'a form posted to a path of GET',
      method: 'POST',
      path: `/v1/indicators/${UNKNOWN_ID}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'id=x',
      check: wrongMethod('GET'),
    },
    {
      given: 'X-HTTP-Method-Override',
      method: 'POST',
      path: `/v1/indicators/${UNKNOWN_ID}`,
      headers: { 'x-http-method-override': 'GET' },
      check: wrongMethod('GET'),
    },
  ],
  'an escaped slash is no slash, and no id has one': at(
    unknownIndicator,
    '/v1/indicators/a%2Fb',
    '/v1/indicators/%2e%2e%2fetc',
    '/v1/indicators/a+b',
    '/v1/indicators/%E2%82%AC',
  ),
  'escapes are taken back before the match': [
    ...at(unknownIndicator, `/v1/%69ndicators/${UNKNOWN_ID}`),
    {
      given: '/v1/indicators/%73earch',
      method: 'POST',
      path: '/v1/indicators/%73earch',
      body: {},
      check: findsAll,
    },
  ],
  'a broken escape is 400 with a status object': at(
    fails(400, 3, 'MALFORMED_PATH'),
    '/v1/indicators/%zz',
    '/v1/indicators/%',
    '/v1/indicators/%2',
    '/%zz',
    '/v1/indicators/a%zz:explain',
  ),
  'an escape that is not UTF-8 is 400 (the stock gateway fails with 500)': at(
    fails(400, 3, 'MALFORMED_PATH'),
    '/v1/indicators/%ff',
    '/v1/indicators/%c0%af',
    '/v1/indicators/%ed%a0%80',
  ),
  'a path variable wins over its copy in the query': at(
    unknownIndicator,
    `/v1/indicators/${UNKNOWN_ID}?id={plc}`,
    `/v1/indicators/${UNKNOWN_ID}?id=a&id=b`,
  ),
};
