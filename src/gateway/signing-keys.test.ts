import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { errors } from 'jose';
import { ServiceError } from '../domain/errors.ts';
import { ecKey, jwkOf, keySet, type LocalServer, startServer } from './local-issuer.test-support.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';

const first = ecKey('first');
const second = ecKey('second');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let provider: LocalServer;
let now: number;
let keys: SigningKeys;

/** The default time limit is far above every answer of these tests. */
const ofProvider = (timeoutMs = 60_000): SigningKeys =>
  createSigningKeys({ url: `${provider.url}/keys`, clock: () => now, timeoutMs });
const find = (kid: string): Promise<unknown> => keys({ alg: 'ES256', kid });
const assertFound = async (kid: string): Promise<void> =>
  assert.equal((await find(kid)) instanceof CryptoKey, true);
const assertUnknown = (kid: string): Promise<void> => assert.rejects(find(kid), errors.JWKSNoMatchingKey);
const assertUnavailable = (kid: string): Promise<void> =>
  assert.rejects(find(kid), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'unavailable');
    assert.equal(error.details.retryAfterMs, 5_000);
    return true;
  });
const asked = (): number => provider.requests.length;
const fail = (status: number): void => {
  provider.answer = (response) => response.writeHead(status).end();
};

describe('signing keys', () => {
  beforeEach(async () => {
    provider = await startServer(keySet(first));
    now = Date.UTC(2026, 10, 20);
    keys = ofProvider();
  });
  afterEach(() => provider.close());

  it('are fetched when first needed, once for all who wait, and then kept', async () => {
    assert.equal(asked(), 0);
    await Promise.all(Array.from({ length: 50 }, () => assertFound('first')));
    await assertFound('first');
    assert.equal(asked(), 1);
    assert.deepEqual(provider.requests, ['/keys']);
  });

  it('are fetched again when a token names an unknown one', async () => {
    await assertFound('first');
    provider.answer = keySet(first, second);
    now += 5 * SECOND;
    await Promise.all(Array.from({ length: 20 }, () => assertFound('second')));
    assert.equal(asked(), 2);
  });

  it('are not fetched more than once in five seconds for unknown names', async () => {
    await assertFound('first');
    for (let count = 0; count < 20; count++) await assertUnknown(`made up ${count}`);
    assert.equal(asked(), 1);
    now += 5 * SECOND;
    for (let count = 0; count < 20; count++) await assertUnknown(`made up ${count}`);
    assert.equal(asked(), 2);
  });

  it('are forgotten once the provider withdrew them', async () => {
    await assertFound('first');
    provider.answer = keySet(second);
    now += MINUTE - 1;
    await assertFound('first');
    now += 1;
    await assertUnknown('first');
    await assertFound('second');
  });

  it('end a minute after the provider withdrew them, also if the last answer took long', async () => {
    provider.answer = (response) => {
      // The provider withdraws the key while its answer is on the way.
      now += 4 * SECOND;
      provider.answer = keySet(second);
      keySet(first)(response);
    };
    await assertFound('first');
    now += MINUTE - 4 * SECOND;
    await assertUnknown('first');
  });

  it('stay in use while the provider is down, and nobody waits for it', async () => {
    let ask: typeof fetch = fetch;
    keys = createSigningKeys({
      url: provider.url,
      clock: () => now,
      timeoutMs: 60_000,
      fetch: (input, init) => ask(input, init),
    });
    await assertFound('first');
    now += MINUTE;
    ask = async () => {
      throw new TypeError('fetch failed');
    };
    await assertFound('first');
    now += 5 * SECOND;
    // After a failed attempt, nobody waits for one that never ends.
    ask = () => new Promise(() => {});
    await assertFound('first');
  });

  it('are fetched again once the provider is back', async () => {
    fail(500);
    await assertUnavailable('first');
    provider.answer = keySet(first);
    await assertUnavailable('first');
    assert.equal(asked(), 1);
    now += 5 * SECOND;
    await assertFound('first');
  });

  it('can not be known while the provider is down and the name is unknown', async () => {
    await assertFound('first');
    fail(503);
    now += 5 * SECOND;
    await assertUnavailable('second');
    await assertUnavailable('second');
    await assertFound('first');
    assert.equal(asked(), 2);
  });

  it('can not be known when the provider can not be reached', async () => {
    await provider.close();
    await assertUnavailable('first');
  });

  it('can not be known when the provider is slow to begin or to end', async () => {
    keys = ofProvider(300);
    const started = performance.now();
    provider.answer = () => {};
    await assertUnavailable('first');
    provider.answer = (response) => response.writeHead(200).write('{"keys":');
    now += 5 * SECOND;
    await assertUnavailable('first');
    assert.ok(performance.now() - started < 9_000, 'waited beyond the time limit');
  });

  it('are not taken from an answer that is too large, however it is packed', async () => {
    const huge = JSON.stringify({ keys: [jwkOf(first)], padding: 'x'.repeat(300_000) });
    provider.answer = (response) => response.end(huge);
    await assertUnavailable('first');
    provider.answer = (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(huge));
    now += 5 * SECOND;
    await assertUnavailable('first');
    assert.equal(asked(), 2);
  });

  it('are not taken from a redirect', async () => {
    const elsewhere = await startServer(keySet(first));
    provider.answer = (response) => response.writeHead(302, { location: `${elsewhere.url}/keys` }).end();
    await assertUnavailable('first');
    assert.deepEqual(elsewhere.requests, []);
    await elsewhere.close();
  });

  it('survive an answer that is no key set', async () => {
    for (const answer of [
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"keys":{}}',
      '{"keys":[]}',
      '{"keys":[1]}',
      '<html>',
    ]) {
      provider.answer = keySet(first);
      keys = ofProvider();
      await assertFound('first');
      provider.answer = (response) => response.end(answer);
      now += MINUTE;
      await assertFound('first');
    }
  });

  it('stay usable beside junk in the key set, also junk with their name', async () => {
    const jwk = jwkOf(first);
    const junk = [
      ...[null, 1, 'key', true, [], {}, [jwk], { kid: 'first' }],
      ...[
        { ...jwk, kty: 'XX' },
        { ...jwk, kty: 5 },
        { ...jwk, x: undefined },
        { ...jwk, x: 'AAAA', y: 'AAAA' },
      ],
      ...[
        { ...jwk, crv: 'P-999' },
        { kty: 'RSA', kid: 'first', n: {}, e: [] },
        { kty: 'oct', k: 'c2VjcmV0' },
      ],
    ];
    for (const one of [...junk.map((entry) => [entry]), junk]) {
      keys = ofProvider();
      provider.answer = (response) => response.end(JSON.stringify({ keys: [...one, jwk, jwkOf(second)] }));
      await assertFound('first');
      await assertFound('second');
      await assertUnknown('third');
    }
    // Junk alone is a fault of the provider: the last good keys stay.
    provider.answer = (response) => response.end(JSON.stringify({ keys: junk }));
    now += MINUTE;
    await assertFound('first');
  });

  it('are public keys only', async () => {
    const secret = { ...first.privateKey.export({ format: 'jwk' }), kid: 'first', alg: 'ES256' };
    const shared = { kty: 'oct', k: 'c2VjcmV0', kid: 'shared', alg: 'HS256' };
    provider.answer = (response) => response.end(JSON.stringify({ keys: [secret, shared] }));
    await assert.rejects(find('first'), errors.JWKSInvalid);
    await assert.rejects(keys({ alg: 'HS256', kid: 'shared' }), errors.JOSENotSupported);
  });

  it('are fetched again after the clock stepped back, not never', async () => {
    await assertFound('first');
    now -= 60 * MINUTE;
    provider.answer = keySet(second);
    await assertFound('second');
  });
});
