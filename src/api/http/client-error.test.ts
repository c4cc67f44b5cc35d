// The raw answer. server.test.ts sends the requests that lead to it.

import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { answerClientError } from './client-error.ts';

/** The bytes written to the socket after an error with this code. */
function answerTo(code: string): string {
  const socket = new PassThrough();
  answerClientError(
    Object.assign(new Error('broken'), { code }),
    socket as unknown as Socket,
    ({ message }) => ({
      contentType: 'text/plain',
      body: message,
    }),
  );
  return String(socket.read() ?? '');
}

test('each kind of broken request has its status', () => {
  assert.match(answerTo('HPE_INVALID_METHOD'), /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(answerTo('HPE_HEADER_OVERFLOW'), /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  assert.match(answerTo('ERR_HTTP_REQUEST_TIMEOUT'), /^HTTP\/1\.1 408 Request Timeout\r\n/);
});

test('the answer is complete and the last one on its connection', () => {
  const [head = '', body = ''] = answerTo('HPE_INVALID_METHOD').split('\r\n\r\n');
  assert.match(head, /\r\nConnection: close$/);
  assert.match(head, new RegExp(`\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`));
  assert.equal(body, 'not an HTTP request');
});

test('a connection that is gone is left alone', () => {
  assert.equal(answerTo('ECONNRESET'), '');
});
