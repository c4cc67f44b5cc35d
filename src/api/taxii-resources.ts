// The bodies of the TAXII endpoints, as the bytes of their JSON.

import { STIX_MEDIA_TYPE } from '../feed/collections.ts';
import type { PollPage } from '../feed/poll.ts';
import { formatTimestamp } from '../feed/timestamp.ts';
import type { FeedEntry } from '../store/stores.ts';
import type { OpenCollection } from './taxii-collections.ts';
import { TAXII_MEDIA_TYPE } from './taxii-negotiation.ts';

/** The path of the API root, which is also the discovery endpoint. */
export const API_ROOT = '/taxii2';

/** A smaller body is never refused for its size (§4.2.1). */
export const MAX_CONTENT_LENGTH = 8 * 1024 * 1024;

const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']}');

/**
 * Discovery (§4.1.1) and API root (§4.2.1) in one: they share one path, and each takes the other's members for custom
 * properties.
 * @param publicUrl address of the service as clients see it. §4.1.1 wants an absolute root to be https, so anything
 *   else gives the relative form, which holds behind any name and port.
 */
export function discoveryBody(publicUrl?: string): Buffer {
  const base = publicUrl?.startsWith('https://') ? publicUrl.replace(/\/$/, '') : '';
  const root = `${base}${API_ROOT}/`;
  return bytesOf({
    title: 'Threat Indicator Service',
    description: 'Indicators of threats to industrial-control systems and networks, as STIX 2.1.',
    default: root,
    api_roots: [root],
    // The standard asks for the media type; the plain number serves clients that look for it.
    versions: [TAXII_MEDIA_TYPE, '2.1'],
    max_content_length: MAX_CONTENT_LENGTH,
  });
}

/** Collections (§5.1.1). There is always one. */
export function collectionsBody(collections: readonly OpenCollection[]): Buffer {
  return bytesOf({ collections: collections.map(collectionResource) });
}

export function collectionBody(collection: OpenCollection): Buffer {
  return bytesOf(collectionResource(collection));
}

/** §5.2.1. */
function collectionResource({ collection, canRead, canWrite }: OpenCollection): object {
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

/** Envelope (§3.7). The objects are stored as JSON and joined as they are: decoding them would cost most of the time. */
export function envelopeBody(page: PollPage): Buffer {
  return listingBody(page, 'objects', ({ object }) => object);
}

/** Manifest (§5.3.1): one record for each version. */
export function manifestBody(page: PollPage): Buffer {
  return listingBody(page, 'objects', ({ id, dateAdded, version }) =>
    JSON.stringify({ id, date_added: formatTimestamp(dateAdded), version, media_type: STIX_MEDIA_TYPE }),
  );
}

/** Versions (§5.8.1). */
export function versionsBody(page: PollPage): Buffer {
  return listingBody(page, 'versions', ({ version }) => JSON.stringify(version));
}

/**
 * `next` goes with `more` and never without it; an empty list is left out (§2).
 *
 * The items become bytes one by one: joining them to one string first, to encode that, costs six times as much.
 */
function listingBody(page: PollPage, member: string, render: (entry: FeedEntry) => string): Buffer {
  const paging = page.next === undefined ? '"more":false' : `"more":true,"next":"${page.next}"`;
  const [first, ...others] = page.entries;
  if (first === undefined) return Buffer.from(`{${paging}}`);
  const pieces = [Buffer.from(`{${paging},"${member}":[${render(first)}`)];
  for (const entry of others) pieces.push(COMMA, Buffer.from(render(entry)));
  pieces.push(CLOSE);
  return Buffer.concat(pieces);
}

function bytesOf(body: object): Buffer {
  return Buffer.from(JSON.stringify(body));
}
