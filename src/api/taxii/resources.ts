// The bodies of the TAXII endpoints, as the bytes of their JSON.

import { formatMicros } from '../../domain/date-added.ts';
import type { PollPage } from '../../feed/poll.ts';
import type { FeedBlock, FeedEntry, FeedVersion } from '../../store/feed.ts';
import { jsonParts } from '../http/json-reply.ts';
import type { Parts } from '../http/raw-answer.ts';
import type { CallerCollection } from './collections.ts';
import { TAXII_MEDIA_TYPE } from './negotiation.ts';

/** The path of the API root, which is also the discovery endpoint. */
export const API_ROOT = '/taxii2';

/** The media type of every object in the feed. */
const STIX_MEDIA_TYPE = 'application/stix+json;version=2.1';

/** In bytes. A body up to this length is never refused for its size (§4.2.1). */
export const MAX_CONTENT_LENGTH = 8 * 1024 * 1024;

/**
 * Discovery (§4.1.1) and API root (§4.2.1) in one: they share one path, and to each the members of the other are custom
 * properties.
 * @param publicUrl address of the service as clients see it. §4.1.1 requires https for an absolute root, so any other
 *   address gives the relative form, which works behind any name and port.
 */
export function discoveryBody(publicUrl?: string): Buffer {
  const base = publicUrl?.startsWith('https://') ? publicUrl.replace(/\/$/, '') : '';
  const root = `${base}${API_ROOT}/`;
  return bytesOf({
    title: 'Threat Indicator Service',
    description: 'Indicators of threats to industrial-control systems and networks, as STIX 2.1.',
    default: root,
    api_roots: [root],
    // The standard requires the media type; some clients look for the plain number.
    versions: [TAXII_MEDIA_TYPE, '2.1'],
    max_content_length: MAX_CONTENT_LENGTH,
  });
}

/** Collections (§5.1.1). There is always at least one. */
export function collectionsBody(collections: readonly CallerCollection[]): Buffer {
  return bytesOf({ collections: collections.map(collectionResource) });
}

export function collectionBody(collection: CallerCollection): Buffer {
  return bytesOf(collectionResource(collection));
}

/** §5.2.1. */
function collectionResource({ collection, canRead, canWrite }: CallerCollection): object {
  const { id, title, description, alias } = collection;
  return {
    id,
    title,
    description,
    alias,
    can_read: canRead,
    can_write: canWrite,
    media_types: [STIX_MEDIA_TYPE],
  };
}

/** Envelope (§3.7). The stored JSON of the objects is copied as it is; decoding it would take most of the time. */
export function envelopeBody(page: PollPage<FeedBlock>): Parts {
  return listingBody(page, 'objects', ({ objects }) => objects);
}

/** Manifest (§5.3.1): one record for each version. */
export function manifestBody(page: PollPage<FeedVersion>): Parts {
  return listingBody(page, 'objects', ({ id, dateAdded, version }) =>
    JSON.stringify({ id, date_added: formatMicros(dateAdded), version, media_type: STIX_MEDIA_TYPE }),
  );
}

/** Versions (§5.8.1). */
export function versionsBody(page: PollPage<FeedVersion>): Parts {
  return listingBody(page, 'versions', ({ version }) => JSON.stringify(version));
}

/** `next` is present exactly if `more` is true. An empty list is left out (§2). */
function listingBody<Entry extends FeedEntry>(
  { entries, next }: PollPage<Entry>,
  member: string,
  render: (entry: Entry) => string | Uint8Array,
): Parts {
  const paging = next === undefined ? '"more":false' : `"more":true,"next":"${next}"`;
  if (entries.length === 0) return [`{${paging}}`];
  return jsonParts(`{${paging},"${member}":`, entries.map(render), '}');
}

function bytesOf(body: object): Buffer {
  return Buffer.from(JSON.stringify(body));
}
