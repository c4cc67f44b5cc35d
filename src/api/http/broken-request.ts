// The answer to what is not an HTTP request at all: there is no request to reply to, only a socket to write on.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../domain/errors.ts';
import { HttpError, rpcStatus, statusOf } from '../rest/rest-errors.ts';
import type { ErrorBody } from './dependencies.ts';

/** As Node gives it to `clientError`. */
export interface BrokenRequest extends NodeJS.ErrnoException {
  /** What arrived last: the beginning of the request, unless that came in pieces. Bytes, whatever Fastify's types say. */
  readonly rawPacket?: unknown;
}

/** The path of a request line. */
const TARGET = /^[A-Z]+ (?:https?:\/\/[^/ ]*)?(\/[^ ?]*)/i;
/** More of a request than its beginning is not looked at. */
const LINE_LIMIT = 1_024;

/**
 * For Node's `clientError` event. Ends the connection, since what follows on it can not be told apart.
 * @param describe the error in the form of the interface that a path belongs to; empty where no path can be read.
 */
export function answerBrokenRequest(
  error: BrokenRequest,
  socket: Socket,
  describe: (error: ServiceError, path: string) => ErrorBody = restErrorBody,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const fault = faultOf(error.code);
  const status = statusOf(fault);
  const line = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1', 0, LINE_LIMIT) : '';
  const { contentType, body } = describe(fault, TARGET.exec(line)?.[1] ?? '');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `Content-Type: ${contentType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      'Connection: close\r\n' +
      '\r\n' +
      body,
  );
}

export function restErrorBody(error: ServiceError): ErrorBody {
  return { contentType: 'application/json', body: rpcStatus(error) };
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
