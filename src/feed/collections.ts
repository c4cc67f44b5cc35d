// The collections of the API root (TAXII 2.1 §5.1, §5.2).

export interface FeedCollection {
  /** The `{id}` of the path. */
  readonly id: string;
  /** Some clients find a collection by its title: it never changes. */
  readonly title: string;
  readonly description: string;
}

/** The media type of every object in the feed. */
export const STIX_MEDIA_TYPE = 'application/stix+json;version=2.1';

const SERVICE_GLOBAL_FEED: FeedCollection = {
  id: 'service-global-feed',
  title: 'Service Global Feed',
  description: 'All indicators from the state scored on, in every version, with what they refer to.',
};

/** Sorted by id: §3.3 wants the same order in every answer. */
export const FEED_COLLECTIONS: readonly FeedCollection[] = [SERVICE_GLOBAL_FEED];

/** The collection resource of §5.2.1. Whoever may see a collection may read it; nobody may write to it. */
export function collectionResource({ id, title, description }: FeedCollection): object {
  return { id, title, description, can_read: true, can_write: false, media_types: [STIX_MEDIA_TYPE] };
}
