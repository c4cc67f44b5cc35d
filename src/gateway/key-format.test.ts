import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { generateKey, type KeyKind, parseKey, shownParts } from './key-format.ts';

const kinds = fc.constantFrom<KeyKind>('client', 'sensor');
const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 });
const keys = fc
  .tuple(kinds, secrets)
  .map(([kind, secret]) => ({ kind, key: generateKey(kind, () => Buffer.from(secret)) }));

describe('the form of an API key', () => {
  it('is the prefix, 43 characters of the secret and 6 of the checksum', () => {
    assert.match(generateKey('client'), /^tis_[0-9A-Za-z]{49}$/);
    assert.match(generateKey('sensor'), /^tiss_[0-9A-Za-z]{49}$/);
  });

  it('holds all 256 bits, padded on the left', () => {
    assert.equal(generateKey('client', (size) => Buffer.alloc(size)).slice(4, 47), '0'.repeat(43));
    const last = generateKey('client', (size) => Buffer.alloc(size, 0xff)).slice(4, 47);
    let value = 0n;
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (const digit of last) value = value * 62n + BigInt(alphabet.indexOf(digit));
    assert.equal(value, 2n ** 256n - 1n);
  });

  it('ends in the CRC-32 of all that stands before, as base62', () => {
    const key = generateKey('sensor');
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    let value = 0;
    for (const digit of key.slice(-6)) value = value * 62 + alphabet.indexOf(digit);
    assert.equal(value, crc32(key.slice(0, -6)));
  });

  it('is never the same twice', () => {
    assert.equal(new Set(Array.from({ length: 1000 }, () => generateKey('client'))).size, 1000);
  });
});

describe('parseKey', () => {
  it('reads what generateKey writes', () => {
    fc.assert(
      fc.property(keys, ({ kind, key }) => {
        assert.deepEqual(parseKey(key), { kind, hash: createHash('sha256').update(key).digest('hex') });
      }),
    );
  });

  it('refuses any single-character change', () => {
    const characters = fc.string({ minLength: 1, maxLength: 1, unit: 'binary-ascii' });
    fc.assert(
      fc.property(keys, fc.nat(52), characters, ({ key }, place, character) => {
        fc.pre(key[place] !== character);
        assert.equal(parseKey(key.slice(0, place) + character + key.slice(place + 1)), undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses every base62 change at every place of one key', () => {
    const key = generateKey('client');
    for (let place = 0; place < key.length; place++) {
      for (const character of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_') {
        if (key[place] === character) continue;
        assert.equal(parseKey(key.slice(0, place) + character + key.slice(place + 1)), undefined);
      }
    }
  });

  it('refuses a missing or an added character, and two neighbours swapped', () => {
    fc.assert(
      fc.property(keys, fc.nat(52), ({ key }, place) => {
        assert.equal(parseKey(key.slice(0, place) + key.slice(place + 1)), undefined);
        assert.equal(parseKey(`${key.slice(0, place)}s${key.slice(place)}`), undefined);
        const swapped =
          key.slice(0, place) + (key[place + 1] ?? '') + (key[place] ?? '') + key.slice(place + 2);
        if (swapped !== key) assert.equal(parseKey(swapped), undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a client key turned into a sensor key', () => {
    const key = generateKey('client');
    assert.equal(parseKey(key.replace('tis_', 'tiss_')), undefined);
  });

  it('refuses anything else', () => {
    const key = generateKey('client');
    for (const text of [
      '',
      'tis_',
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      `${key}${key}`,
      'x'.repeat(100_000),
    ]) {
      assert.equal(parseKey(text), undefined);
    }
    fc.assert(fc.property(fc.string({ unit: 'binary-ascii' }), (text) => parseKey(text) === undefined));
  });
});

describe('shownParts', () => {
  it('shows the prefix with four characters, and the last four', () => {
    const key = generateKey('sensor');
    assert.deepEqual(shownParts(key), { prefix: key.slice(0, 9), lastFour: key.slice(-4) });
    assert.equal(shownParts(generateKey('client')).prefix.length, 8);
  });
});
