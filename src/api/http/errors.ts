// Errors as HTTP statuses, and the form in which an interface answers them.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, type ErrorReason, ServiceError } from '../../domain/errors.ts';

/** The statuses that a Protobuf gateway gives the canonical codes (google/rpc/code.proto). */
const STATUSES: Readonly<Record<ErrorCode, number>> = {
  invalid_argument: 400,
  not_found: 404,
  already_exists: 409,
  permission_denied: 403,
  resource_exhausted: 429,
  failed_precondition: 400,
  aborted: 409,
  unimplemented: 501,
  internal: 500,
  unavailable: 503,
  unauthenticated: 401,
};

/** An error whose HTTP status is more exact than the status of its canonical code. */
export class HttpError extends ServiceError {
  readonly status: number;

  constructor(status: number, code: ErrorCode, message: string, reason: ErrorReason) {
    super(code, message, { reason });
    this.status = status;
  }
}

export function statusOf(error: ServiceError): number {
  return error instanceof HttpError ? error.status : STATUSES[error.code];
}

/** For an error that is no ServiceError. The text of the cause goes to the log only. */
export function internalError(cause: unknown): ServiceError {
  return new ServiceError('internal', 'internal error', { reason: 'INTERNAL', cause });
}

/** The `statusCode` and `code` of an error that Fastify raised; empty for any other error. */
export function frameworkFault(error: unknown): { readonly statusCode?: number; readonly code?: string } {
  if (!(error instanceof Error)) return {};
  const { statusCode, code } = error as Error & { statusCode?: unknown; code?: unknown };
  return {
    ...(typeof statusCode === 'number' && { statusCode }),
    ...(typeof code === 'string' && { code }),
  };
}

/** Refusals that a client causes by what it asks for. */
const LOAD: ReadonlySet<ErrorReason> = new Set(['OVERLOADED', 'SEARCH_TOO_SLOW']);

/** Whether the log needs the error: a fault of the service. Refusals for too much load are counted by metrics instead. */
export function isFault(error: ServiceError): boolean {
  return statusOf(error) >= 500 && !LOAD.has(error.details.reason);
}

/** Sets Retry-After (RFC 9110 §10.2.3), in whole seconds, where the error knows when a retry can succeed. */
export function setRetryAfter({ details }: ServiceError, reply: FastifyReply): void {
  if (details.retryAfterMs === undefined) return;
  reply.header('retry-after', String(Math.max(1, Math.ceil(details.retryAfterMs / 1_000))));
}

export interface ErrorBody {
  readonly contentType: string;
  readonly body: string;
}

/** How an interface answers errors. */
export interface ErrorFormat {
  /**
   * Answers whatever was thrown: a ServiceError, an error of Fastify with a `statusCode`, or a fault of the service. The
   * text of a fault goes to the log only.
   */
  readonly send: (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
  /** The answer to bytes that are no HTTP request: there is no reply to send it with. */
  readonly body: (error: ServiceError) => ErrorBody;
}
