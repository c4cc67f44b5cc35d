// The value of `next` (TAXII 2.1 §3.5): the whole state of a page walk, sealed, so that the server keeps none.
//
// A cursor survives restarts, works on every node, and gives the same page each time. It is signed, since §B.1 says
// that a value from a client must not be trusted, and it is encrypted, since the end of the walk is the newest entry of
// the whole feed, which may lie above the ceiling of the caller. For the same reason one place in the feed has another
// token each time: a token that changes with the end would tell when something was added that its reader may not see.
// The caller's rights are not in it: they are judged anew on every request.

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
import type { DateAdded } from '../store/stores.ts';
import { agrees, canonicalText, type FeedFilter } from './feed-filter.ts';

export interface Cursor {
  /** The end of the walk, fixed by its first page. */
  readonly until: DateAdded;
  /** The last entry given out. */
  readonly last: DateAdded;
  /** Where the walk began; absent when at the start of the feed. */
  readonly addedAfter?: DateAdded;
  readonly filter: FeedFilter;
}

export interface CursorCodec {
  /** @param scope names the listing that is walked: a cursor opens only under the scope it was sealed for. */
  seal(cursor: Cursor, scope: string): string;
  /**
   * @param resent the filter that came along with the token.
   * @throws `invalid_argument` for a token that was not made here, was made for another listing, or goes with
   *   another filter.
   */
  open(token: string, scope: string, resent: FeedFilter): Cursor;
}

/** First byte of a token: another layout gets another number. */
const LAYOUT = 1;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-ctr';

/**
 * A longer filter goes into the token as a fingerprint only, and has to be resent with it: else a token made from a
 * long list of ids, resent with that list, would not fit into a request line.
 */
const MAX_FILTER_CHARS = 2_048;

/** Enough to never meet again among the tokens of one place. */
const SALT_BYTES = 9;

/** What is sealed: until, last, addedAfter, the filter or the fingerprint of a long one, and a salt. */
type Payload = readonly [DateAdded, DateAdded, DateAdded | null, FeedFilter | string, string];

/** @param secret the secret of the installation; the keys of the cursors are derived from it. */
export function cursorCodec(secret: Buffer): CursorCodec {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', 'taxii next cursor', 64));
  // As key objects: importing raw bytes on every use costs five times what the use does.
  const signingKey = createSecretKey(keys.subarray(0, 32));
  const cipherKey = createSecretKey(keys.subarray(32));

  // The signature is also the initialisation vector (the SIV construction), so a salt in what is signed is all the
  // randomness it takes. The scope is signed, not carried.
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
      // The decoder skips characters it does not know: only a token that is written back the same is ours.
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

/** @throws `invalid_argument` when the filter that was resent is not the one of the walk. */
function openedFilter(sealed: FeedFilter | string, resent: FeedFilter): FeedFilter {
  if (typeof sealed !== 'string') {
    if (agrees(resent, sealed)) return sealed;
    throw refusal('belongs to a request with other match filters');
  }
  if (fingerprint(resent) === sealed) return resent;
  throw refusal('belongs to a request with a long match filter, which has to be resent unchanged');
}

function fingerprint(filter: FeedFilter): string {
  return createHash('sha256').update(canonicalText(filter)).digest('base64url');
}

function refusal(description: string): ServiceError {
  return invalidArgument([{ field: 'next', description }], 'INVALID_CURSOR');
}
