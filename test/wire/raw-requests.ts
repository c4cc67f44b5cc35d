// Bytes that no HTTP client sends. The service answers with an rpcStatus, below /taxii2/ with an error resource, or
// closes the connection where HTTP has no answer.

import assert from 'node:assert/strict';
import { parseAnswer, type RawAnswer } from '../support/raw-socket.ts';
import { TAXII_MEDIA_TYPE } from '../support/taxii-client.ts';
import type { RpcStatus, TaxiiFault } from '../support/wire.ts';

export interface RawCase {
  readonly given: string;
  /** `KEY` stands for the key of a client. */
  readonly bytes: string;
  /** @param answers every answer until the server hung up, as text. */
  readonly check: (answers: string) => void;
}

const OURS = 'threat-indicator-service';
const HOST = 'Host: x\r\n';
const LAST = `${HOST}Connection: close\r\n`;
const GET = '/v1/indicators/6f9619ff-8b86-4011-b42d-00c04fc964ff';
const OBJECTS = '/taxii2/collections/service-global-feed/objects/';
const KEY = 'Authorization: Bearer KEY\r\n';

function rest(status: number, reason: string): RawCase['check'] {
  return (text) => assertStatus(parseAnswer(text), status, reason);
}

function assertStatus({ status, headers, body }: RawAnswer, expected: number, reason: string): void {
  assert.equal(status, expected, body);
  assert.equal(headers.get('content-type'), 'application/json');
  const { code, details } = JSON.parse(body) as RpcStatus & { details: readonly { domain?: string }[] };
  assert.equal(typeof code, 'number');
  assert.deepEqual([details[0]?.domain, details[0]?.reason], [OURS, reason]);
}

function taxii(expected: number): RawCase['check'] {
  return (text) => {
    const { status, headers, body } = parseAnswer(text);
    assert.equal(status, expected, body);
    assert.equal(headers.get('content-type'), TAXII_MEDIA_TYPE);
    assert.equal((JSON.parse(body) as TaxiiFault).http_status, String(expected));
  };
}

const silence: RawCase['check'] = (text) => assert.equal(text, '');

const malformed = rest(400, 'MALFORMED_REQUEST');
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${headers}${LAST}\r\n`;
const post = (headers: string, body = '') =>
  `POST /v1/indicators/search HTTP/1.1\r\n${KEY}${headers}${LAST}\r\n${body}`;

export const RAW_REQUESTS: readonly RawCase[] = [
  // No HTTP at all.
  { given: 'words', bytes: 'hello there\r\n\r\n', check: malformed },
  { given: 'a TLS greeting', bytes: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', check: malformed },
  { given: 'HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', check: malformed },
  { given: 'SMTP', bytes: 'EHLO example.org\r\n', check: malformed },
  {
    given: 'bytes of every value',
    bytes: String.fromCharCode(...Array.from({ length: 512 }, (_, index) => (index * 167 + 13) % 256)),
    check: malformed,
  },
  { given: 'NUL bytes', bytes: '\0'.repeat(100), check: malformed },

  // A broken request line.
  { given: 'version 9.9', bytes: `GET / HTTP/9.9\r\n${LAST}\r\n`, check: malformed },
  { given: 'no version', bytes: `GET /\r\n${LAST}\r\n`, check: rest(404, 'PATH_NOT_FOUND') },
  { given: 'two blanks', bytes: `GET  / HTTP/1.1\r\n${LAST}\r\n`, check: rest(404, 'PATH_NOT_FOUND') },
  { given: 'a blank in the path', bytes: get('/a b'), check: malformed },
  { given: 'a control character in the path', bytes: get('/a\x01b'), check: malformed },
  { given: 'an unknown method', bytes: `FOO / HTTP/1.1\r\n${LAST}\r\n`, check: malformed },
  { given: 'a method in lower case', bytes: `get / HTTP/1.1\r\n${LAST}\r\n`, check: malformed },
  { given: 'a path that is none', bytes: get('x'), check: malformed },

  // Broken headers.
  { given: 'a name with a blank', bytes: get('/', 'Bad Name: x\r\n'), check: malformed },
  { given: 'no colon', bytes: get('/', 'NoColon\r\n'), check: malformed },
  { given: 'a NUL in a value', bytes: get('/', 'X: a\0b\r\n'), check: malformed },
  { given: 'a lone line feed as separator', bytes: 'GET / HTTP/1.1\nHost: x\n\n', check: malformed },
  { given: 'a folded header', bytes: get('/', 'X: a\r\n b\r\n'), check: malformed },
  {
    given: 'no Host',
    bytes: `GET / HTTP/1.1\r\nConnection: close\r\n\r\n`,
    check: rest(400, 'MISSING_HOST'),
  },
  {
    given: 'no Host, for a feed',
    bytes: `GET /taxii2/ HTTP/1.1\r\nConnection: close\r\n\r\n`,
    check: taxii(400),
  },
  { given: 'two hosts', bytes: get(GET, `${KEY}Host: y\r\n`), check: rest(400, 'REPEATED_HOST') },
  { given: 'two hosts, for a feed', bytes: get(OBJECTS, `${KEY}Host: y\r\n`), check: taxii(400) },
  {
    given: 'a header of 20,000 bytes',
    bytes: get('/', `X: ${'x'.repeat(20_000)}\r\n`),
    check: rest(431, 'HEADERS_TOO_LARGE'),
  },
  {
    given: 'a path of 20,000 bytes',
    bytes: get(`/${'x'.repeat(20_000)}`),
    check: rest(431, 'HEADERS_TOO_LARGE'),
  },
  {
    given: '5,000 headers',
    bytes: get('/', 'X: y\r\n'.repeat(5_000)),
    check: rest(431, 'HEADERS_TOO_LARGE'),
  },
  { given: '300 headers', bytes: get('/', 'X: y\r\n'.repeat(300)), check: rest(404, 'PATH_NOT_FOUND') },
  {
    given: 'two credentials',
    bytes: get(GET, `${KEY}Authorization: Bearer x\r\n`),
    check: rest(400, 'REPEATED_AUTHORIZATION'),
  },
  {
    given: 'the same credential twice',
    bytes: get(GET, `${KEY}${KEY.toLowerCase().replace('key', 'KEY')}`),
    check: rest(400, 'REPEATED_AUTHORIZATION'),
  },
  {
    given: 'two credentials, for a feed',
    bytes: get(OBJECTS, `Authorization: Basic x\r\n${KEY}`),
    check: taxii(400),
  },
  {
    given: 'two credentials where none is needed',
    bytes: get('/taxii2/', `Accept: ${TAXII_MEDIA_TYPE}\r\n${KEY}${KEY}`),
    check: (text) => assert.equal(parseAnswer(text).status, 200),
  },

  // Bodies without a clear end (request smuggling).
  { given: 'two lengths', bytes: post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'), check: malformed },
  { given: 'a negative length', bytes: post('Content-Length: -1\r\n'), check: malformed },
  { given: 'a length that is no number', bytes: post('Content-Length: 0x2\r\n', '{}'), check: malformed },
  {
    given: 'a length beyond all numbers',
    bytes: post('Content-Length: 99999999999999999999999\r\n'),
    check: malformed,
  },
  {
    given: 'length and chunks',
    bytes: post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    check: malformed,
  },
  { given: 'an unknown coding', bytes: post('Transfer-Encoding: xchunked\r\n', '{}'), check: malformed },
  {
    given: 'a chunk without a size',
    bytes: post('Transfer-Encoding: chunked\r\n', 'zz\r\n'),
    check: malformed,
  },
  {
    given: 'a chunk that is longer than it says',
    bytes: post('Transfer-Encoding: chunked\r\n', '1\r\n{}\r\n0\r\n\r\n'),
    check: malformed,
  },
  {
    given: 'chunks',
    bytes: post('Transfer-Encoding: chunked\r\n', '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'),
    check: ({ length }) => assert.ok(length > 0),
  },
  {
    given: 'more than 1 MiB, announced only',
    bytes: post('Content-Length: 99999999\r\n'),
    check: rest(413, 'BODY_TOO_LARGE'),
  },
  {
    given: 'a body that nobody asked for',
    bytes: `POST /nowhere HTTP/1.1\r\nContent-Length: 99999999\r\n${LAST}\r\n`,
    check: rest(404, 'PATH_NOT_FOUND'),
  },

  {
    given: 'more than 1 MiB, asked for leave to send',
    bytes: post('Content-Length: 99999999\r\nExpect: 100-continue\r\n'),
    check: rest(413, 'BODY_TOO_LARGE'),
  },
  {
    given: 'leave to send, asked for without a credential',
    bytes: `POST /v1/indicators/search HTTP/1.1\r\n${HOST}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`,
    check: rest(401, 'CREDENTIAL_MISSING'),
  },
  {
    given: 'leave to send, for a feed, without a credential',
    bytes: `POST ${OBJECTS} HTTP/1.1\r\n${HOST}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`,
    check: taxii(401),
  },
  {
    given: 'leave to send what will be read',
    bytes: post('Content-Length: 2\r\nExpect: 100-continue\r\n', '{}'),
    check: (text) => assert.match(text, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /),
  },

  // Other things than requests.
  {
    given: 'a tunnel',
    bytes: 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
    check: silence,
  },
  { given: 'OPTIONS *', bytes: `OPTIONS * HTTP/1.1\r\n${LAST}\r\n`, check: rest(404, 'PATH_NOT_FOUND') },
  {
    given: 'an upgrade to a web socket',
    bytes: get(GET, `${KEY}Upgrade: websocket\r\n`),
    check: rest(404, 'INDICATOR_NOT_FOUND'),
  },
  {
    given: 'an upgrade to HTTP/2',
    bytes: `GET ${GET} HTTP/1.1\r\n${KEY}${HOST}Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n`,
    check: rest(404, 'INDICATOR_NOT_FOUND'),
  },
  {
    given: 'an expectation nobody knows',
    bytes: get(GET, `${KEY}Expect: wonders\r\n`),
    check: rest(404, 'INDICATOR_NOT_FOUND'),
  },
  {
    given: 'a whole address',
    bytes: get(`http://other.example.org${GET}`, KEY),
    check: rest(404, 'INDICATOR_NOT_FOUND'),
  },
  { given: 'HTTP/1.0', bytes: `GET ${GET} HTTP/1.0\r\n${KEY}\r\n`, check: rest(404, 'INDICATOR_NOT_FOUND') },
  {
    given: 'rubbish behind a good request',
    bytes: `GET ${GET} HTTP/1.1\r\n${KEY}${HOST}\r\nrubbish\r\n\r\n`,
    // The parser finds the rubbish before the first request is finished, and the connection ends.
    check: (text) =>
      assertStatus(parseAnswer(text.slice(text.lastIndexOf('HTTP/1.1 '))), 400, 'MALFORMED_REQUEST'),
  },

  // Below /taxii2/ errors have their own form.
  { given: 'a broken escape', bytes: get('/taxii2/%zz'), check: taxii(400) },
  { given: 'an escape that is not UTF-8', bytes: get(`${OBJECTS}%ff/`, KEY), check: taxii(400) },
  { given: 'an unknown path', bytes: get('/taxii2/elsewhere/'), check: taxii(404) },
  { given: 'a folded slash', bytes: get('/taxii2//collections/', KEY), check: taxii(404) },
  {
    given: 'an over-long collection',
    bytes: get(`/taxii2/collections/${'x'.repeat(9_000)}/`, KEY),
    check: taxii(404),
  },
  { given: 'an over-long object', bytes: get(`${OBJECTS}${'x'.repeat(9_000)}/`, KEY), check: taxii(404) },
  {
    given: 'a header of 20,000 bytes',
    bytes: get(OBJECTS, `X: ${'x'.repeat(20_000)}\r\n`),
    check: taxii(431),
  },
  {
    given: 'a query of 20,000 bytes',
    bytes: get(`${OBJECTS}?next=${'x'.repeat(20_000)}`),
    check: taxii(431),
  },
  {
    given: 'two lengths',
    bytes: get(OBJECTS, 'Content-Length: 2\r\nContent-Length: 3\r\n'),
    check: taxii(400),
  },
  { given: 'a wrong method', bytes: `PUT ${OBJECTS} HTTP/1.1\r\n${LAST}\r\n`, check: taxii(405) },
  { given: 'a method of WebDAV', bytes: `PROPFIND ${OBJECTS} HTTP/1.1\r\n${LAST}\r\n`, check: taxii(405) },
  { given: 'OPTIONS', bytes: `OPTIONS ${OBJECTS} HTTP/1.1\r\n${LAST}\r\n`, check: taxii(405) },
  {
    given: 'no credential',
    bytes: get(OBJECTS),
    check: (text) => {
      taxii(401)(text);
      // The message names every form that is taken there.
      assert.match(parseAnswer(text).body, /"description":"[^"]*Basic[^"]*Token[^"]*Bearer/);
    },
  },
  { given: 'a type that is not ours', bytes: get('/taxii2/', 'Accept: text/html\r\n'), check: taxii(406) },
  { given: 'a broken query', bytes: get(`${OBJECTS}?limit=%zz&added_after=;`, KEY), check: taxii(400) },
  {
    given: 'a body that nobody asked for',
    bytes: `POST ${OBJECTS} HTTP/1.1\r\n${KEY}Content-Length: 99999999\r\n${LAST}\r\n`,
    check: taxii(403),
  },
  {
    given: 'HEAD, which has no body',
    bytes: `HEAD ${OBJECTS}unknown/ HTTP/1.1\r\n${KEY}${LAST}\r\n`,
    check: (text) => {
      const { status, headers, body } = parseAnswer(text);
      assert.deepEqual([status, headers.get('content-type'), body], [404, TAXII_MEDIA_TYPE, '']);
    },
  },
];
