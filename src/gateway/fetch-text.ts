// Fetches a small text from a configured address: no redirects, bounded in time and size.

import { SECOND } from '../domain/instant.ts';

const TIMEOUT = 5 * SECOND;
/** Of the decompressed answer. Real key sets have a few kilobytes. */
const MAX_BYTES = 256 * 1024;

export interface FetchTextOptions {
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Default: 5 s. */
  readonly timeoutMs?: number;
  readonly accept?: string;
}

/** Rejects for a status other than 200, for a redirect, and beyond the limits of time and size. */
export async function fetchText(url: string, options: FetchTextOptions = {}): Promise<string> {
  const { fetch = globalThis.fetch, timeoutMs = TIMEOUT, accept } = options;
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    ...(accept !== undefined && { headers: { accept } }),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`the answer has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (response.status !== 200) throw new Error(`the answer has status ${response.status}`);
  return Buffer.concat(chunks).toString();
}
