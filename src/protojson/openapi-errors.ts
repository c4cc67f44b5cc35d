// The errors of the OpenAPI document: one component for each status, with its body and an example.

import type { Schema } from './openapi-schemas.ts';
import type { Route } from './routes.ts';

interface Refusal {
  readonly name: string;
  readonly description: string;
  readonly code: number;
  readonly message: string;
  readonly reason: string;
  readonly detail?: Schema;
  readonly headers?: readonly (keyof typeof HEADERS)[];
  /** Whether the operation can answer it. */
  readonly appliesTo: (route: Route) => boolean;
}

const HEADERS = {
  'WWW-Authenticate': 'The challenge (RFC 6750).',
  'Retry-After': 'Seconds after which a retry can succeed.',
} as const;

const ALWAYS = (): boolean => true;

const REFUSALS: Readonly<Record<string, Refusal>> = {
  400: {
    name: 'BadRequest',
    description: 'The request contradicts the contract. `fieldViolations` names every fault.',
    code: 3,
    message: 'fliter: is not a known member; the nearest is filter',
    reason: 'INVALID_ARGUMENT',
    detail: {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: 'fliter', description: 'is not a known member; the nearest is filter' }],
    },
    appliesTo: ALWAYS,
  },
  401: {
    name: 'Unauthenticated',
    description: 'The credential is missing or not valid.',
    code: 16,
    message: 'the credential is not valid',
    reason: 'CREDENTIAL_INVALID',
    headers: ['WWW-Authenticate'],
    appliesTo: ALWAYS,
  },
  403: {
    name: 'PermissionDenied',
    description: 'The credential is valid and does not allow this.',
    code: 7,
    message: 'the scope indicators:read is missing',
    reason: 'INSUFFICIENT_SCOPE',
    headers: ['WWW-Authenticate'],
    appliesTo: ALWAYS,
  },
  404: {
    name: 'NotFound',
    description: 'Nothing with this id exists that the caller may see.',
    code: 5,
    message: 'no such indicator',
    reason: 'INDICATOR_NOT_FOUND',
    appliesTo: ({ variables }) => variables.length > 0,
  },
  409: {
    name: 'Conflict',
    description: 'An earlier request with this id made the change.',
    code: 6,
    message: 'an earlier request with this id created a key',
    reason: 'REQUEST_REPEATED',
    // A method that can be repeated gives its first answer again.
    appliesTo: ({ rpc, isIdempotent }) =>
      !isIdempotent && rpc.input.fields.some(({ name }) => name === 'request_id'),
  },
  413: {
    name: 'BodyTooLarge',
    description: 'The body is longer than the operation takes.',
    code: 3,
    message: 'the body is too large',
    reason: 'BODY_TOO_LARGE',
    appliesTo: ({ hasBody }) => hasBody,
  },
  429: {
    name: 'TooManyRequests',
    description: 'The credential or the address has reached a limit.',
    code: 8,
    message: 'too many requests',
    reason: 'RATE_LIMIT_EXCEEDED',
    detail: { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.200s' },
    headers: ['Retry-After'],
    appliesTo: ALWAYS,
  },
  503: {
    name: 'Unavailable',
    description: 'The service cannot answer now.',
    code: 14,
    message: 'the service is stopping',
    reason: 'STOPPING',
    detail: { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1.000s' },
    headers: ['Retry-After'],
    appliesTo: ALWAYS,
  },
};

/** The refusals of an operation, by status. */
export function errorResponses(route: Route): Record<string, object> {
  const refusals = Object.entries(REFUSALS).filter(([, { appliesTo }]) => appliesTo(route));
  return Object.fromEntries(
    refusals.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

/** What `components.responses` holds. */
export function errorComponents(): Record<string, object> {
  return Object.fromEntries(Object.values(REFUSALS).map((refusal) => [refusal.name, componentOf(refusal)]));
}

function componentOf({ description, code, message, reason, detail, headers = [] }: Refusal): object {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'threat-indicator-service',
    metadata: {},
  };
  const example = { code, message, details: [info, ...(detail === undefined ? [] : [detail])] };
  const sent = headers.map((name) => [name, { description: HEADERS[name], schema: { type: 'string' } }]);
  return {
    description,
    ...(sent.length === 0 ? {} : { headers: Object.fromEntries(sent) }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/rpcStatus' }, example } },
  };
}

export const RPC_STATUS: Schema = {
  type: 'object',
  description: 'What every status but 200 carries (google.rpc.Status).',
  properties: {
    code: { type: 'integer', format: 'int32', description: 'Canonical code (google.rpc.Code).' },
    message: { type: 'string', description: 'For people.' },
    details: {
      type: 'array',
      items: { $ref: '#/components/schemas/protobufAny' },
      description: 'An ErrorInfo always; BadRequest, RetryInfo and QuotaFailure where they apply.',
    },
  },
  required: ['code', 'message', 'details'],
};

export const PROTOBUF_ANY: Schema = {
  type: 'object',
  description: 'A message of any type, with its members beside `@type`.',
  properties: {
    '@type': {
      type: 'string',
      description: 'Which type, such as `type.googleapis.com/google.rpc.ErrorInfo`.',
    },
  },
  required: ['@type'],
  additionalProperties: true,
};
