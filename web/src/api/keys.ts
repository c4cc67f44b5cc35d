// API keys of the account.

import { call } from './client.ts';
import type {
  ApiKey,
  CreateApiKeyRequest,
  CreateApiKeyResponse,
  ListApiKeysResponse,
  RotateApiKeyResponse,
} from './contract.ts';

const PAGE_SIZE = 1_000;

/** All keys of the account, newest first. @param endsWithId only those that end when this one is revoked. */
export async function listKeys(endsWithId = ''): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  let pageToken = '';
  do {
    const page = await call<ListApiKeysResponse>('/v1/apiKeys', {
      query: { pageSize: PAGE_SIZE, pageToken, endsWithId },
    });
    keys.push(...page.apiKeys);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return keys;
}

/** The request id makes a repeat harmless: a double click makes one key. */
export function createKey(request: CreateApiKeyRequest) {
  return call<CreateApiKeyResponse>('/v1/apiKeys', { body: request });
}

/** @param overlapSeconds for which the old key still works. */
export function rotateKey(id: string, overlapSeconds: number, requestId: string) {
  return call<RotateApiKeyResponse>(`/v1/apiKeys/${encodeURIComponent(id)}:rotate`, {
    body: { overlapSeconds, requestId },
  });
}

export function revokeKey(id: string) {
  return call<ApiKey>(`/v1/apiKeys/${encodeURIComponent(id)}:revoke`, { method: 'POST', body: {} });
}
