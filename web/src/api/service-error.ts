// An answer of the service that is not 2xx, or no answer at all.

export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

interface RpcStatus {
  readonly message?: string;
  readonly details?: readonly {
    readonly reason?: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly fieldViolations?: readonly FieldViolation[];
  }[];
}

export class ServiceError extends Error {
  /** HTTP status. 0 when no answer came. */
  readonly status: number;
  /** Such as `SEARCH_TOO_SLOW`. Empty when the answer names none. */
  readonly reason: string;
  readonly violations: readonly FieldViolation[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Seconds until a retry can succeed. */
  readonly retryAfter: number | undefined;
  /** Names the request in the log of the service. */
  readonly requestId: string;

  constructor(status: number, body: RpcStatus, headers?: Headers) {
    super(body.message ?? `status ${status}`);
    const details = body.details ?? [];
    const info = details.find(({ reason }) => reason !== undefined);
    this.status = status;
    this.reason = info?.reason ?? '';
    this.metadata = info?.metadata ?? {};
    this.violations = details.flatMap(({ fieldViolations }) => fieldViolations ?? []);
    const wait = Number(headers?.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(wait) ? wait : undefined;
    this.requestId = headers?.get('x-request-id') ?? '';
  }
}

/** Reads the error of an answer, also of a proxy that answers something else than JSON. */
export async function errorOf(response: Response): Promise<ServiceError> {
  const body: unknown = await response.json().catch(() => undefined);
  const status = typeof body === 'object' && body !== null ? (body as RpcStatus) : {};
  return new ServiceError(response.status, status, response.headers);
}
