// The collections that a caller sees, and the caller's rights in each (TAXII 2.1 §5.1, §5.2).

import { type FeedCollection, PARTNER_REPORTS, SERVICE_GLOBAL_FEED } from '../../domain/collection.ts';
import { ServiceError } from '../../domain/errors.ts';
import { hasScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';

/** A collection with the rights of one caller. */
export interface CallerCollection {
  readonly collection: FeedCollection;
  readonly canRead: boolean;
  readonly canWrite: boolean;
  /** The part of the feed in the collection; absent for the whole feed. */
  readonly part?: string;
}

export interface Collections {
  /** Sorted by id, because §3.3 requires the same order in every answer. */
  listFor(caller: Caller): readonly CallerCollection[];
  /**
   * Finds a collection by id or alias.
   * @throws ServiceError `not_found` for an unknown collection and for one that this caller does not see.
   */
  find(caller: Caller, name: string): CallerCollection;
}

/** @param declared parts of the feed. */
export function createCollections(declared: readonly FeedCollection[]): Collections {
  const feed: CallerCollection[] = [
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
export function requireReadable({ canRead, collection: { id } }: CallerCollection): void {
  if (canRead) return;
  throw new ServiceError('permission_denied', `collection ${id} is write-only`, {
    reason: 'WRITE_ONLY_COLLECTION',
  });
}

/** @throws ServiceError `permission_denied` (§5.5). */
export function requireWritable({ canWrite, collection: { id } }: CallerCollection): void {
  if (canWrite) return;
  throw new ServiceError('permission_denied', `collection ${id} is read-only`, {
    reason: 'READ_ONLY_COLLECTION',
  });
}

function byId(a: CallerCollection, b: CallerCollection): number {
  return a.collection.id < b.collection.id ? -1 : 1;
}
