// Errors of the REST interface: anything that was thrown becomes a google.rpc.Status (AIP-193) with an ErrorInfo.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, type ErrorReason, ServiceError } from '../../domain/errors.ts';
import { sendJson } from '../http/json-reply.ts';

/** The numbers of google.rpc.Code with the HTTP statuses that a Protobuf gateway gives them. */
const CODES: Readonly<Record<ErrorCode, { readonly number: number; readonly status: number }>> = {
  invalid_argument: { number: 3, status: 400 },
  not_found: { number: 5, status: 404 },
  already_exists: { number: 6, status: 409 },
  permission_denied: { number: 7, status: 403 },
  resource_exhausted: { number: 8, status: 429 },
  failed_precondition: { number: 9, status: 400 },
  aborted: { number: 10, status: 409 },
  unimplemented: { number: 12, status: 501 },
  internal: { number: 13, status: 500 },
  unavailable: { number: 14, status: 503 },
  unauthenticated: { number: 16, status: 401 },
};

const ERROR_DOMAIN = 'threat-indicator-service';

/** A fault that HTTP has a status of its own for, beside its canonical code. */
export class HttpError extends ServiceError {
  readonly status: number;

  constructor(status: number, code: ErrorCode, message: string, reason: ErrorReason) {
    super(code, message, { reason });
    this.status = status;
  }
}

/** Answers with the status that fits, whatever was thrown. What is not meant for callers goes to the log alone. */
export function sendRestError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asServiceError(error);
  const status = statusOf(known);
  if (status >= 500) request.log.error({ err: error }, 'request failed');
  setHeaders(known, reply);
  return sendJson(reply.code(status), rpcStatus(known));
}

/** The `rpcStatus` of the contract. */
export function rpcStatus(error: ServiceError): string {
  return JSON.stringify({
    code: CODES[error.code].number,
    message: error.message,
    details: detailsOf(error),
  });
}

/** The HTTP status of an error. */
export function statusOf(error: ServiceError): number {
  return error instanceof HttpError ? error.status : CODES[error.code].status;
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  // The framework's own errors say with a 4xx that the request is at fault. Their texts may repeat it: not sent.
  const { statusCode, code } = error instanceof Error ? (error as Error & Partial<FrameworkError>) : {};
  if (statusCode === 413)
    return new HttpError(413, 'invalid_argument', 'the body is too large', 'BODY_TOO_LARGE');
  if (statusCode === 414)
    return new HttpError(414, 'invalid_argument', 'the path is too long', 'PATH_TOO_LONG');
  if (code === 'FST_ERR_BAD_URL') {
    return new ServiceError('invalid_argument', 'the path has a broken percent escape', {
      reason: 'MALFORMED_PATH',
    });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ServiceError('invalid_argument', 'the request is malformed', { reason: 'MALFORMED_REQUEST' });
  }
  return new ServiceError('internal', 'internal error', { reason: 'INTERNAL', cause: error });
}

interface FrameworkError {
  readonly statusCode: number;
  readonly code: string;
}

function setHeaders({ code, details }: ServiceError, reply: FastifyReply): void {
  if (code === 'unauthenticated') {
    // RFC 6750 §3.1: no error code where no credential was given.
    const invalid = details.reason === 'CREDENTIAL_MISSING' ? '' : ', error="invalid_token"';
    reply.header('www-authenticate', `Bearer realm="${ERROR_DOMAIN}"${invalid}`);
  }
  if (code === 'permission_denied') {
    const scope = details.scope === undefined ? '' : `, scope="${details.scope}"`;
    reply.header('www-authenticate', `Bearer realm="${ERROR_DOMAIN}", error="insufficient_scope"${scope}`);
  }
  if (details.retryAfterMs !== undefined) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(details.retryAfterMs / 1_000))));
  }
}

/** Each type at most once, ErrorInfo always and first (AIP-193). */
function detailsOf(error: ServiceError): object[] {
  const { reason, metadata = {}, violations = [], retryAfterMs } = error.details;
  const details: object[] = [typed('ErrorInfo', { reason, domain: ERROR_DOMAIN, metadata })];
  if (error.code === 'invalid_argument' && violations.length > 0) {
    details.push(typed('BadRequest', { fieldViolations: violations }));
  }
  if (error.code === 'resource_exhausted') {
    const subject = metadata.subject ?? 'credential';
    details.push(typed('QuotaFailure', { violations: [{ subject, description: error.message }] }));
  }
  if (retryAfterMs !== undefined) {
    details.push(typed('RetryInfo', { retryDelay: `${(retryAfterMs / 1_000).toFixed(3)}s` }));
  }
  return details;
}

function typed(name: string, members: object): object {
  return { '@type': `type.googleapis.com/google.rpc.${name}`, ...members };
}
