// Requests to fuzz with, as bytes: every route of the OpenAPI document and every TAXII endpoint, with odd paths, queries,
// headers and bodies, and then with bytes changed at random.

import fc, { type Arbitrary } from 'fast-check';
import { jsonText, oddText, type Schema, type Schemas } from './json-text.ts';

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
}

export interface Ammunition {
  readonly openApi: OpenApi;
  /** Authorization headers with access to something. */
  readonly credentials: readonly string[];
  /** Ids of existing indicators and feed objects. */
  readonly ids: readonly string[];
  /** Cursors and page tokens from real answers. */
  readonly tokens: readonly string[];
}

interface Parts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
}

const FEED = '/taxii2/collections/service-global-feed';
const TAXII_PATHS = [
  ...[
    '/taxii2/',
    '/taxii2',
    '/taxii2/collections/',
    '/taxii2/collections/{id}/',
    `${FEED}/`,
    `${FEED}/objects/`,
  ],
  ...[`${FEED}/manifest/`, `${FEED}/objects/{id}/`, `${FEED}/objects/{id}/versions/`, '/taxii2/{id}/'],
  ...['/taxii2/collections/{id}/objects/', '/taxii2/status/{id}/'],
];
const TAXII_PARAMETERS = [
  ...['limit', 'added_after', 'next', 'match[id]', 'match[type]', 'match[version]', 'match[spec_version]'],
];
const OTHER_PATHS = [
  '/',
  '/openapi.json',
  '/livez',
  '/readyz',
  '/healthz',
  '/metrics',
  '*',
  '/v1/{id}',
  '//',
  '/{id}',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const ACCEPTS = [
  ...[
    'application/taxii+json;version=2.1',
    '*/*',
    'application/json',
    'text/html;q=0.5, */*;q=0',
    ';;,',
    '"',
  ],
];

/** The bytes of one connection. */
export function requestBytes(ammunition: Ammunition): Arbitrary<Buffer> {
  const wellFormed = fc
    .tuple(parts(ammunition), headers(ammunition))
    .map(([{ method, path, query, body }, lines]) => {
      const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      const target = query === '' ? path : `${path}?${query}`;
      return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}${length}Connection: close\r\n\r\n${body}`);
    });
  return fc.oneof(
    { weight: 8, arbitrary: wellFormed },
    { weight: 2, arbitrary: fc.tuple(wellFormed, damage).map(([bytes, damaged]) => damaged(bytes)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );
}

function parts(ammunition: Ammunition): Arbitrary<Parts> {
  const { openApi, ids, tokens } = ammunition;
  const { schemas } = openApi.components;
  const id = fc.oneof(
    fc.constantFrom(...ids),
    oddText.map(escapePart),
    fc.constantFrom('%zz', '%ff', '..', '%2F'),
  );
  const query = (names: readonly string[]) => queryText(names, tokens);
  const fill = (template: string) => id.map((value) => template.replace(/\{\w+\}/g, () => value));

  const rest = Object.entries(openApi.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, { requestBody, parameters = [] }]) => {
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
      const names = parameters.filter((one) => one.in === 'query').map((one) => one.name);
      return fc.record<Parts>({
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constant(method.toUpperCase()) },
          fc.constantFrom(...METHODS),
        ),
        path: fill(template),
        query: fc.oneof({ weight: names.length === 0 ? 9 : 1, arbitrary: fc.constant('') }, query(names)),
        body: schema === undefined ? fc.constant('') : bodyText(schema, schemas, tokens),
      });
    }),
  );
  const taxii = fc.record<Parts>({
    method: fc.oneof({ weight: 9, arbitrary: fc.constant('GET') }, fc.constantFrom(...METHODS)),
    path: fc.constantFrom(...TAXII_PATHS).chain(fill),
    query: query(TAXII_PARAMETERS),
    body: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, fc.json()),
  });
  const other = fc.record<Parts>({
    method: fc.constantFrom(...METHODS),
    path: fc.constantFrom(...OTHER_PATHS).chain(fill),
    query: query([]),
    body: fc.oneof(fc.constant(''), oddText),
  });
  return fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...rest) },
    { weight: 4, arbitrary: taxii },
    { weight: 1, arbitrary: other },
  );
}

/** A body by its schema, with a real page token in its place. */
function bodyText(schema: Schema, schemas: Schemas, tokens: readonly string[]): Arbitrary<string> {
  return fc
    .tuple(jsonText(schema, schemas), fc.constantFrom(...tokens))
    .map(([text, token]) =>
      text.replace(/("page_?[tT]oken":)"[^"]*"/, (_, name: string) => `${name}"${token}"`),
    );
}

function queryText(names: readonly string[], tokens: readonly string[]): Arbitrary<string> {
  const value = fc.oneof(
    oddText.map(escapePart),
    fc.constantFrom(...tokens),
    fc.constantFrom(
      '1',
      '0',
      '-1',
      '1e9',
      '999999999999',
      'last',
      'first',
      'all',
      'first,last',
      'indicator',
      '2.1',
      '2.1,',
    ),
    fc.constantFrom(
      '2026-11-20T12:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999Z',
      '%zz',
      ';',
      '&&=',
    ),
  );
  const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names, 'x') }, oddText.map(escapePart));
  return fc
    .array(fc.tuple(name, value), { maxLength: 4 })
    .map((pairs) => pairs.map(([one, other]) => `${one}=${other}`).join('&'));
}

function headers({ credentials }: Ammunition): Arbitrary<string> {
  const credential = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...credentials) },
    fc.constantFrom(
      'Bearer',
      'Basic Og==',
      'Basic %%%',
      'Token x',
      'Bearer a.b.c',
      `Bearer ${'x'.repeat(9_000)}`,
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  );
  const further = fc.constantFrom(
    'Expect: 100-continue',
    'Content-Type: ;;;',
    'Accept-Encoding: gzip;q=0, *',
    'X-Forwarded-For: unknown, ,',
    'Origin: null',
    'Upgrade: websocket',
    'X-Request-Id: "',
    'Range: bytes=0-1',
    'If-None-Match: "x", W/"y", *',
    'Content-Encoding: gzip',
  );
  const accept = fc.oneof({ weight: 9, arbitrary: fc.constant('*/*') }, fc.constantFrom(...ACCEPTS));
  return fc
    .tuple(credential, accept, fc.array(further, { maxLength: 2 }))
    .map(([authorization, accept, more]) =>
      ['Host: x', `Authorization: ${authorization}`, `Accept: ${accept}`, ...more]
        .map((line) => `${line}\r\n`)
        .join(''),
    );
}

/** A change of a few bytes: cut, doubled, replaced. */
const damage: Arbitrary<(bytes: Buffer) => Buffer> = fc
  .array(
    fc.tuple(
      fc.constantFrom('cut', 'double', 'replace'),
      fc.nat(),
      fc.nat({ max: 40 }),
      fc.uint8Array({ maxLength: 4 }),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((changes) => (bytes: Buffer) => {
    for (const [kind, place, length, put] of changes) {
      const start = bytes.length === 0 ? 0 : place % bytes.length;
      const [head, piece, tail] = [
        bytes.subarray(0, start),
        bytes.subarray(start, start + length),
        bytes.subarray(start + length),
      ];
      if (kind === 'cut') bytes = Buffer.concat([head, tail]);
      else if (kind === 'double') bytes = Buffer.concat([head, piece, piece, tail]);
      else bytes = Buffer.concat([head, put, bytes.subarray(start + put.length)]);
    }
    return bytes;
  });

function escapePart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
