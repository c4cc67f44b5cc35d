// Headers that a request may have once only. Of two, Node shows the first and drops the second, but a proxy in front may
// have judged the second.

import type { IncomingMessage } from 'node:http';
import { HttpError } from './errors.ts';

/** RFC 9112 §3.2. Node's own check is off: it answers without a body. */
export function requireOneHost(request: IncomingMessage): void {
  if (request.headers.host === undefined) {
    if (request.httpVersion !== '1.1') return;
    throw new HttpError(400, 'invalid_argument', 'the Host header is missing', 'MISSING_HOST');
  }
  if (isRepeated(request, 'host')) {
    throw new HttpError(400, 'invalid_argument', 'there are two Host headers', 'REPEATED_HOST');
  }
}

/** RFC 6750 §3.1: a request with more than one credential is malformed, whether or not one of them is valid. */
export function requireOneCredential(request: IncomingMessage): void {
  if (!isRepeated(request, 'authorization')) return;
  const message = 'there are two Authorization headers: send one credential';
  throw new HttpError(400, 'invalid_argument', message, 'REPEATED_AUTHORIZATION');
}

/** @param header in lower case. */
function isRepeated({ rawHeaders }: IncomingMessage, header: string): boolean {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === header.length && name.toLowerCase() === header) found++;
  }
  return found > 1;
}
