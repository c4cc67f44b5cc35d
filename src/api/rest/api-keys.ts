// The operations on API keys, each for the caller's own account.

import { invalidArgument } from '../../domain/errors.ts';
import { SECOND } from '../../domain/instant.ts';
import { TLP_MARKINGS } from '../../domain/vocabulary.ts';
import { requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import { DEFAULT_OVERLAP, type IssuedKey } from '../../gateway/issue-key.ts';
import type { KeySpec } from '../../gateway/key-spec.ts';
import {
  ApiKeySchema,
  type ApiKeyService,
  type CreateApiKeyRequest,
  CreateApiKeyResponseSchema,
  ListApiKeysResponseSchema,
  nameOf,
  RotateApiKeyResponseSchema,
} from '../../protojson/contract.ts';
import { createEncoder } from '../../protojson/json-encoder.ts';
import { floorToInstant } from '../../protojson/proto-timestamp.ts';
import type { ApiKey } from '../../store/api-key.ts';
import type { RestDependencies } from '../http/dependencies.ts';
import type { Operations } from './transcoder.ts';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1_000;

/** A key as it is listed. Its members are named as in the contract, so it needs no mapping. */
type ListedKey = ApiKey & { readonly lastUsedAt?: number };

interface NewKey {
  readonly apiKey: ApiKey;
  readonly plaintext: string;
}

const encodeKey = createEncoder<ApiKey>(ApiKeySchema);
const encodeCreated = createEncoder<NewKey>(CreateApiKeyResponseSchema);
const encodeRotated = createEncoder<NewKey>(RotateApiKeyResponseSchema);
const encodePage = createEncoder<{ readonly apiKeys: readonly ListedKey[]; readonly nextPageToken: string }>(
  ListApiKeysResponseSchema,
);

export function apiKeyOperations({
  stores,
  usage,
  commands,
}: RestDependencies): Operations<typeof ApiKeyService> {
  return {
    createApiKey: {
      authorize: requireManager,
      answer: async (request, caller) =>
        encodeCreated(toNewKey(await commands.issueKey(toKeySpec(request), caller, request.requestId))),
    },
    listApiKeys: {
      authorize: requireManager,
      answer: async ({ pageSize, pageToken }, { account }) => {
        const page = pageOf(await stores.keys.list(account), pageSize, pageToken);
        const lastUses = await usage.lastUses(page.apiKeys.map(({ id }) => id));
        const apiKeys = page.apiKeys.map((key) => listed(key, lastUses.get(key.id)));
        return encodePage({ ...page, apiKeys });
      },
    },
    rotateApiKey: {
      authorize: requireManager,
      answer: async ({ id, overlapSeconds, requestId }, caller) => {
        const overlap = overlapSeconds === undefined ? DEFAULT_OVERLAP : overlapSeconds * SECOND;
        return encodeRotated(toNewKey(await commands.rotateKey(id, overlap, caller, requestId)));
      },
    },
    revokeApiKey: {
      authorize: requireManager,
      answer: async ({ id }, caller) => encodeKey(await commands.revokeKey(id, caller)),
    },
  };
}

function requireManager(caller: Caller): void {
  requireScope(caller, 'keys:manage');
}

function toKeySpec(request: CreateApiKeyRequest): KeySpec {
  const { name, scopes, sensor, sourceRanges, reliability, expiresAt } = request;
  const tlpCeiling = nameOf(TLP_MARKINGS, request.tlpCeiling);
  return {
    name,
    sensor,
    sourceRanges,
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(tlpCeiling === 'UNSPECIFIED' ? {} : { tlpCeiling }),
    ...(reliability === undefined ? {} : { reliability }),
    ...(expiresAt === undefined ? {} : { expiresAt: floorToInstant(expiresAt) }),
  };
}

function toNewKey({ key, plaintext }: IssuedKey): NewKey {
  return { apiKey: key, plaintext };
}

function listed(key: ApiKey, lastUsedAt: number | undefined): ListedKey {
  return lastUsedAt === undefined ? key : { ...key, lastUsedAt };
}

/**
 * A page token is the id of the last key before the page. Keys never go away, so it always has its place, and new ones
 * come in front: a walk gives each key that was there when it began exactly once.
 * @throws ServiceError `invalid_argument` for a token that is no key of the account.
 */
function pageOf(
  keys: readonly ApiKey[],
  pageSize: number,
  pageToken: string,
): { apiKeys: readonly ApiKey[]; nextPageToken: string } {
  const last = keys.findIndex(({ id }) => id === pageToken);
  if (pageToken !== '' && last === -1) {
    throw invalidArgument(
      [{ field: 'pageToken', description: 'not a page token of this list' }],
      'INVALID_PAGE_TOKEN',
    );
  }
  const start = last + 1;
  const end = start + (pageSize === 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE));
  const apiKeys = keys.slice(start, end);
  return { apiKeys, nextPageToken: end < keys.length ? (apiKeys.at(-1)?.id ?? '') : '' };
}
