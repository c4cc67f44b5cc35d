// The value of `next` (TAXII 2.1 §3.5): the whole state of a walk through the pages, so that the server keeps none.
//
// A cursor survives restarts, works on every node, and gives the same page each time. It is signed, since a value from
// a client must not be trusted (§B.1). It is encrypted, since the end of the walk is the newest entry of the whole
// feed, which may lie above the ceiling of the caller. It has a random salt, so that equal positions give different
// tokens. Otherwise a changed token would show that something was added that the caller may not see. The rights of the
// caller are not part of it; every request checks them.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { invalidArgument, type ServiceError } from '../domain/errors.ts';
import type { DateAdded } from '../store/feed.ts';
import { agrees, canonicalText, type FeedFilter } from './feed-filter.ts';

export interface Cursor {
  /** The end of the walk. The first page fixes it. */
  readonly until: DateAdded;
  /** The last entry of the page before. */
  readonly last: DateAdded;
  /** Where the walk began; absent for the start of the feed. */
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

/** First byte of a token. Every layout has its own number. */
const LAYOUT = 1;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-ctr';

/**
 * A longer filter is in the token only as a fingerprint, and the client has to resend it. Otherwise a long list of ids
 * would be in the request line twice, as a filter and in the token, and not fit.
 */
const MAX_FILTER_CHARS = 2_048;

/** Enough to never repeat among the tokens of one place in the feed. */
const SALT_BYTES = 9;

/** The sealed values: until, last, addedAfter, the filter or the fingerprint of a long one, and a salt. */
type Payload = readonly [DateAdded, DateAdded, DateAdded | null, FeedFilter | string, string];

/** @param secret the secret of the installation, from which the keys of the cursors are derived. */
export function cursorCodec(secret: Buffer): CursorCodec {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', 'taxii next cursor', 64));
  // Key objects, since importing raw bytes costs five times as much as using a key.
  const signingKey = createSecretKey(keys.subarray(0, 32));
  const cipherKey = createSecretKey(keys.subarray(32));

  // The signature is also the initialisation vector (the SIV construction), so a signed salt is the only randomness
  // that is needed. The scope is signed but not part of the token.
  function sign(plain: Buffer, scope: string): Buffer {
    const hmac = createHmac('sha256', signingKey);
    hmac.update(JSON.stringify([LAYOUT, scope])).update(plain);
    return hmac.digest().subarray(0, TAG_BYTES);
  }

  return {
    seal({ until, last, addedAfter, filter }, scope) {
      const salt = randomBytes(SALT_BYTES).toString('base64url');
      const payload: Payload = [until, last, addedAfter ?? null, sealedFilter(filter), salt];
      const plain = Buffer.from(JSON.stringify(payload));
      const tag = sign(plain, scope);
      const body = createCipheriv(CIPHER, cipherKey, tag).update(plain);
      return Buffer.concat([Buffer.of(LAYOUT), tag, body]).toString('base64url');
    },

    open(token, scope, resent) {
      const bytes = Buffer.from(token, 'base64url');
      // The decoder ignores invalid characters. A genuine token encodes back to the same text.
      if (bytes.toString('base64url') !== token || bytes[0] !== LAYOUT)
        throw refusal('is not a cursor of this feed');
      const tag = bytes.subarray(1, 1 + TAG_BYTES);
      if (tag.length !== TAG_BYTES) throw refusal('is not a cursor of this feed');
      const plain = createDecipheriv(CIPHER, cipherKey, tag).update(bytes.subarray(1 + TAG_BYTES));
      if (!timingSafeEqual(sign(plain, scope), tag)) throw refusal('is not a cursor of this listing');

      const [until, last, addedAfter, sealed] = JSON.parse(plain.toString()) as Payload;
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
