import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import type { Caller } from './caller.ts';
import { createIdentityTokens, type IdentityTokens, type IdentityTokensConfig } from './identity-tokens.ts';
import {
  ecKey,
  edKey,
  encode,
  jwkOf,
  keySet,
  type LocalServer,
  rsaKey,
  signToken,
  startServer,
  type TestKey,
} from './local-issuer.test-support.ts';
import { createSigningKeys } from './signing-keys.ts';
import { type ClaimRules, callerOf } from './token-claims.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const SECONDS = NOW / 1_000;
const ISSUER = 'https://id.example.org/';
const AUDIENCE = 'https://indicators.example.org';

const rsa = rsaKey('rsa-1');
/** Published without `alg`, so only the token names the algorithm. */
const unbound = rsaKey('rsa-unbound');
const stranger = rsaKey('rsa-1');

const CLAIMS = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'auth0|analyst-7',
  iat: SECONDS - 60,
  exp: SECONDS + 3_600,
  scope: 'openid indicators:read indicators:verify',
};

const header = (key: TestKey, more: object = {}): object => ({
  alg: key.alg,
  kid: key.kid,
  typ: 'at+jwt',
  ...more,
});
const token = (claims: object = {}, headers: object = {}, key = rsa): string =>
  signToken(header(key, headers), { ...CLAIMS, ...claims }, key.privateKey, key.alg);
const without = (claim: keyof typeof CLAIMS): string => {
  const { [claim]: _, ...claims } = CLAIMS;
  return signToken(header(rsa), claims, rsa.privateKey, 'RS256');
};

let provider: LocalServer;
let honeypot: LocalServer;
let fetched: string[];
let tokens: IdentityTokens;

interface Settings extends ClaimRules, Partial<IdentityTokensConfig> {
  readonly jwksUrl?: string;
}

const create = ({ jwksUrl = `${provider.url}/keys`, ...config }: Settings = {}): IdentityTokens =>
  createIdentityTokens({
    issuer: ISSUER,
    audience: AUDIENCE,
    signingKeys: createSigningKeys({
      url: jwksUrl,
      clock: () => NOW,
      fetch: (input, init) => {
        fetched.push(String(input));
        return fetch(input, init);
      },
    }),
    callerOf: (claims) => callerOf(claims, config),
    clock: () => NOW,
    ...config,
  });

const allKeys = [
  rsa,
  ecKey('p256'),
  ecKey('p384', 'P-384', 'ES384'),
  ecKey('p521', 'P-521', 'ES512'),
  edKey('ed'),
];

before(async () => {
  const keys = [...allKeys.map(jwkOf), { ...jwkOf(unbound), alg: undefined }];
  provider = await startServer((response) => response.end(JSON.stringify({ keys })));
  honeypot = await startServer(keySet(stranger));
});
after(async () => {
  await provider.close();
  await honeypot.close();
});
/** Called in each group: a hook of the file would run for every test of all unit files, which share one process. */
function startFresh(): void {
  beforeEach(() => {
    fetched = [];
    tokens = create();
  });
}

async function assertRefused(bad: string, judge: IdentityTokens = tokens): Promise<void> {
  await assert.rejects(judge.verify(bad), (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'unauthenticated');
    assert.equal(error.message, 'the credential is not valid');
    assert.equal(error.details.reason, 'CREDENTIAL_INVALID');
    assert.equal(typeof error.details.cause, 'string');
    assertSaysNothing(String(error.details.cause), bad);
    return true;
  });
}

/** The cause goes to the log, so it must not contain any part of the token, encoded or decoded. */
function assertSaysNothing(cause: string, bad: string): void {
  for (const part of bad.split('.').filter((text) => text.length > 8)) {
    assert.ok(!cause.includes(part.slice(0, 8)) && !cause.includes('analyst-7'), cause);
    assert.ok(!cause.includes(Buffer.from(part, 'base64url').toString().slice(0, 8)), cause);
  }
}

describe('a valid token', () => {
  startFresh();

  it('makes a caller', async () => {
    assert.deepEqual(await tokens.verify(token()), {
      credential: 'jwt',
      id: `${ISSUER}|auth0|analyst-7`,
      account: 'default',
      actor: 'auth0|analyst-7',
      name: 'auth0|analyst-7',
      scopes: new Set(['indicators:read', 'indicators:verify']),
      ceiling: 'AMBER_STRICT',
      reliability: 0.7,
      expiresAt: NOW + 3_600_000,
    } satisfies Caller);
  });

  it('may be signed by every pinned algorithm', async () => {
    for (const alg of ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']) {
      const signed = signToken({ ...header(unbound), alg }, CLAIMS, unbound.privateKey, alg);
      assert.equal((await tokens.verify(signed)).actor, CLAIMS.sub);
    }
    for (const key of allKeys) {
      const signed = signToken(header(key), CLAIMS, key.privateKey, key.alg);
      assert.equal((await tokens.verify(signed)).actor, CLAIMS.sub);
    }
  });

  it('may have the type JWT, at+jwt or none', async () => {
    for (const typ of ['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', undefined]) {
      await tokens.verify(token({}, { typ }));
    }
  });

  it('may be for several audiences, ours among them', async () => {
    await tokens.verify(token({ aud: ['https://other.example.org', AUDIENCE] }));
  });

  it('may be issued up to 30 s ahead of our clock', async () => {
    await tokens.verify(token({ iat: SECONDS + 29, nbf: SECONDS + 29 }));
    await assertRefused(token({ nbf: SECONDS + 31 }));
    await assertRefused(token({ iat: SECONDS + 31 }));
  });

  it('ends at its exp and not later', async () => {
    await tokens.verify(token({ exp: SECONDS + 1 }));
    await assertRefused(token({ exp: SECONDS }));
  });

  it('carries no key into the decision: key members of its header are not looked at', async () => {
    await tokens.verify(
      token({}, { jku: `${honeypot.url}/jku`, jwk: jwkOf(stranger), x5u: `${honeypot.url}/x5u` }),
    );
    assert.deepEqual(honeypot.requests, []);
    assert.deepEqual(fetched, [`${provider.url}/keys`]);
  });
});

describe('a forged or foreign token', () => {
  startFresh();

  const text = (value: object): string => JSON.stringify(value);
  const unsigned = (alg: string): string => `${encode({ alg, typ: 'JWT' })}.${encode(CLAIMS)}.`;
  const hmac = (alg: string, secret: string | Buffer): string => {
    const input = `${encode({ alg, kid: rsa.kid, typ: 'JWT' })}.${encode(CLAIMS)}`;
    return `${input}.${createHmac(`sha${alg.slice(2)}`, secret)
      .update(input)
      .digest('base64url')}`;
  };
  const forged = (headers: object): string =>
    signToken({ alg: 'RS256', typ: 'JWT', ...headers }, CLAIMS, stranger.privateKey, 'RS256');
  const inflated = (size: number): string => token({ padding: 'x'.repeat(size) });

  const cases: Record<string, () => string | readonly string[]> = {
    'without an algorithm': () => ['none', 'None', 'NONE', 'nOnE', ''].map(unsigned),
    'without an algorithm, keeping a real signature': () =>
      ['none', 'None'].map((alg) => token().replace(/^[^.]+/, encode({ alg, kid: rsa.kid }))),
    'signed with the public key as a shared secret': () => {
      const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
      const der = rsa.publicKey.export({ type: 'spki', format: 'der' });
      return ['HS256', 'HS384', 'HS512'].flatMap((alg) => [
        hmac(alg, pem),
        hmac(alg, der),
        hmac(alg, JSON.stringify(jwkOf(rsa))),
        hmac(alg, ''),
      ]);
    },
    'of one RSA scheme passed off as the other': () => [
      signToken(header(rsa, { alg: 'PS256' }), CLAIMS, rsa.privateKey, 'RS256'),
      signToken(header(rsa, { alg: 'PS256' }), CLAIMS, rsa.privateKey, 'PS256'),
      signToken(header(rsa, { alg: 'RS256' }), CLAIMS, rsa.privateKey, 'PS256'),
      signToken(header(unbound, { alg: 'PS256' }), CLAIMS, unbound.privateKey, 'RS256'),
      signToken(header(unbound, { alg: 'RS256' }), CLAIMS, unbound.privateKey, 'PS256'),
    ],
    'of an algorithm for another kind of key': () =>
      ['ES256', 'EdDSA', 'RSA-OAEP', 'dir'].map((alg) =>
        signToken(header(rsa, { alg }), CLAIMS, rsa.privateKey, 'RS256'),
      ),
    'signed by another key of the same name': () => token({}, {}, stranger),
    'that brings its own key': () => [
      forged({ jwk: jwkOf(stranger) }),
      forged({ jwk: jwkOf(stranger), kid: stranger.kid }),
      forged({ jwk: jwkOf(stranger), kid: 'unknown' }),
    ],
    'that says where its key is': () => [
      forged({ jku: `${honeypot.url}/jwks.json` }),
      forged({ jku: `${honeypot.url}/jwks.json`, kid: 'unknown' }),
      forged({ x5u: `${honeypot.url}/cert.pem`, kid: stranger.kid }),
      forged({ x5u: `${honeypot.url}/cert.pem`, x5c: ['MIIB'], kid: 'unknown' }),
      forged({ kid: `${honeypot.url}/jwks.json` }),
    ],
    'whose kid is a path, SQL or no string': () =>
      [
        '../../../../dev/null',
        '/dev/null',
        "' UNION SELECT 'secret' --",
        'rsa-1\u0000',
        '__proto__',
        'x'.repeat(4_000),
        { $gt: '' },
        ['rsa-1'],
        null,
        0,
      ].map((kid) => forged({ kid })),
    'for another audience': () =>
      [
        undefined,
        null,
        '',
        'https://other.example.org',
        `${AUDIENCE}/`,
        [],
        ['x'],
        { 0: AUDIENCE },
        AUDIENCE.slice(1),
      ].map((aud) => token({ aud })),
    'of another issuer': () =>
      [undefined, null, '', 'https://id.example.org', `${ISSUER}x`, [ISSUER], ISSUER.toUpperCase()].map(
        (iss) => token({ iss }),
      ),
    'without an expiry': () => without('exp'),
    'whose expiry is not a number': () =>
      [`${CLAIMS.exp}`, null, true, [CLAIMS.exp], {}].map((exp) => token({ exp })),
    'whose expiry is past': () => [SECONDS - 1, SECONDS - 86_400, 0, -1].map((exp) => token({ exp })),
    'whose expiry is far ahead': () => [
      ...[SECONDS + 31 * 86_400, CLAIMS.exp * 1_000, 2 ** 53, 1e300].map((exp) => token({ exp })),
      signToken(header(rsa), text(CLAIMS).replace(/"exp":\d+/, '"exp":1e999'), rsa.privateKey, 'RS256'),
    ],
    'not valid yet': () => [SECONDS + 3_000, `${SECONDS}`, null, 1e300].map((nbf) => token({ nbf })),
    'issued in the future': () => [SECONDS + 3_000, `${SECONDS}`, null, 1e300].map((iat) => token({ iat })),
    'with critical headers': () => [
      token({}, { crit: ['exp'], exp: CLAIMS.exp }),
      token({}, { crit: ['urn:example:policy'], 'urn:example:policy': true }),
      token({}, { crit: [] }),
      token({}, { crit: 'b64' }),
      token({}, { crit: ['alg'] }),
    ],
    'with an unencoded payload': () => {
      const head = encode(header(rsa, { b64: false, crit: ['b64'] }));
      const raw = signToken(header(rsa, { b64: false, crit: ['b64'] }), CLAIMS, rsa.privateKey, 'RS256');
      return [raw, raw.replace(/^[^.]+\.[^.]+/, `${head}.${text(CLAIMS)}`), token({}, { b64: false })];
    },
    'that is an ID token': () => [
      token({ nonce: 'n-0S6' }),
      token({ at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }),
      token({ c_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }),
    ],
    'of another type': () =>
      ['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'jwe', 'JOSE', '', 5, null, ['JWT']].map((typ) =>
        token({}, { typ }),
      ),
    'that is a logout token': () =>
      token({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
    'without a subject': () => [
      without('sub'),
      ...['', null, 7, 'x'.repeat(256), 'a\nb'].map((sub) => token({ sub })),
    ],
    'of more than 8 KiB': () => [inflated(8_192), inflated(1_000_000)],
    'that says something twice': () => [
      signToken(header(rsa), `{"exp":${CLAIMS.exp},${text(CLAIMS).slice(1)}`, rsa.privateKey, 'RS256'),
      signToken(header(rsa), `{"\\u0073ub":"admin",${text(CLAIMS).slice(1)}`, rsa.privateKey, 'RS256'),
      signToken(`{"alg":"RS256",${text(header(rsa)).slice(1)}`, CLAIMS, rsa.privateKey, 'RS256'),
      signToken(header(rsa), `${text(CLAIMS).slice(0, -1)},"x":{"y":1,"y":2}}`, rsa.privateKey, 'RS256'),
    ],
    'that is no token': () => [
      '',
      '.',
      '..',
      '...',
      'a.b.c',
      `${token()}.`,
      `${token()}.x.y`,
      token().slice(0, -1),
      token().split('.').slice(0, 2).join('.'),
      ...['null', '[]', '"x"', '1', '{', 'secret secret', ''].flatMap((json) => [
        signToken(json, CLAIMS, rsa.privateKey, 'RS256'),
        signToken(header(rsa), json, rsa.privateKey, 'RS256'),
      ]),
    ],
    'changed anywhere after signing': () => {
      const [head = '', , signature = ''] = token().split('.');
      return [
        `${head}.${encode({ ...CLAIMS, scope: 'admin' })}.${signature}`,
        `${encode(header(rsa, { x: 1 }))}.${encode(CLAIMS)}.${signature}`,
        `${head}.${encode(CLAIMS)}.${Buffer.alloc(256).toString('base64url')}`,
        `${head}.${encode(CLAIMS)}.`,
      ];
    },
  };

  for (const [name, make] of Object.entries(cases)) {
    it(`is refused when it is one ${name}`, async () => {
      const made = make();
      for (const bad of typeof made === 'string' ? [made] : made) await assertRefused(bad);
      assert.deepEqual(honeypot.requests, []);
      assert.ok(fetched.every((url) => url === `${provider.url}/keys`));
    });
  }

  it('without an expiry says so in the log', async () => {
    await assert.rejects(tokens.verify(without('exp')), (error) => {
      assert.match(String((error as ServiceError).details.cause), /missing required "exp"/);
      return true;
    });
  });

  it('of an algorithm that is not pinned is refused before any key is looked for', async () => {
    for (const alg of ['HS256', 'none', 'Ed25519', 'ML-DSA-44']) await assertRefused(token({}, { alg }));
    assert.deepEqual(fetched, []);
  });

  it('of another issuer does not even cause a look-up of keys', async () => {
    await assertRefused(token({ iss: 'https://evil.example.org' }));
    assert.deepEqual(fetched, []);
  });
});

describe('what the claims grant', () => {
  startFresh();

  const scopes = async (claims: object): Promise<string[]> =>
    [...(await tokens.verify(token({ scope: undefined, ...claims }))).scopes].sort();

  it('reads scopes from scope, scp and permissions', async () => {
    assert.deepEqual(await scopes({ scope: 'indicators:read usage:read' }), [
      'indicators:read',
      'usage:read',
    ]);
    assert.deepEqual(await scopes({ scope: ['indicators:read'] }), ['indicators:read']);
    assert.deepEqual(await scopes({ scp: 'indicators:read' }), ['indicators:read']);
    assert.deepEqual(await scopes({ scp: ['indicators:read', 'admin'] }), ['admin', 'indicators:read']);
    assert.deepEqual(await scopes({ permissions: ['indicators:verify'], scp: 'usage:read' }), [
      'indicators:verify',
      'usage:read',
    ]);
  });

  it('matches scopes exactly', async () => {
    for (const scope of [
      'indicators:reader',
      'indicators:rea',
      'xindicators:read',
      'INDICATORS:READ',
      'indicators:read,usage:read',
      'indicators:read\tusage:read',
      'indicators:*',
      '*',
      ['indicators:read usage:read'],
      [['indicators:read']],
      { 'indicators:read': true },
      7,
      null,
    ]) {
      assert.deepEqual(await scopes({ scope }), [], JSON.stringify(scope));
    }
  });

  it('takes the account from the configured claim', async () => {
    const judge = create({ accountClaim: 'https://example.org/account' });
    const account = async (claims: object): Promise<string> => (await judge.verify(token(claims))).account;
    assert.equal(await account({ 'https://example.org/account': 'plant-4' }), 'plant-4');
    assert.equal(await account({}), 'default');
    assert.equal((await tokens.verify(token({ account: 'plant-4' }))).account, 'default');
    assert.equal((await create({ accountClaim: 'toString' }).verify(token())).account, 'default');
  });

  it('guesses no account from a claim that names none', async () => {
    const judge = create({ accountClaim: 'org' });
    for (const org of ['', ' ', 'a\nb', 7, null, ['plant-4'], { id: 'x' }, 'x'.repeat(101)]) {
      await assertRefused(token({ org }), judge);
    }
  });

  it('takes the TLP ceiling from tlp_ceiling, else from the configuration', async () => {
    const ceiling = async (claims: object, judge = tokens): Promise<string> =>
      (await judge.verify(token(claims))).ceiling;
    assert.equal(await ceiling({ tlp_ceiling: 'green' }), 'GREEN');
    assert.equal(await ceiling({ tlp_ceiling: 'TLP_MARKING_RED' }), 'RED');
    assert.equal(await ceiling({}, create({ ceiling: 'CLEAR' })), 'CLEAR');
    for (const bad of ['purple', 'UNSPECIFIED', '', 5, null, ['RED']])
      await assertRefused(token({ tlp_ceiling: bad }));
  });
});

describe('createIdentityTokens', () => {
  startFresh();

  it('refuses to run without an issuer, an audience and a key set', () => {
    for (const config of [
      { issuer: '' },
      { audience: '' },
      { jwksUrl: '' },
      { jwksUrl: 'file:///etc/keys.json' },
    ]) {
      assert.throws(() => create(config), TypeError);
    }
  });
});
