// Errors of the REST interface that take more than one exchange. The forms of single answers are in ../wire/.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { finished } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Answer, send } from '../support/http-client.ts';
import { OPERATIONS, pathOf } from '../support/operations.ts';
import { exchange, parseAnswer } from '../support/raw-socket.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';
import type { RpcStatus } from '../support/wire.ts';

const ID = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
const SEARCH = '/v1/indicators/search';
const INGEST = '/v1/sensorEvents:ingest';

/** The checksum is right; no store knows it. */
const NEVER_ISSUED = `tis_${'0'.repeat(43)}2fWSQV`;

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
  for (const [what, key] of [
    ['a key with one letter changed', () => changed(reader)],
    ['a well-formed key that was never issued', () => NEVER_ISSUED],
  ] as const) {
    test(what, async () => {
      const answer = await service.as(key()).send(`/v1/indicators/${ID}`);
      assert.equal(reasonOf(answer, 401, 16), 'CREDENTIAL_INVALID');
    });
  }

  test('on every operation, before a word of the body is read', async () => {
    for (const operation of OPERATIONS) {
      const { method } = operation;
      const path = pathOf(operation, ID);
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
