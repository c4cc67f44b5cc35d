// Which collections there are for a caller, and what each caller may do there (TAXII 2.1 §5.1, §5.2).

import { type FeedCollection, PARTNER_REPORTS, SERVICE_GLOBAL_FEED } from '../../domain/collection.ts';
import { ServiceError } from '../../domain/errors.ts';
import { hasScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';

/** A collection as it is for one caller. */
export interface OpenCollection {
  readonly collection: FeedCollection;
  readonly canRead: boolean;
  readonly canWrite: boolean;
  /** The part of the feed that it holds; absent: all of it. */
  readonly part?: string;
}

export interface Collections {
  /** Sorted by id: §3.3 wants the same order in every answer. */
  listFor(caller: Caller): readonly OpenCollection[];
  /**
   * By id or alias.
   * @throws ServiceError `not_found` for one that is not there, also when it is there for others.
   */
  find(caller: Caller, name: string): OpenCollection;
}

/** @param declared parts of the feed. */
export function createCollections(declared: readonly FeedCollection[]): Collections {
  const feed: OpenCollection[] = [
    { collection: SERVICE_GLOBAL_FEED, canRead: true, canWrite: false },
    ...declared.map((collection) => ({ collection, canRead: true, canWrite: false, part: collection.id })),
  ];
  const readOnly = feed.toSorted(byId);
  const withReports = [...feed, { collection: PARTNER_REPORTS, canRead: false, canWrite: true }].sort(byId);

  const listFor = (caller: Caller) => (hasScope(caller, 'feed:write') ? withReports : readOnly);
  return {
    listFor,
    find: (caller, name) => {
      const found = listFor(caller).find(
        ({ collection: { id, alias } }) => id === name || (alias !== undefined && alias === name),
      );
      if (found === undefined) {
        throw new ServiceError('not_found', 'no such collection', { reason: 'COLLECTION_NOT_FOUND' });
      }
      return found;
    },
  };
}

/** @throws ServiceError `permission_denied` (§5.4). */
export function requireReadable({ canRead, collection: { id } }: OpenCollection): void {
  if (canRead) return;
  throw new ServiceError('permission_denied', `collection ${id} is write-only`, {
    reason: 'WRITE_ONLY_COLLECTION',
  });
}

/** @throws ServiceError `permission_denied` (§5.5). */
export function requireWritable({ canWrite, collection: { id } }: OpenCollection): void {
  if (canWrite) return;
  throw new ServiceError('permission_denied', `collection ${id} is read-only`, {
    reason: 'READ_ONLY_COLLECTION',
  });
}

function byId(a: OpenCollection, b: OpenCollection): number {
  return a.collection.id < b.collection.id ? -1 : 1;
}
