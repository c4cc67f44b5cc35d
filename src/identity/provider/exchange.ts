// One request to the library and its answer, as values. The library is made for a server of its own; here the answer goes
// through the server of the service, with its bounds and its telemetry.

import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export interface ProviderRequest {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Where the provider is below the issuer's origin. */
const MOUNT_PATH = '/oidc';

/**
 * The request as the library takes it. Host and scheme are those of the issuer: whatever a client says of itself, the
 * addresses in the answer are ours.
 */
export function requestFor(request: ProviderRequest, issuer: string): IncomingMessage {
  const { method, url, headers, body } = request;
  const { host, protocol } = new URL(issuer);
  const inner = new IncomingMessage(new Socket());
  inner.method = method;
  inner.url = innerUrl(url);
  inner.headers = {
    ...headers,
    host,
    'x-forwarded-host': undefined,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(body.length === 0 ? {} : { 'content-length': String(body.length) }),
  };
  // So that the library finds its mount path.
  Object.assign(inner, { originalUrl: url });
  if (body.length > 0) inner.push(body);
  inner.push(null);
  return inner;
}

/** Where a sign-in goes on, all is known already. The library stumbles over parameters there. */
const RESUMED = /^\/auth\/[^?]/i;

function innerUrl(url: string): string {
  const inner = url.slice(MOUNT_PATH.length) || '/';
  return RESUMED.test(inner) ? inner.replace(/\?.*/s, '') : inner;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** Runs a handler of the library. Rejects with what the handler rejects with. */
export function exchange(inner: IncomingMessage, handler: Handler): Promise<ProviderAnswer> {
  return new Promise((resolve, reject) => {
    const response = new ServerResponse(inner);
    const chunks: Buffer[] = [];
    const take = (chunk: unknown): void => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    Object.assign(response, {
      write: (chunk: unknown) => {
        take(chunk);
        return true;
      },
      end: (chunk: unknown) => {
        take(chunk);
        const body = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, headers: response.getHeaders(), body });
        return response;
      },
    });
    handler(inner, response).catch(reject);
  });
}
