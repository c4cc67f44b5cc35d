// The error that the service raises on purpose. api/rest answers it as an rpcStatus, api/taxii as a TAXII error.

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

/** Every reason an error can have. Part of the public contract: a reason is added, never renamed. */
export type ErrorReason =
  // A request that cannot be read.
  | 'MALFORMED_REQUEST'
  | 'MALFORMED_PATH'
  | 'MALFORMED_QUERY'
  | 'MALFORMED_JSON'
  | 'MISSING_HOST'
  | 'REPEATED_HOST'
  | 'REPEATED_AUTHORIZATION'
  | 'HOST_NOT_LOOPBACK'
  | 'HEADERS_TOO_LARGE'
  | 'PATH_TOO_LONG'
  | 'BODY_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'UNSUPPORTED_CONTENT_ENCODING'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'NOT_ACCEPTABLE'
  // A request that contradicts its contract.
  | 'INVALID_ARGUMENT'
  | 'CONFLICTING_PAGE_SIZE'
  | 'INVALID_PAGE_TOKEN'
  | 'INVALID_CURSOR'
  | 'INVALID_OVERLAP'
  | 'MALFORMED_REPORT'
  | 'NOT_AN_ENVELOPE'
  | 'TOO_MANY_OBJECTS'
  | 'REQUEST_ID_REUSED'
  | 'REQUEST_REPEATED'
  | 'TLP_ABOVE_CEILING'
  // Nothing there.
  | 'PATH_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'INDICATOR_NOT_FOUND'
  | 'KEY_NOT_FOUND'
  | 'DEAD_LETTER_NOT_FOUND'
  | 'PERSON_NOT_FOUND'
  | 'SESSION_NOT_FOUND'
  | 'PASSKEY_NOT_FOUND'
  | 'CLIENT_NOT_FOUND'
  | 'INTERACTION_NOT_FOUND'
  | 'COLLECTION_NOT_FOUND'
  | 'OBJECT_NOT_FOUND'
  | 'STATUS_NOT_FOUND'
  | 'WEB_APPLICATION_NOT_BUILT'
  // Credentials, rights and limits.
  | 'CREDENTIAL_MISSING'
  | 'CREDENTIAL_INVALID'
  | 'INSUFFICIENT_SCOPE'
  | 'CLIENT_CREDENTIAL_REQUIRED'
  | 'PERSON_REQUIRED'
  | 'API_KEY_REQUIRED'
  | 'SCOPE_BEYOND_ISSUER'
  | 'CEILING_BEYOND_ISSUER'
  | 'RELIABILITY_BEYOND_ISSUER'
  | 'SOURCE_BEYOND_ISSUER'
  | 'ACCOUNT_BEYOND_ISSUER'
  | 'END_BEYOND_ISSUER'
  | 'RANGES_BEYOND_ISSUER'
  | 'IDENTITY_BEYOND_ISSUER'
  | 'ROLE_BEYOND_ISSUER'
  | 'REQUEST_HEADER_MISSING'
  | 'FOREIGN_ORIGIN'
  | 'SIGN_IN_REFUSED'
  | 'LINK_INVALID'
  | 'PASSKEY_REFUSED'
  | 'REPORT_NOT_SIGNED'
  | 'READ_ONLY_COLLECTION'
  | 'WRITE_ONLY_COLLECTION'
  | 'NO_DELETION'
  | 'RATE_LIMIT_EXCEEDED'
  | 'BYTES_UNDER_WAY_EXCEEDED'
  | 'TOO_MANY_STREAMS'
  | 'SUBMISSION_VOLUME_EXCEEDED'
  | 'TOO_MANY_NEW_KEYS'
  // A state that does not allow it.
  | 'ILLEGAL_TRANSITION'
  | 'INDICATOR_DISPUTED'
  | 'INDICATOR_WITHDRAWN'
  | 'TOO_MANY_NOTES'
  | 'NOT_SCORED'
  | 'KEY_ENDED'
  | 'KEY_ROTATED'
  | 'TOO_MANY_KEYS'
  | 'TOO_MANY_PEOPLE'
  | 'TOO_MANY_PASSKEYS'
  | 'PASSKEYS_NEED_NAME'
  | 'TOO_MANY_CLIENTS'
  | 'PUBLIC_URL_MISSING'
  | 'LOGIN_TAKEN'
  | 'LAST_ADMINISTRATOR'
  | 'PERSON_DISABLED'
  | 'TOO_MANY_COLLECTIONS'
  // Something the service needs is missing.
  | 'OVERLOADED'
  | 'SEARCH_TOO_SLOW'
  | 'CLIENT_GONE'
  | 'STORE_UNAVAILABLE'
  | 'STORE_DAMAGED'
  | 'IDENTITY_PROVIDER_UNAVAILABLE'
  | 'SCANNER_KEYS_UNAVAILABLE'
  | 'STOPPING'
  | 'STOPPED'
  // Commands and data files of the operator.
  | 'NO_STORE'
  | 'NOT_DAMAGED'
  | 'STORE_TOO_NEW'
  | 'STORE_TOO_OLD'
  | 'NOT_A_BACKUP'
  | 'NOT_A_FOLDER'
  | 'NOT_EMPTY'
  | 'DATA_FILE'
  // Enrichers, and faults of the service itself.
  | 'RESOLVER'
  | 'SUMMARY_MODEL'
  | 'TIME_LIMIT'
  | 'INVALID_FINDING'
  | 'INTERNAL';

/** One fault of a request: `field` is the path in JSON spelling, such as `filter.minConfidenceScore`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

export interface ServiceErrorDetails {
  /** What a program branches on (AIP-193). */
  readonly reason: ErrorReason;
  /** Every dynamic part of the message, again, for programs (AIP-193). */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
  /** For `resource_exhausted` and `unavailable`: milliseconds after which a retry can succeed. */
  readonly retryAfterMs?: number;
  /** For `permission_denied`: the scope that was missing. */
  readonly scope?: string;
  /** For the operator: printed by commands instead of the message, and logged. Never sent. It may name files. */
  readonly diagnosis?: string;
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
  reason: ErrorReason = 'INVALID_ARGUMENT',
): ServiceError {
  const first = violations[0];
  const message = first === undefined ? 'invalid request' : `${first.field}: ${first.description}`;
  return new ServiceError('invalid_argument', message, { reason, violations });
}
