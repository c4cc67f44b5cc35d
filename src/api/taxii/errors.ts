// The error mapper of /taxii2/: whatever went wrong becomes an error resource (TAXII 2.1 §3.6.1).

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { ErrorBody } from '../http/dependencies.ts';
import { HttpError, statusOf } from '../rest/rest-errors.ts';
import { TAXII_MEDIA_TYPE } from './negotiation.ts';
import { sendBytes, vary } from './reply.ts';
import { MAX_CONTENT_LENGTH } from './resources.ts';

/** Every client can do one of the two: §8.5.1 asks for Basic, our own documents for Bearer. */
const CHALLENGES = 'Bearer realm="taxii2", Basic realm="taxii2", charset="UTF-8"';

/**
 * Sends the error resource for anything that was thrown: a ServiceError, an error of the framework (which says with a
 * 4xx that the request is at fault), or a fault of ours, whose text goes to the log alone.
 */
export function writeTaxiiError(error: unknown, reply: FastifyReply): FastifyReply {
  const known = asServiceError(error);
  const { retryAfterMs, cause } = known.details;
  const status = statusOf(known);
  if (status >= 500) reply.log.error({ err: error, cause }, 'TAXII request failed');
  if (status === 401) reply.header('www-authenticate', CHALLENGES);
  if (retryAfterMs !== undefined) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1_000))));
  }
  vary(reply);
  reply.code(status).header('cache-control', 'no-store');
  return sendBytes(reply, Buffer.from(errorResource(known, reply.request.id)));
}

/** The error resource alone, where there is no request to reply to. */
export function taxiiErrorBody(error: ServiceError): ErrorBody {
  return { contentType: TAXII_MEDIA_TYPE, body: errorResource(error, randomUUID()) };
}

function errorResource(error: ServiceError, id: string): string {
  const { reason, metadata, violations } = error.details;
  const status = statusOf(error);
  return JSON.stringify({
    title: STATUS_CODES[status] ?? 'Error',
    description: error.message,
    error_id: id,
    error_code: reason,
    // A string, says §3.6.1.
    http_status: String(status),
    details: violations === undefined ? metadata : { ...metadata, violations },
  });
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) {
    const message = `the body has more than ${MAX_CONTENT_LENGTH} bytes`;
    return new HttpError(413, 'invalid_argument', message, 'BODY_TOO_LARGE');
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new HttpError(status, 'invalid_argument', 'the request is malformed', 'MALFORMED_REQUEST');
  }
  return new ServiceError('internal', 'internal error', { reason: 'INTERNAL', cause: error });
}
