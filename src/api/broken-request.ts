// The answer to what is not an HTTP request at all: there is no request to reply to, only a socket to write on.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../domain/errors.ts';
import { HttpError, rpcStatus, statusOf } from './rest-errors.ts';

/** For Node's `clientError` event. Ends the connection, since what follows on it can not be told apart. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const fault = faultOf(error.code);
  const status = statusOf(fault);
  const body = rpcStatus(fault);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'Content-Type: application/json\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      'Connection: close\r\n' +
      '\r\n' +
      body,
  );
}

function faultOf(code: string | undefined): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new HttpError(431, 'invalid_argument', 'the headers are too large', 'HEADERS_TOO_LARGE');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HttpError(408, 'aborted', 'the request took too long to arrive', 'REQUEST_TIMEOUT');
  }
  return new ServiceError('invalid_argument', 'not an HTTP request', { reason: 'MALFORMED_REQUEST' });
}
