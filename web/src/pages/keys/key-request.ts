// What was filled in, as the request for a key.

import type { CreateApiKeyRequest, TlpMarking } from '../../api/contract.ts';
import type { Scope } from '../../api/session.ts';

/** The rights that a key can use. Confirming is for people, so no key is offered it. */
export const SCOPES_OF_KEYS: readonly Scope[] = [
  'indicators:read',
  'events:write',
  'feed:write',
  'usage:read',
  'keys:manage',
  'admin',
];

/** @param now milliseconds. */
export function keyRequest(form: FormData, requestId: string, now: number): CreateApiKeyRequest {
  const sensor = form.get('kind') === 'sensor';
  const seconds = Number(form.get('expiry'));
  return {
    requestId,
    name: text(form, 'name').trim(),
    sensor,
    tlpCeiling: text(form, 'tlpCeiling') as TlpMarking,
    sourceRanges: lines(form, 'sourceRanges'),
    ...(sensor ? { sources: lines(form, 'sources') } : { scopes: form.getAll('scopes').map(String) }),
    ...(seconds === 0 ? {} : { expiresAt: new Date(now + seconds * 1_000).toISOString() }),
  };
}

function text(form: FormData, name: string): string {
  return String(form.get(name) ?? '');
}

function lines(form: FormData, name: string): string[] {
  return text(form, name)
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
