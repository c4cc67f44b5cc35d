// The feed for people: its collections, and its clients. Of a client: where it is, how far behind, and mistakes in its paging.

import { type FeedCollection, PARTNER_REPORTS, SERVICE_GLOBAL_FEED } from '../../domain/collection.ts';
import { formatMicros } from '../../domain/date-added.ts';
import { toRfc3339 } from '../../domain/instant.ts';
import { isVisible } from '../../domain/tlp.ts';
import { hasScope, requireClient, requireScope } from '../../gateway/authorize.ts';
import type { ApiKeyReader } from '../../store/api-key.ts';
import type { FeedReader } from '../../store/feed.ts';
import type { FeedConsumer, UsageReader } from '../../store/usage.ts';
import { type DataRoute, requireKnown } from './data-routes.ts';

const MOST = 500;

/** `GET /app/data/collections`: what there is to read, and where partners may write. */
export function feedCollections(declared: readonly FeedCollection[]): DataRoute {
  const collections = [SERVICE_GLOBAL_FEED, ...declared, PARTNER_REPORTS].map(
    ({ id, title, description, alias }) => ({
      id,
      title,
      description,
      ...(alias === undefined ? {} : { alias }),
      writable: id === PARTNER_REPORTS.id,
    }),
  );
  return {
    method: 'GET',
    path: '/collections',
    authorize: requireClient,
    answer: async (input) => {
      requireKnown(input, []);
      return { collections };
    },
  };
}

export interface ConsumerParts {
  readonly usage: Pick<UsageReader, 'consumers'>;
  readonly keys: Pick<ApiKeyReader, 'byId'>;
  readonly feed: Pick<FeedReader, 'bounds'>;
}

/**
 * `GET /app/data/consumers`, of the account of the caller; administrators see all. A consumer with a ceiling above that of the caller is left out: its
 * position tells when something was published that the caller may not see.
 */
export function feedConsumers({ usage, keys, feed }: ConsumerParts): DataRoute {
  return {
    method: 'GET',
    path: '/consumers',
    authorize: (caller) => requireScope(caller, 'usage:read'),
    answer: async (input, caller) => {
      requireKnown(input, []);
      const account = hasScope(caller, 'admin') ? undefined : caller.account;
      const known = await usage.consumers(account, MOST + 1);
      const consumers = [];
      for (const consumer of known.slice(0, MOST)) {
        const key = await keys.byId(consumer.credential);
        if (key === undefined || !isVisible(key.tlpCeiling, caller.ceiling)) continue;
        const end = (await feed.bounds(key.tlpCeiling))?.end.dateAdded ?? 0;
        consumers.push({
          ...toJson(consumer),
          name: key.name,
          isRevoked: key.revokedAt !== undefined,
          lagSeconds: Math.max(0, Math.round((end - consumer.position) / 1_000_000)),
        });
      }
      return { consumers, complete: known.length <= MOST };
    },
  };
}

function toJson({ position, polledAt, mistakes, ...consumer }: FeedConsumer) {
  return {
    ...consumer,
    ...(position === 0 ? {} : { position: formatMicros(position) }),
    pollTime: toRfc3339(polledAt),
    mistakes: Object.entries(mistakes).map(([mistake, { count, lastAt }]) => ({
      mistake,
      count,
      lastTime: toRfc3339(lastAt),
    })),
  };
}
