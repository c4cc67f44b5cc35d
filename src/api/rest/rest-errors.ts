// Errors of the REST interface: each becomes a google.rpc.Status with an ErrorInfo (AIP-193).

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, ServiceError } from '../../domain/errors.ts';
import {
  type ErrorFormat,
  frameworkFault,
  HttpError,
  internalError,
  isFault,
  setRetryAfter,
  statusOf,
} from '../http/errors.ts';
import { sendJson } from '../http/json-reply.ts';

/** The numbers of google.rpc.Code. */
const CODES: Readonly<Record<ErrorCode, number>> = {
  invalid_argument: 3,
  not_found: 5,
  already_exists: 6,
  permission_denied: 7,
  resource_exhausted: 8,
  failed_precondition: 9,
  aborted: 10,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
};

const ERROR_DOMAIN = 'threat-indicator-service';

export const REST_ERRORS: ErrorFormat = {
  send: sendRestError,
  body: (error) => ({ contentType: 'application/json', body: rpcStatus(error) }),
};

function sendRestError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toServiceError(error);
  const status = statusOf(known);
  if (isFault(known)) request.log.error({ err: error }, 'request failed');
  setChallenge(known, reply);
  setRetryAfter(known, reply);
  return sendJson(reply.code(status), rpcStatus(known));
}

/** The `rpcStatus` of the contract. */
function rpcStatus(error: ServiceError): string {
  return JSON.stringify({
    code: CODES[error.code],
    message: error.message,
    details: detailsOf(error),
  });
}

/** The text of an error of Fastify is not sent: it may repeat the request. */
function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { statusCode = 500, code } = frameworkFault(error);
  if (statusCode === 413)
    return new HttpError(413, 'invalid_argument', 'the body is too large', 'BODY_TOO_LARGE');
  if (statusCode === 414)
    return new HttpError(414, 'invalid_argument', 'the path is too long', 'PATH_TOO_LONG');
  if (code === 'FST_ERR_BAD_URL') {
    return new ServiceError('invalid_argument', 'the path has a broken percent escape', {
      reason: 'MALFORMED_PATH',
    });
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new ServiceError('invalid_argument', 'the request is malformed', { reason: 'MALFORMED_REQUEST' });
  }
  return internalError(error);
}

/** WWW-Authenticate as RFC 6750 §3.1 wants it: no error code where the request had no credential. */
function setChallenge({ code, details }: ServiceError, reply: FastifyReply): void {
  if (code === 'unauthenticated') {
    const invalid = details.reason === 'CREDENTIAL_MISSING' ? '' : ', error="invalid_token"';
    reply.header('www-authenticate', `Bearer realm="${ERROR_DOMAIN}"${invalid}`);
  }
  if (code === 'permission_denied') {
    const scope = details.scope === undefined ? '' : `, scope="${details.scope}"`;
    reply.header('www-authenticate', `Bearer realm="${ERROR_DOMAIN}", error="insufficient_scope"${scope}`);
  }
}

/** AIP-193: ErrorInfo is always present, and each type occurs once at most. */
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
