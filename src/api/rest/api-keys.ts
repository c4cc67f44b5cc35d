// The operations on API keys. A caller sees the keys of the own account only, and changes those within the own rights.

import { invalidArgument, type ServiceError } from '../../domain/errors.ts';
import { type Clock, SECOND } from '../../domain/instant.ts';
import { TLP_MARKINGS } from '../../domain/vocabulary.ts';
import { requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { KeyCommands } from '../../gateway/key-commands.ts';
import { DEFAULT_OVERLAP, type IssuedKey } from '../../gateway/key-commands.ts';
import { type KeySpec, requireSound } from '../../gateway/key-spec.ts';
import { previewRevocation } from '../../gateway/key-tree.ts';
import { type ApiKeyService, nameOf } from '../../protojson/contract.ts';
import { floorToInstant } from '../../protojson/proto-timestamp.ts';
import type { ApiKey, ApiKeyReader } from '../../store/api-key.ts';
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
      validate: (request) => requireSound(toKeySpec(request), clock()),
      answer: async (request, caller) =>
        toNewKey(await commands.issueKey(toKeySpec(request), caller, request.requestId)),
    },
    listApiKeys: {
      isPage: true,
      authorize: requireManager,
      answer: async ({ pageSize, pageToken, endsWithId }, { account }) => {
        const size = pageSize === 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
        const page =
          endsWithId === ''
            ? await pageOfAll(stores.keys, account, size, pageToken)
            : pageOf(await previewRevocation(stores.keys, endsWithId, account, clock()), size, pageToken);
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

interface Page {
  readonly apiKeys: readonly ApiKey[];
  readonly nextPageToken: string;
}

/**
 * A page token is the id of the last key before the page. Keys are never deleted and new keys come first, so a walk
 * returns each key that existed at its start exactly once. Rejects with ServiceError `invalid_argument` for a token that
 * is no key of the account.
 */
async function pageOfAll(
  keys: ApiKeyReader,
  account: string,
  size: number,
  pageToken: string,
): Promise<Page> {
  const last = pageToken === '' ? undefined : await keys.byId(pageToken);
  if (pageToken !== '' && last?.account !== account) throw invalidPageToken();
  // One more than fits shows whether there is another page.
  return cut(await keys.page(account, last, size + 1), size);
}

/** The same over a list that is at hand. */
function pageOf(keys: readonly ApiKey[], size: number, pageToken: string): Page {
  const last = keys.findIndex(({ id }) => id === pageToken);
  if (pageToken !== '' && last === -1) throw invalidPageToken();
  return cut(keys.slice(last + 1), size);
}

function cut(keys: readonly ApiKey[], size: number): Page {
  const apiKeys = keys.slice(0, size);
  return { apiKeys, nextPageToken: keys.length > size ? (apiKeys.at(-1)?.id ?? '') : '' };
}

function invalidPageToken(): ServiceError {
  return invalidArgument(
    [{ field: 'pageToken', description: 'not a page token of this list' }],
    'INVALID_PAGE_TOKEN',
  );
}
