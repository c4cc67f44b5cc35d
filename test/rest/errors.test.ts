// What the REST interface answers when a request is not what it should be: always its own words, never a crash.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { finished } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Answer, send } from '../support/http-client.ts';
import { exchange, parseAnswer } from '../support/raw-socket.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';
import type { RpcStatus } from '../support/wire.ts';

const ID = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
const SEARCH = '/v1/indicators/search';
const INGEST = '/v1/sensorEvents:ingest';

/** The checksum is right; no store knows it. */
const NEVER_ISSUED = `tis_${'0'.repeat(43)}2fWSQV`;

const OPERATIONS: readonly (readonly [method: string, path: string])[] = [
  ['POST', SEARCH],
  ['GET', `/v1/indicators/${ID}`],
  ['GET', `/v1/indicators/${ID}:explain`],
  ['POST', `/v1/indicators/${ID}:verify`],
  ['POST', INGEST],
];

let service: RunningService;
let reader: string;
let sensor: string;

before(async () => {
  service = await RunningService.start();
  reader = await service.key();
  sensor = await service.key({ sensor: true });
});
after(() => service.dispose());

/** Asserts the form that every error has, and gives its reason. */
function reasonOf(answer: Answer, status: number, code: number): string | undefined {
  assert.equal(answer.headers.get('content-type'), 'application/json', answer.text);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  const body = answer.expect<RpcStatus>(status);
  assert.deepEqual(Object.keys(body), ['code', 'message', 'details']);
  assert.equal(body.code, code);
  assert.ok(body.message.length > 0);
  assert.doesNotMatch(answer.text, /node_modules|\.ts:|sqlite|select /i);
  const [info] = body.details;
  assert.equal(info?.['@type'], 'type.googleapis.com/google.rpc.ErrorInfo');
  assert.match(info?.reason ?? '', /^[A-Z][A-Z0-9_]+$/);
  return info?.reason;
}

describe('401: without a valid credential', () => {
  const now = () => Math.floor(Date.now() / 1_000);
  const token = (claims: object) => `Bearer ${service.token('admin', { ...claims })}`;
  const invalid: readonly (readonly [
    what: string,
    header: () => string | Promise<string>,
    reason: string,
  ])[] = [
    ['an empty header', () => '', 'CREDENTIAL_MISSING'],
    ['no scheme', () => reader, 'CREDENTIAL_MISSING'],
    ['Basic, which is for TAXII only', () => `Basic ${btoa(`x:${reader}`)}`, 'CREDENTIAL_MISSING'],
    ['an over-long credential', () => `Bearer ${'a'.repeat(9_000)}`, 'CREDENTIAL_MISSING'],
    ['a word', () => 'Bearer abc', 'CREDENTIAL_INVALID'],
    ['a key with one letter changed', () => `Bearer ${changed(reader)}`, 'CREDENTIAL_INVALID'],
    ['a well-formed key that was never issued', () => `Bearer ${NEVER_ISSUED}`, 'CREDENTIAL_INVALID'],
    [
      'a key used from elsewhere',
      async () => `Bearer ${await service.key({ sourceRanges: ['192.0.2.0/24'] })}`,
      'CREDENTIAL_INVALID',
    ],
    ['a token of another key', () => `Bearer ${service.provider.forgedToken()}`, 'CREDENTIAL_INVALID'],
    ['an expired token', () => token({ exp: now() - 1 }), 'CREDENTIAL_INVALID'],
    ['a token of the future', () => token({ nbf: now() + 300 }), 'CREDENTIAL_INVALID'],
    ['a token without an end', () => token({ exp: undefined }), 'CREDENTIAL_INVALID'],
    ['a token for somebody else', () => token({ aud: 'another-service' }), 'CREDENTIAL_INVALID'],
    ['a token of another issuer', () => token({ iss: 'https://login.example' }), 'CREDENTIAL_INVALID'],
    ['a token of nobody', () => token({ sub: '' }), 'CREDENTIAL_INVALID'],
    ['an ID token', () => token({ nonce: 'n' }), 'CREDENTIAL_INVALID'],
    ['an unsigned token', () => `Bearer ${unsigned(service.token('admin'))}`, 'CREDENTIAL_INVALID'],
  ];
  for (const [what, header, reason] of invalid) {
    test(what, async () => {
      const answer = await send(`${service.url}/v1/indicators/${ID}`, {
        headers: { authorization: await header() },
      });
      assert.equal(reasonOf(answer, 401, 16), reason);
      // RFC 6750 §3.1: no error where no credential was given.
      const fault = reason === 'CREDENTIAL_INVALID' ? ', error="invalid_token"' : '';
      assert.equal(answer.headers.get('www-authenticate'), `Bearer realm="threat-indicator-service"${fault}`);
    });
  }

  test('a key whose time is over', async () => {
    // One that is over already is not issued.
    const expiresAt = Date.now() + 1_000;
    const key = await service.key({ expiresAt });
    await until('its end', () => Date.now() >= expiresAt);
    const answer = await service.as(key).send(`/v1/indicators/${ID}`);
    assert.equal(reasonOf(answer, 401, 16), 'CREDENTIAL_INVALID');
  });

  test('on every operation, before a word of the body is read', async () => {
    for (const [method, path] of OPERATIONS) {
      const body = method === 'POST' ? '{ not JSON' : undefined;
      const answer = await send(service.url + path, { method, body });
      assert.equal(reasonOf(answer, 401, 16), 'CREDENTIAL_MISSING', path);
    }
  });

  test('at once, however long a body is announced', async () => {
    for (const path of [SEARCH, INGEST]) {
      const request = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\nConnection: close\r\n\r\n{`;
      assert.equal(parseAnswer(await exchange(service.port, request)).status, 401);
    }
  });

  test('a good credential in another case or with more blanks is good', async () => {
    for (const authorization of [`bearer ${reader}`, `BEARER   ${reader}`]) {
      const answer = await send(`${service.url}/v1/indicators/${ID}`, { headers: { authorization } });
      assert.equal(answer.status, 404);
    }
  });
});

test('503, never 401: the keys of the issuer can not be had', async () => {
  const cut = await RunningService.start({ TIS_LOG_LEVEL: 'silent' });
  await cut.provider.close();
  try {
    const answer = await cut.as(cut.token('indicators:read')).send(SEARCH, { method: 'POST' });
    reasonOf(answer, 503, 14);
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal((await cut.as(await cut.key()).send(SEARCH, { method: 'POST' })).status, 200);
  } finally {
    await cut.dispose();
  }
});

test('403: permission is judged before the body and before existence', async () => {
  const without = await service.key({ scopes: ['usage:read'] });
  for (const [path, credential] of [
    [SEARCH, without],
    [INGEST, reader],
    [`/v1/indicators/${ID}:verify`, reader],
  ] as const) {
    const answer = await service.as(credential).send(path, { method: 'POST', body: '{ not JSON' });
    assert.match(reasonOf(answer, 403, 7) ?? '', /^(INSUFFICIENT_SCOPE|PERSON_REQUIRED)$/);
    assert.match(answer.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/);
  }
  const answer = await service.as(without).send(SEARCH, { method: 'POST' });
  assert.match(answer.headers.get('www-authenticate') ?? '', /, scope="indicators:read"$/);
});

test('404: paths that are not there, with and without a credential', async () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/indicators',
    `${SEARCH}/`,
    '/v2/indicators/search',
    '/index.html',
    '/.env',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const credential of [undefined, reader]) {
        const answer = await send(service.url + path, { method, credential });
        assert.equal(reasonOf(answer, 404, 5), 'PATH_NOT_FOUND', `${method} ${path}`);
      }
    }
  }
});

describe('405: methods that a path does not know', () => {
  for (const [method, path] of OPERATIONS) {
    test(path, async () => {
      for (const wrong of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (wrong === method || (wrong === 'GET' && path === SEARCH)) continue;
        const answer = await service.as(reader).send(path, { method: wrong });
        assert.equal(reasonOf(answer, 405, 12), 'METHOD_NOT_ALLOWED', wrong);
        assert.equal(answer.headers.get('allow'), method);
      }
      const head = await service.as(reader).send(path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.get('allow'), head.text], [405, method, '']);
    });
  }

  test('methods that no client library sends', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'QUERY']) {
      const answer = parseAnswer(
        await exchange(service.port, `${method} ${SEARCH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      );
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST']);
    }
  });
});

test('413: a body over 1 MiB, and nothing of it is kept', async () => {
  const client = service.as(reader);
  const size = 1_048_576;
  assert.equal((await client.send(SEARCH, { method: 'POST', body: '{}'.padEnd(size) })).status, 200);
  const answer = await client.send(SEARCH, { method: 'POST', body: '{}'.padEnd(size + 1) });
  assert.equal(reasonOf(answer, 413, 3), 'BODY_TOO_LARGE');
});

test('413 reaches a client that sends its body all the same, and the connection serves on', async () => {
  const body = '{}'.padEnd(3 * 1_048_576);
  const head = `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${reader}\r\n`;
  const last = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const answers = await exchange(service.port, `${head}Content-Length: ${body.length}\r\n\r\n${body}${last}`);
  assert.deepEqual(
    [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['413', '200'],
  );
});

test('413 reaches a client that wants the connection closed, before it is', async () => {
  const body = '{}'.padEnd(8 * 1_048_576);
  const headers = { authorization: `Bearer ${reader}`, connection: 'close', 'content-length': body.length };
  const sending = request(service.url + SEARCH, { method: 'POST', agent: false, headers });
  // A broken pipe would reject.
  const answered = once(sending, 'response');
  sending.end(body);
  const [answer] = (await answered) as [IncomingMessage];
  assert.equal(answer.statusCode, 413);
  const isSent = finished(sending);
  answer.resume();
  await isSent;
});

test('400: broken escapes in path and query', async () => {
  for (const path of ['/v1/indicators/%zz', '/v1/indicators/%ff', '/%', `/v1/indicators/${ID}?x=%zz`]) {
    const answer = parseAnswer(
      await exchange(
        service.port,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${reader}\r\nConnection: close\r\n\r\n`,
      ),
    );
    assert.equal(answer.status, 400, path);
    assert.equal((JSON.parse(answer.body) as RpcStatus).code, 3);
  }
});

describe('what is no HTTP', () => {
  const head = 'GET / HTTP/1.1\r\nHost: x\r\n';
  const cases: readonly (readonly [what: string, bytes: string | Buffer, status: number])[] = [
    ['words', 'hello\r\n\r\n', 400],
    ['bytes', Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 167 + 13) % 256)), 400],
    ['a TLS greeting', Buffer.from('160301020001000', 'hex'), 400],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n', 400],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a broken header', `${head}Bad Header: y\r\n\r\n`, 400],
    ['two lengths', `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    ['length and chunks', `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['huge headers', `${head}X-Huge: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['very many headers', `${head}${'A: b\r\n'.repeat(10_000)}\r\n`, 431],
    ['a huge path', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ];
  for (const [what, bytes, status] of cases) {
    test(what, async () => {
      const answer = parseAnswer(await exchange(service.port, bytes));
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('content-type'), 'application/json');
      assert.ok((JSON.parse(answer.body) as RpcStatus).details[0]?.reason);
    });
  }
});

test('whatever bytes a body has, the answer is 200 or 400 and says which', async () => {
  const word = fc.constantFrom(
    'query',
    'filter',
    'types',
    'events',
    'value',
    'pagination',
    'pageToken',
    'min_confidence',
  );
  const tree = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(word, fc.string()), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const body = fc.oneof(
    fc.string({ unit: 'binary' }),
    tree.map((value) => JSON.stringify(value)),
    tree.map((value) => JSON.stringify(value)?.slice(0, -1)),
    fc.constantFrom(
      '['.repeat(50_000),
      '{"filter":'.repeat(20_000),
      `{"query":${'9'.repeat(5_000)}}`,
      '\ufeff{}',
    ),
  );
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      for (const [path, credential] of [
        [SEARCH, reader],
        [INGEST, sensor],
      ] as const) {
        const answer = await service.as(credential).send(path, { method: 'POST', body: text ?? '' });
        if (answer.status !== 200) reasonOf(answer, 400, 3);
      }
    }),
    { numRuns: 100, seed: 20_261_121 },
  );
  assert.equal((await service.as(sensor).ingest([anEvent()])).acceptedCount, 1, 'the service still works');
});

test('every answer has an id to ask about, the caller’s own where it is harmless', async () => {
  const id = async (given: string) =>
    (await send(service.url, { headers: { 'x-request-id': given } })).headers.get('x-request-id');
  assert.equal(await id('trace-7'), 'trace-7');
  assert.match((await id('"><script>')) ?? '', /^[0-9a-f-]{36}$/);
});

function changed(key: string): string {
  const at = 20;
  return key.slice(0, at) + (key[at] === 'A' ? 'B' : 'A') + key.slice(at + 1);
}

/** The same claims under `alg: none`, with no signature. */
function unsigned(token: string): string {
  const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  return `${header}.${token.split('.')[1]}.`;
}
