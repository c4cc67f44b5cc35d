// Requests to the configured issuer: to its own origin and those that the operator named, without redirects, bounded in time
// and size. What the issuer publishes about itself cannot send a request elsewhere.

import type { CustomFetch } from 'openid-client';
import { SECOND } from '../../domain/instant.ts';

export const ISSUER_TIMEOUT = 5 * SECOND;
/** Of the decompressed answer. */
const MAX_BYTES = 256 * 1_024;

export type IssuerFetch = CustomFetch;

/** The issuer did not answer. The library passes on type errors as they are. */
export class IssuerUnreachable extends TypeError {
  constructor(cause: unknown) {
    super(`the issuer cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'IssuerUnreachable';
  }
}

/** @param origins all that may be asked. */
export function createIssuerFetch(origins: ReadonlySet<string>, fetch = globalThis.fetch): IssuerFetch {
  return async (url, options) => {
    const { origin } = new URL(url);
    if (!origins.has(origin)) throw new Error(`${origin} is not an origin of the issuer`);
    const timeout = AbortSignal.timeout(ISSUER_TIMEOUT);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      const { method, headers, body } = options;
      const init = { method, headers, redirect: 'error' as const, signal };
      const response = await fetch(url, body == null ? init : { ...init, body });
      if (response.status >= 500) throw new Error(`status ${response.status}`);
      return await readWithin(MAX_BYTES, response);
    } catch (error) {
      throw new IssuerUnreachable(error);
    }
  };
}

async function readWithin(maxBytes: number, { body, status, headers }: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  // A status such as 204 allows no body, not even an empty one.
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}
