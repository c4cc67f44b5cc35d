import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import type { ApiKey } from '../store/api-key.ts';
import { createGateway, type Gateway } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { credentialInvalid } from './credential.ts';
import type { IdentityTokens } from './identity-tokens.ts';
import { generateKey, parseKey } from './key-format.ts';

const HERE = '192.0.2.10';
const PERSON: Caller = {
  credential: 'jwt',
  id: 'issuer|person',
  account: 'default',
  actor: 'person',
  name: 'person',
  scopes: new Set(['admin']),
  ceiling: 'RED',
  reliability: 0.7,
};
const identityTokens: IdentityTokens = {
  verify: async (token) => {
    if (token !== 'a.valid.token') throw credentialInvalid('no valid token');
    return PERSON;
  },
};

let now: number;
let stored: Map<string, ApiKey>;
let lookups: string[];
let lookUp: (hash: string) => Promise<ApiKey | undefined>;
let gateway: Gateway;

/** Called in each group: a hook of the file would run for every test of all unit files, which share one process. */
function startFresh(): void {
  beforeEach(() => {
    now = Date.UTC(2026, 10, 20);
    stored = new Map();
    lookups = [];
    lookUp = async (hash) => stored.get(hash);
    gateway = create();
  });
}

const create = (options: Partial<Parameters<typeof createGateway>[0]> = {}): Gateway =>
  createGateway({
    keys: {
      byHash: (hash) => {
        lookups.push(hash);
        return lookUp(hash);
      },
    },
    identityTokens,
    clock: () => now,
    ...options,
  });

function store(
  fields: Partial<ApiKey> = {},
  text = generateKey(fields.sensor ? 'sensor' : 'client'),
): string {
  stored.set(parseKey(text)?.hash ?? '', {
    id: `key ${stored.size}`,
    createdBy: 'cli',
    name: 'siem',
    account: 'plant-4',
    sensor: false,
    scopes: ['indicators:read'],
    tlpCeiling: 'GREEN',
    reliability: 0.5,
    sources: [],
    sourceRanges: [],
    prefix: text.slice(0, 8),
    lastFour: text.slice(-4),
    createdAt: now,
    ...fields,
  });
  return text;
}

/** As the gate asks: first for what is at hand. */
const ask = async (token: string, address = HERE): Promise<Caller> => {
  const headers = { authorization: `Bearer ${token}` };
  return gateway.recognise?.(headers, address) ?? gateway.authenticate(headers, address);
};
const askTaxii = async (authorization: string): Promise<Caller> =>
  gateway.recogniseTaxii?.({ authorization }, HERE) ?? gateway.authenticateTaxii({ authorization }, HERE);

const assertUnauthenticated = (asked: Promise<unknown>, cause?: RegExp): Promise<void> =>
  assert.rejects(asked, (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'unauthenticated');
    if (cause !== undefined) {
      assert.match(String(error.details.cause), cause);
      assert.equal(error.message, 'the credential is not valid');
      assert.equal(error.details.reason, 'CREDENTIAL_INVALID');
    }
    return true;
  });

describe('an API key', () => {
  startFresh();

  it('makes a caller with the rights of the key', async () => {
    const key = store({ id: 'id-1', sources: ['CISA'], expiresAt: now + 1_000 });
    assert.deepEqual(await ask(key), {
      credential: 'api-key',
      id: 'id-1',
      account: 'plant-4',
      actor: 'id-1',
      name: 'siem',
      scopes: new Set(['indicators:read']),
      ceiling: 'GREEN',
      reliability: 0.5,
      sources: ['CISA'],
      expiresAt: now + 1_000,
    } satisfies Caller);
    assert.equal((await ask(store({ sensor: true, scopes: [] }))).credential, 'sensor-key');
  });

  it('is refused with one message, whatever is wrong with it', async () => {
    await assertUnauthenticated(ask(generateKey('client')), /not known/);
    await assertUnauthenticated(ask(store({ revokedAt: now - 1 })), /revoked/);
    await assertUnauthenticated(ask(store({ expiresAt: now })), /expired/);
    await assertUnauthenticated(ask(store({ sourceRanges: ['198.51.100.0/24'] })), /source ranges/);
    await assertUnauthenticated(ask('tis_mistyped'), /neither/);
  });

  it('is never repeated in an error', async () => {
    const key = store({ revokedAt: now });
    await assert.rejects(ask(key), (error) => {
      assert.ok(!JSON.stringify([error, String(error), (error as Error).cause]).includes(key.slice(4, 20)));
      return true;
    });
  });

  it('with a wrong checksum costs no look-up', async () => {
    const key = store();
    await assertUnauthenticated(ask(key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')));
    assert.deepEqual(lookups, []);
  });

  it('is judged by its source ranges on every request', async () => {
    const key = store({ sourceRanges: ['198.51.100.0/24', '2001:db8::/32'] });
    for (const address of ['198.51.100.7', '::ffff:198.51.100.7', '2001:db8::7']) {
      assert.equal((await ask(key, address)).name, 'siem');
    }
    for (const address of [HERE, '::1', '', 'nonsense']) await assertUnauthenticated(ask(key, address));
    assert.equal(lookups.length, 1);
  });

  it('with ranges that can not be read is good nowhere', async () => {
    await assertUnauthenticated(ask(store({ sourceRanges: ['everywhere'] })), /source ranges/);
  });

  it('ends at its expiry, also while it is remembered', async () => {
    const key = store({ expiresAt: now + 100 });
    await ask(key);
    now += 99;
    await ask(key);
    now += 1;
    await assertUnauthenticated(ask(key), /expired/);
    assert.equal(lookups.length, 1);
  });
});

describe('a remembered key', () => {
  startFresh();

  it('is looked up once in half a second', async () => {
    const key = store();
    for (const step of [0, 100, 200, 199]) {
      now += step;
      await ask(key);
    }
    assert.equal(lookups.length, 1);
    now += 1;
    await ask(key);
    assert.equal(lookups.length, 2);
  });

  it('is refused within a second of its revocation, under any load', async () => {
    const key = store();
    await ask(key);
    now += 499;
    store({ revokedAt: now }, key);
    const revokedAt = now;
    let accepted = 0;
    for (; now < revokedAt + 2_000; now += 1) {
      await ask(key).then(
        () => {
          accepted++;
          assert.ok(now - revokedAt < 500, `accepted ${now - revokedAt} ms after the revocation`);
        },
        () => {},
      );
    }
    assert.equal(accepted, 1);
  });

  it('is not revived by a clock that steps back', async () => {
    const key = store({ revokedAt: now });
    await assertUnauthenticated(ask(key), /revoked/);
    now -= 3_600_000;
    await assertUnauthenticated(ask(key), /revoked/);
  });

  it('is read again after the clock stepped back', async () => {
    const key = store();
    await ask(key);
    store({ revokedAt: now }, key);
    now -= 3_600_000;
    await assertUnauthenticated(ask(key), /revoked/);
  });

  it('is dated by the beginning of its look-up', async () => {
    const key = store();
    let answer: (key: ApiKey | undefined) => void = () => {};
    const before = stored.get(parseKey(key)?.hash ?? '');
    lookUp = () => new Promise((resolve) => (answer = resolve));
    const slow = ask(key);
    now += 600;
    store({ revokedAt: now }, key);
    answer(before);
    await slow;
    lookUp = async (hash) => stored.get(hash);
    await assertUnauthenticated(ask(key), /revoked/);
  });

  it('is looked up once for all who ask at the same time', async () => {
    const key = store();
    let answer: (key: ApiKey | undefined) => void = () => {};
    lookUp = () => new Promise((resolve) => (answer = resolve));
    const asked = Array.from({ length: 100 }, () => ask(key));
    answer(stored.get(parseKey(key)?.hash ?? ''));
    assert.equal((await Promise.all(asked)).length, 100);
    assert.equal(lookups.length, 1);
  });

  it('is not what an unknown one becomes: a key works from its creation on', async () => {
    const key = generateKey('client');
    await assertUnauthenticated(ask(key), /not known/);
    store({}, key);
    await ask(key);
  });

  it('is not what a failed look-up leaves behind', async () => {
    const key = store();
    lookUp = async () => {
      throw new ServiceError('unavailable', 'the store is away', { reason: 'STORE_UNAVAILABLE' });
    };
    const away = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';
    await Promise.all([assert.rejects(ask(key), away), assert.rejects(ask(key), away)]);
    assert.equal(lookups.length, 1);
    lookUp = async (hash) => stored.get(hash);
    await ask(key);
  });

  it('is one of a bounded number', async () => {
    gateway = create({ maxKeys: 3 });
    const keys = Array.from({ length: 4 }, () => store());
    for (const key of keys) await ask(key);
    for (const key of keys.slice(1)) await ask(key);
    assert.equal(lookups.length, 4);
    await ask(keys[0]!);
    assert.equal(lookups.length, 5);
  });
});

describe('authenticate', () => {
  startFresh();

  it('tells an absent credential from a bad one', async () => {
    for (const authorization of [
      undefined,
      '',
      'Basic dTpw',
      'Token abc',
      `Bearer ${'a'.repeat(1_000_000)}`,
    ]) {
      await assert.rejects(gateway.authenticate({ authorization }, HERE), (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.details.reason, 'CREDENTIAL_MISSING');
        assert.equal(error.code, 'unauthenticated');
        return true;
      });
    }
  });

  it('says what each interface takes', async () => {
    const messageOf = (refused: Promise<Caller>) => refused.then(String, ({ message }: Error) => message);
    const rest = await messageOf(gateway.authenticate({ authorization: 'Basic ' }, HERE));
    assert.match(rest, /\bBearer\b/);
    assert.doesNotMatch(rest, /\b(Basic|Token)\b/);
    for (const authorization of [undefined, 'Basic bm9jb2xvbg==', `Token ${'a'.repeat(9_000)}`]) {
      const taxii = await messageOf(gateway.authenticateTaxii({ authorization }, HERE));
      for (const scheme of ['Basic', 'Token', 'Bearer']) assert.match(taxii, new RegExp(`\\b${scheme}\\b`));
    }
  });

  it('hands identity tokens on, and refuses them where none are configured', async () => {
    assert.equal(await ask('a.valid.token'), PERSON);
    await assertUnauthenticated(ask('an.invalid.token'));
    gateway = createGateway({ keys: { byHash: lookUp }, clock: () => now });
    await assertUnauthenticated(ask('a.valid.token'), /not configured/);
  });

  it('recognises a valid key for half a second, and nothing else', async () => {
    const [key, other] = [store({ sourceRanges: ['198.51.100.0/24'] }), store()];
    const recognise = (token: string, address = '198.51.100.7') =>
      gateway.recognise?.({ authorization: `Bearer ${token}` }, address)?.name;
    assert.equal(recognise(key), undefined);
    await ask(key, '198.51.100.7');
    await assertUnauthenticated(ask(generateKey('client')));
    assert.deepEqual(
      [recognise(key), recognise(other), recognise(key, HERE)],
      ['siem', undefined, undefined],
    );
    assert.equal(gateway.recogniseTaxii?.({ authorization: `Bearer ${key}` }, '198.51.100.7'), undefined);
    now += 500;
    assert.equal(recognise(key), undefined);
  });

  it('takes a key as Bearer only', async () => {
    const key = store();
    await ask(key);
    for (const authorization of [`Token ${key}`, `Basic ${btoa(`u:${key}`)}`, key]) {
      await assertUnauthenticated(gateway.authenticate({ authorization }, HERE));
    }
  });
});

describe('authenticateTaxii', () => {
  startFresh();

  it('takes a key in every form TAXII clients send', async () => {
    const key = store();
    for (const header of [
      `Bearer ${key}`,
      `token ${key}`,
      `basic ${btoa(`any:${key}`)}`,
      `Basic ${btoa(`${key}:`)}`,
    ]) {
      assert.equal((await askTaxii(header)).name, 'siem');
    }
  });

  it('knows the person of a valid identity token in any form, and nobody by an invalid one', async () => {
    for (const form of [
      (token: string) => `Bearer ${token}`,
      (token: string) => `Basic ${btoa(`u:${token}`)}`,
    ]) {
      assert.equal(await askTaxii(form('a.valid.token')), PERSON);
      await assertUnauthenticated(askTaxii(form('an.invalid.token')));
    }
  });

  it('refuses bad keys as everywhere', async () => {
    await assertUnauthenticated(askTaxii(`Token ${generateKey('client')}`), /not known/);
    await assertUnauthenticated(askTaxii('Token'));
  });
});
