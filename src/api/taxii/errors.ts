// Errors of TAXII: each becomes an error resource (TAXII 2.1 §3.6.1).

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorReason, ServiceError } from '../../domain/errors.ts';
import {
  type ErrorFormat,
  frameworkFault,
  HttpError,
  internalError,
  isFault,
  setRetryAfter,
  statusOf,
} from '../http/errors.ts';
import { TAXII_MEDIA_TYPE } from './negotiation.ts';
import { sendBytes, vary } from './reply.ts';
import { MAX_CONTENT_LENGTH } from './resources.ts';

/** Basic because §8.5.1 asks clients for it, Bearer because the documentation of the service shows it. */
const CHALLENGES = 'Bearer realm="taxii2", Basic realm="taxii2", charset="UTF-8"';

export const TAXII_ERRORS: ErrorFormat = {
  send: sendTaxiiError,
  body: (error) => ({
    contentType: TAXII_MEDIA_TYPE,
    body: JSON.stringify(errorResource(error, randomUUID())),
  }),
};

function sendTaxiiError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toServiceError(error);
  const status = statusOf(known);
  if (isFault(known)) request.log.error({ err: error, cause: known.details.cause }, 'TAXII request failed');
  if (status === 401) reply.header('www-authenticate', CHALLENGES);
  setRetryAfter(known, reply);
  vary(reply);
  reply.code(status).header('cache-control', 'no-store');
  return sendBytes(reply, Buffer.from(JSON.stringify(errorResource(known, request.id))));
}

/** §3.6.1. */
interface ErrorResource {
  readonly title: string;
  readonly description: string;
  readonly error_id: string;
  readonly error_code: ErrorReason;
  /** A string in TAXII. */
  readonly http_status: string;
  readonly details: object | undefined;
}

function errorResource(error: ServiceError, id: string): ErrorResource {
  const { reason, metadata, violations } = error.details;
  const status = statusOf(error);
  return {
    title: STATUS_CODES[status] ?? 'Error',
    description: error.message,
    error_id: id,
    error_code: reason,
    http_status: String(status),
    details: violations === undefined ? metadata : { ...metadata, violations },
  };
}

/** An error of Fastify keeps its 4xx status; its text is not sent. */
function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { statusCode = 500 } = frameworkFault(error);
  if (statusCode === 413) {
    const message = `the body has more than ${MAX_CONTENT_LENGTH} bytes`;
    return new HttpError(413, 'invalid_argument', message, 'BODY_TOO_LARGE');
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new HttpError(statusCode, 'invalid_argument', 'the request is malformed', 'MALFORMED_REQUEST');
  }
  return internalError(error);
}
