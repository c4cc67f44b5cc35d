// The newest version of one indicator in the feed of a reader.

import type { TlpMarking } from '../domain/vocabulary.ts';
import { indicatorStixId } from '../stix/objects/stix-object.ts';
import type { FeedReader } from '../store/feed.ts';

/** The STIX object as JSON. Undefined if the feed of this ceiling does not have it. */
export async function newestInFeed(
  feed: Pick<FeedReader, 'bounds' | 'objects'>,
  indicatorId: string,
  ceiling: TlpMarking,
): Promise<string | undefined> {
  const bounds = await feed.bounds(ceiling);
  if (bounds === undefined) return undefined;
  const ids = [indicatorStixId(indicatorId)];
  const { entries } = await feed.objects({ until: bounds.end.place, limit: 1, ceiling, ids });
  return entries[0]?.object;
}
