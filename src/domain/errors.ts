// The one error the service raises on purpose. Two edge mappers in api/ turn it into an rpcStatus or a TAXII error.

/** Canonical RPC codes by name (google.rpc.Code). */
export type ErrorCode =
  | 'invalid_argument'
  | 'unauthenticated'
  | 'permission_denied'
  | 'not_found'
  | 'already_exists'
  | 'failed_precondition'
  | 'aborted'
  | 'resource_exhausted'
  | 'unimplemented'
  | 'unavailable'
  | 'internal';

/** One fault of a request: `field` is the path in JSON spelling, such as `filter.minConfidenceScore`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

export interface ServiceErrorDetails {
  /** UPPER_SNAKE_CASE, at most 63 characters: what a program branches on (AIP-193). */
  readonly reason: string;
  /** Every dynamic part of the message, again, for programs (AIP-193). */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
  /** For `resource_exhausted` and `unavailable`: milliseconds after which a retry can succeed. */
  readonly retryAfterMs?: number;
  /** For `permission_denied`: the scope that was missing. */
  readonly scope?: string;
  /** Logged, never sent. */
  readonly cause?: unknown;
}

export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ServiceErrorDetails;

  /** @param message is shown to callers: no secrets, no internals. */
  constructor(code: ErrorCode, message: string, details: ServiceErrorDetails) {
    super(message, { cause: details.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
  }
}

/** An `invalid_argument` that names every fault it found. */
export function invalidArgument(
  violations: readonly FieldViolation[],
  reason = 'INVALID_ARGUMENT',
): ServiceError {
  const first = violations[0];
  const message = first === undefined ? 'invalid request' : `${first.field}: ${first.description}`;
  return new ServiceError('invalid_argument', message, { reason, violations });
}
