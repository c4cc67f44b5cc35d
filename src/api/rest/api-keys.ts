// The operations on API keys. A caller sees the keys of the own account only, and changes those within the own rights.

import { invalidArgument } from '../../domain/errors.ts';
import { type Clock, SECOND } from '../../domain/instant.ts';
import { TLP_MARKINGS } from '../../domain/vocabulary.ts';
import { requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { KeyCommands } from '../../gateway/key-commands.ts';
import { DEFAULT_OVERLAP, type IssuedKey } from '../../gateway/key-commands.ts';
import type { KeySpec } from '../../gateway/key-spec.ts';
import { previewRevocation } from '../../gateway/key-tree.ts';
import { type ApiKeyService, nameOf } from '../../protojson/contract.ts';
import { floorToInstant } from '../../protojson/proto-timestamp.ts';
import type { ApiKey } from '../../store/api-key.ts';
import type { Stores } from '../../store/stores.ts';
import type { UsageReader } from '../../store/usage.ts';
import type { Operations, RequestOf } from './transcoder.ts';

export interface ApiKeyDeps {
  readonly stores: Pick<Stores, 'keys'>;
  readonly usage: Pick<UsageReader, 'lastUses'>;
  readonly commands: Pick<KeyCommands, 'issueKey' | 'rotateKey' | 'revokeKey'>;
  readonly clock: Clock;
}

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1_000;

export function apiKeyOperations({
  stores,
  usage,
  commands,
  clock,
}: ApiKeyDeps): Operations<typeof ApiKeyService> {
  return {
    createApiKey: {
      authorize: requireManager,
      answer: async (request, caller) =>
        toNewKey(await commands.issueKey(toKeySpec(request), caller, request.requestId)),
    },
    listApiKeys: {
      authorize: requireManager,
      answer: async ({ pageSize, pageToken, endsWithId }, { account }) => {
        const keys =
          endsWithId === ''
            ? await stores.keys.list(account)
            : await previewRevocation(stores.keys, endsWithId, account, clock());
        const page = pageOf(keys, pageSize, pageToken);
        const lastUses = await usage.lastUses(page.apiKeys.map(({ id }) => id));
        const apiKeys = page.apiKeys.map((key) => listed(key, lastUses.get(key.id)));
        return { ...page, apiKeys };
      },
    },
    rotateApiKey: {
      authorize: requireManager,
      answer: async ({ id, overlapSeconds, requestId }, caller) => {
        const overlap = overlapSeconds === undefined ? DEFAULT_OVERLAP : overlapSeconds * SECOND;
        return toNewKey(await commands.rotateKey(id, overlap, caller, requestId));
      },
    },
    revokeApiKey: {
      authorize: requireManager,
      answer: async ({ id }, caller) => (await commands.revokeKey(id, caller)).key,
    },
  };
}

function requireManager(caller: Caller): void {
  requireScope(caller, 'keys:manage');
}

function toKeySpec(request: RequestOf<typeof ApiKeyService, 'createApiKey'>): KeySpec {
  const { name, scopes, sensor, sources, sourceRanges, reliability, expiresAt } = request;
  const tlpCeiling = nameOf(TLP_MARKINGS, request.tlpCeiling);
  return {
    name,
    sensor,
    sources,
    sourceRanges,
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(tlpCeiling === 'UNSPECIFIED' ? {} : { tlpCeiling }),
    ...(reliability === undefined ? {} : { reliability }),
    ...(expiresAt === undefined ? {} : { expiresAt: floorToInstant(expiresAt) }),
  };
}

function toNewKey({ key, plaintext }: IssuedKey): { apiKey: ApiKey; plaintext: string } {
  return { apiKey: key, plaintext };
}

function listed(key: ApiKey, lastUsedAt: number | undefined): ApiKey & { readonly lastUsedAt?: number } {
  return lastUsedAt === undefined ? key : { ...key, lastUsedAt };
}

/**
 * A page token is the id of the last key before the page. Keys are never deleted and new keys come first, so a walk
 * returns each key that existed at its start exactly once.
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
