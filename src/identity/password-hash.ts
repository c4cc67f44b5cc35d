// Passwords as scrypt hashes (RFC 7914). The parameters are stored with each hash, so that they can be raised later.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../domain/instant.ts';
import type { StoredPassword } from '../store/person.ts';

export type ScryptParameters = Pick<StoredPassword, 'cost' | 'blockSize' | 'parallelization'>;

/** 32 MiB and about a fifth of a second, outside the event loop. */
const PARAMETERS: ScryptParameters = { cost: 2 ** 15, blockSize: 8, parallelization: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export interface PasswordHashing {
  hash(password: string, setAt: Instant): Promise<StoredPassword>;
  /** Takes as long without a stored password as with one. */
  matches(password: string, stored: StoredPassword | undefined): Promise<boolean>;
  /** Whether the hash was made with other parameters than a new one would be. */
  isOutdated(stored: StoredPassword): boolean;
}

export function createPasswordHashing(parameters: ScryptParameters = PARAMETERS): PasswordHashing {
  const nobody: StoredPassword = {
    ...parameters,
    salt: randomBytes(SALT_BYTES).toString('base64'),
    hash: Buffer.alloc(HASH_BYTES).toString('base64'),
    setAt: 0,
  };
  return {
    hash: async (password, setAt) => {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(password, salt, parameters);
      return { ...parameters, salt: salt.toString('base64'), hash: hash.toString('base64'), setAt };
    },
    matches: async (password, stored) => {
      const { salt, hash, ...others } = stored ?? nobody;
      const derived = await derive(password, Buffer.from(salt, 'base64'), others);
      return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored !== undefined;
    },
    isOutdated: ({ cost, blockSize, parallelization }) =>
      cost !== parameters.cost ||
      blockSize !== parameters.blockSize ||
      parallelization !== parameters.parallelization,
  };
}

function derive(
  password: string,
  salt: Buffer,
  { cost, blockSize, parallelization }: ScryptParameters,
): Promise<Buffer> {
  const maxmem = 256 * blockSize * (cost + parallelization + 2);
  return new Promise((resolve, reject) => {
    // The same characters can be typed as different code points, by keyboard and system.
    scrypt(
      password.normalize('NFKC'),
      salt,
      HASH_BYTES,
      { cost, blockSize, parallelization, maxmem },
      (error, hash) => (error === null ? resolve(hash) : reject(error)),
    );
  });
}
