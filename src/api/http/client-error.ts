// The answer to bytes that Node cannot read as an HTTP request. There is no request to reply to, only a socket.

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../domain/errors.ts';
import { type ErrorBody, HttpError, statusOf } from './errors.ts';

/** The error of Node's `clientError` event. */
export interface ClientError extends NodeJS.ErrnoException {
  /** The last bytes that arrived: a Buffer, although Fastify declares a string. They start the request if it came in one piece. */
  readonly rawPacket?: unknown;
}

/** The path of a request line. */
const TARGET = /^[A-Z]+ (?:https?:\/\/[^/ ]*)?(\/[^ ?]*)/i;
/** Bytes of the request that are searched for its path. */
const LINE_LIMIT = 1_024;
/** For the client to read the answer. The system discards an unread answer if the socket is closed while bytes arrive. */
const LINGER_MS = 1_000;

/**
 * Handles Node's `clientError` event. It ends the connection, because the start of the next request cannot be found.
 * The socket is destroyed a second later if the client does not close it.
 * @param bodyFor the error in the form of the interface that owns the path; the path is empty where none can be read.
 */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  bodyFor: (error: ServiceError, path: string) => ErrorBody,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const fault = faultOf(error.code);
  const status = statusOf(fault);
  const line = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1', 0, LINE_LIMIT) : '';
  const { contentType, body } = bodyFor(fault, TARGET.exec(line)?.[1] ?? '');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `Content-Type: ${contentType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      'Connection: close\r\n' +
      '\r\n' +
      body,
  );
  // What the client still sends is dropped. A paused socket would not notice its end.
  socket.resume();
  const limit = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(limit));
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
