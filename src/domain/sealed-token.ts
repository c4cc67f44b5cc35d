// Sealed tokens: state that a client keeps for the server, such as the position of a walk. A client can neither read nor
// change it.
//
// A token is signed, since a value from a client must not be trusted. It is encrypted, since a position in the store
// counts what the caller may not see. It has a random salt, so that equal positions give different tokens.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto';

export interface TokenSealer {
  /** @param scope names what the token is for. It opens only under this scope, and is not part of the token. */
  seal(state: Uint8Array, scope: string | Uint8Array): string;
  /** The state. Undefined for a token that was not sealed here, or not for this scope. */
  open(token: string, scope: string | Uint8Array): Buffer | undefined;
}

/** First byte of a token. Every layout has its own number. */
const LAYOUT = 2;
const TAG_BYTES = 16;
/** Enough never to repeat among the tokens of one state. */
const SALT_BYTES = 8;
const SALT_POOL = 512;
const CIPHER = 'aes-256-ctr';

/**
 * @param secret of the installation.
 * @param purpose tokens of another purpose have other keys.
 */
export function createTokenSealer(secret: Buffer, purpose: string): TokenSealer {
  const keys = Buffer.from(hkdfSync('sha256', secret, '', purpose, 64));
  // Key objects, since importing raw bytes costs five times as much as using a key.
  const signingKey = createSecretKey(keys.subarray(0, 32));
  const cipherKey = createSecretKey(keys.subarray(32));
  // One call of the random generator costs as much for many salts as for one.
  const salts = Buffer.alloc(SALT_POOL * SALT_BYTES);
  let used = salts.length;

  function nextSalt(): Buffer {
    if (used === salts.length) {
      randomFillSync(salts);
      used = 0;
    }
    used += SALT_BYTES;
    return salts.subarray(used - SALT_BYTES, used);
  }

  // The tag is also the initialisation vector (the SIV construction), so the signed salt is the only randomness needed.
  function sign(plain: Uint8Array, scope: string | Uint8Array): Buffer {
    const hmac = createHmac('sha256', signingKey);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(scope));
    return hmac.update(length).update(scope).update(plain).digest().subarray(0, TAG_BYTES);
  }

  return {
    seal: (state, scope) => {
      const plain = Buffer.concat([nextSalt(), state]);
      const tag = sign(plain, scope);
      const body = createCipheriv(CIPHER, cipherKey, tag).update(plain);
      return Buffer.concat([Buffer.of(LAYOUT), tag, body]).toString('base64url');
    },
    open: (token, scope) => {
      const bytes = Buffer.from(token, 'base64url');
      // The decoder ignores invalid characters. A genuine token encodes back to the same text.
      if (bytes.toString('base64url') !== token || bytes[0] !== LAYOUT) return undefined;
      const tag = bytes.subarray(1, 1 + TAG_BYTES);
      const body = bytes.subarray(1 + TAG_BYTES);
      if (body.length < SALT_BYTES) return undefined;
      const plain = createDecipheriv(CIPHER, cipherKey, tag).update(body);
      return timingSafeEqual(sign(plain, scope), tag) ? plain.subarray(SALT_BYTES) : undefined;
    },
  };
}
