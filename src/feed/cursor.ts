// The value of `next` (TAXII 2.1 §3.5): the whole state of a walk through the pages, so that the server keeps none.
//
// A cursor survives restarts, works on every node, and gives the same page each time. It is sealed, since a value from a
// client must not be trusted (§B.1), and since places in the feed tell how much lies above the ceiling of the caller. The
// rights of the caller are not part of it; every request checks them.

import { createHash } from 'node:crypto';
import { invalidArgument, type ServiceError } from '../domain/errors.ts';
import { createTokenSealer } from '../domain/sealed-token.ts';
import type { DateAdded, FeedEntry, Place } from '../store/feed.ts';
import { agrees, canonicalText, type FeedFilter } from './feed-filter.ts';

export interface Cursor {
  /** The end of the walk. The first page fixes it. */
  readonly until: Place;
  /** The last entry of the page before. */
  readonly last: FeedEntry;
  /** Where the walk began, as the client said it; absent for the start of the feed. */
  readonly addedAfter?: DateAdded;
  readonly filter: FeedFilter;
}

export interface CursorCodec {
  /** @param scope names the listing. A cursor opens only under the scope for which it was sealed. */
  seal(cursor: Cursor, scope: string): string;
  /**
   * @param resent the filter that the client sent with the token.
   * @throws `invalid_argument` for a token that was not made here, was made for another listing, or goes with
   *   another filter.
   */
  open(token: string, scope: string, resent: FeedFilter): Cursor;
}

/**
 * A longer filter is in the token only as a fingerprint, and the client has to resend it. Otherwise a long list of ids
 * would be in the request line twice, as a filter and in the token, and not fit.
 */
const MAX_FILTER_CHARS = 2_048;

/**
 * The sealed values: until, place and date of the last entry, addedAfter, and the filter or the fingerprint of a long one.
 * A place has 16 digits as a date has, so the length of a token tells nothing about it.
 */
type Payload = readonly [Place, Place, DateAdded, DateAdded | null, FeedFilter | string];

/** @param secret the secret of the installation. */
export function cursorCodec(secret: Buffer): CursorCodec {
  const sealer = createTokenSealer(secret, 'taxii next cursor');
  return {
    seal({ until, last: { place, dateAdded }, addedAfter, filter }, scope) {
      const payload: Payload = [until, place, dateAdded, addedAfter ?? null, sealedFilter(filter)];
      return sealer.seal(Buffer.from(JSON.stringify(payload)), scope);
    },

    open(token, scope, resent) {
      const state = sealer.open(token, scope);
      if (state === undefined) throw refusal('is not a cursor of this listing');
      const [until, place, dateAdded, addedAfter, sealed] = JSON.parse(state.toString()) as Payload;
      const last = { place, dateAdded };
      const filter = openedFilter(sealed, resent);
      return addedAfter === null ? { until, last, filter } : { until, last, addedAfter, filter };
    },
  };
}

function sealedFilter(filter: FeedFilter): FeedFilter | string {
  return canonicalText(filter).length <= MAX_FILTER_CHARS ? filter : fingerprint(filter);
}

/** @throws `invalid_argument` if the resent filter differs from the filter of the walk. */
function openedFilter(sealed: FeedFilter | string, resent: FeedFilter): FeedFilter {
  if (typeof sealed !== 'string') {
    if (agrees(resent, sealed)) return sealed;
    throw refusal('belongs to a request with other match filters');
  }
  if (fingerprint(resent) === sealed) return resent;
  throw refusal('needs the long match filter of the first request again, unchanged');
}

function fingerprint(filter: FeedFilter): string {
  return createHash('sha256').update(canonicalText(filter)).digest('base64url');
}

function refusal(description: string): ServiceError {
  return invalidArgument([{ field: 'next', description }], 'INVALID_CURSOR');
}
