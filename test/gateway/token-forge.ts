// An identity provider and forged tokens with one fault each, after RFC 8725 and known attacks.
// seen in the wild.

import { createHmac } from 'node:crypto';
import {
  encode,
  jwkOf,
  keySet,
  type LocalServer,
  rsaKey,
  signToken,
  startServer,
} from '../../src/gateway/local-issuer.test-support.ts';

const AUDIENCE = 'https://indicators.example.org';
const MINUTE_S = 60;
const DAY_S = 86_400;

export type Claims = Readonly<Record<string, unknown>>;

export interface Forge {
  readonly settings: Readonly<Record<string, string>>;
  /** The key server of the provider. */
  readonly provider: LocalServer;
  /** A server that forged tokens name. The service must never request it. */
  readonly honeypot: LocalServer;
  /** A genuine token. Given members replace the usual ones; undefined removes one. */
  token(claims?: Claims, header?: Claims): string;
  /** Forged tokens by fault. Each must be refused with 401. */
  readonly attacks: Readonly<Record<string, readonly string[]>>;
  close(): Promise<void>;
}

export async function startForge(): Promise<Forge> {
  const key = rsaKey('main');
  const stranger = rsaKey('main');
  const provider = await startServer(keySet(key));
  const honeypot = await startServer(keySet(stranger));
  const now = Math.floor(Date.now() / 1_000);
  const usualHeader = { alg: 'RS256', kid: 'main', typ: 'at+jwt' };
  const usualClaims = {
    iss: provider.url,
    aud: AUDIENCE,
    sub: 'ann',
    iat: now,
    exp: now + 10 * MINUTE_S,
    scope: 'indicators:read',
  };

  const token = (claims: Claims = {}, header: Claims = {}, { privateKey } = key, alg = 'RS256') =>
    signToken({ ...usualHeader, ...header }, { ...usualClaims, ...claims }, privateKey, alg);
  const claiming = (claims: readonly Claims[]) => claims.map((one) => token(one));
  const bringing = (headers: readonly Claims[]) => headers.map((header) => token({}, header, stranger));
  const unsigned = (alg: string) => `${encode({ alg, typ: 'JWT' })}.${encode(usualClaims)}.`;
  const shared = (alg: string, secret: string | Buffer) => {
    const input = `${encode({ ...usualHeader, alg })}.${encode(usualClaims)}`;
    const digest = createHmac(`sha${alg.slice(2)}`, secret)
      .update(input)
      .digest('base64url');
    return `${input}.${digest}`;
  };
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' });
  const der = key.publicKey.export({ type: 'spki', format: 'der' });
  const [head = '', , signature = ''] = token().split('.');

  const attacks = {
    'alg none': ['none', 'None', 'NONE', 'nOnE', ''].map(unsigned),
    'alg none with a real signature': ['none', 'None'].map((alg) =>
      token().replace(/^[^.]+/, encode({ ...usualHeader, alg })),
    ),
    'HS256 with the public key as the secret': ['HS256', 'HS384', 'HS512'].flatMap((alg) =>
      [pem, der, JSON.stringify(jwkOf(key)), ''].map((secret) => shared(alg, secret)),
    ),
    'RS256 signed, PS256 said': [token({}, { alg: 'PS256' })],
    'PS256 signed, RS256 said': [token({}, {}, key, 'PS256')],
    'an algorithm for another kind of key': [token({}, { alg: 'ES256' }), token({}, { alg: 'EdDSA' })],
    'another key of the same name': [token({}, {}, stranger)],
    'a key in the header (jwk)': bringing([{ jwk: jwkOf(stranger) }, { jwk: jwkOf(stranger), kid: 'x' }]),
    'an address of keys in the header (jku)': bringing([
      { jku: `${honeypot.url}/jku` },
      { jku: `${honeypot.url}/jku`, kid: 'x' },
    ]),
    'an address of a certificate in the header (x5u, x5c)': bringing([
      { x5u: `${honeypot.url}/x5u` },
      { x5u: `${honeypot.url}/x5u`, x5c: ['MIIB'], kid: 'x' },
    ]),
    'a kid that is a path, SQL, an address or no string': bringing(
      [
        '../../../dev/null',
        "' OR 1=1 --",
        `${honeypot.url}/kid`,
        '__proto__',
        'main\0',
        null,
        0,
        ['main'],
      ].map((kid) => ({ kid })),
    ),
    'another audience': claiming(
      [undefined, null, '', 'https://other.example.org', `${AUDIENCE}/`, [], [AUDIENCE.slice(1)]].map(
        (aud) => ({
          aud,
        }),
      ),
    ),
    'another issuer': claiming(
      [undefined, '', `${provider.url}/`, [provider.url], honeypot.url].map((iss) => ({ iss })),
    ),
    'no exp': claiming([{ exp: undefined }]),
    'an exp that is no number': claiming([
      { exp: `${now + MINUTE_S}` },
      { exp: null },
      { exp: [now + MINUTE_S] },
    ]),
    'an exp that is past': claiming([{ exp: now - 1 }, { exp: 0 }, { exp: -1 }]),
    'an exp far ahead': claiming([{ exp: now + 31 * DAY_S }, { exp: now * 1_000 }, { exp: 1e300 }]),
    'an nbf ahead': claiming([{ nbf: now + 10 * MINUTE_S }, { nbf: `${now}` }]),
    'an iat ahead': claiming([{ iat: now + 10 * MINUTE_S }]),
    'a critical header nobody knows': [
      token({}, { crit: ['urn:example:policy'], 'urn:example:policy': 1 }),
      token({}, { crit: [] }),
    ],
    'an unencoded payload (b64 false)': [token({}, { b64: false, crit: ['b64'] }), token({}, { b64: false })],
    'an ID token': claiming([{ nonce: 'n-0S6' }, { at_hash: 'MTIzNDU2' }]),
    'another type of token': ['logout+jwt', 'dpop+jwt', 'JOSE', 7].map((typ) => token({}, { typ })),
    'no subject': claiming([{ sub: undefined }, { sub: '' }, { sub: 7 }]),
    'a member given twice': [
      signToken(
        usualHeader,
        JSON.stringify(usualClaims).replace('{', '{"sub":"root",'),
        key.privateKey,
        'RS256',
      ),
      signToken(
        JSON.stringify(usualHeader).replace('{', '{"alg":"none",'),
        usualClaims,
        key.privateKey,
        'RS256',
      ),
    ],
    'claims changed after signing': [
      `${head}.${encode({ ...usualClaims, scope: 'admin' })}.${signature}`,
      `${head}.${encode(usualClaims)}.`,
      `${head}.${encode(usualClaims)}.${Buffer.alloc(256).toString('base64url')}`,
    ],
    'no token at all': ['.', '..', 'a.b.c', `${token()}.x`, token().slice(0, -2), `${head}.e30.${signature}`],
  };

  return {
    settings: {
      TIS_JWT_ISSUER: provider.url,
      TIS_JWT_AUDIENCE: AUDIENCE,
      TIS_JWT_JWKS_URL: `${provider.url}/jwks.json`,
    },
    provider,
    honeypot,
    token,
    attacks,
    close: async () => {
      await provider.close();
      await honeypot.close();
    },
  };
}
