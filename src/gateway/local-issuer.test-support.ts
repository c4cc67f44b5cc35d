// An identity provider for tests: real keys, a real HTTP server on the loopback address, tokens with any fault.

import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function rsaKey(kid: string, alg = 'RS256'): TestKey {
  return { kid, alg, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

export function ecKey(kid: string, namedCurve = 'P-256', alg = 'ES256'): TestKey {
  return { kid, alg, ...generateKeyPairSync('ec', { namedCurve }) };
}

export function edKey(kid: string): TestKey {
  return { kid, alg: 'EdDSA', ...generateKeyPairSync('ed25519') };
}

export function jwkOf({ publicKey, kid, alg }: TestKey): Record<string, unknown> {
  return { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' };
}

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Signs with the given algorithm, whatever the header says. `header` and `claims` may be JSON texts. */
export function signToken(header: unknown, claims: unknown, key: KeyObject, alg: string): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const digest = alg === 'EdDSA' ? null : `sha${alg.slice(2)}`;
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const signature = sign(digest, Buffer.from(input), {
    key,
    ...(alg.startsWith('PS') ? pss : {}),
    ...(alg.startsWith('ES') ? { dsaEncoding: 'ieee-p1363' as const } : {}),
  });
  return `${input}.${signature.toString('base64url')}`;
}

export interface LocalServer {
  readonly url: string;
  /** The requested paths so far. */
  readonly requests: string[];
  /** The answer to the next requests. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startServer(answer: (response: ServerResponse) => void): Promise<LocalServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    local.answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local: LocalServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return local;
}

export const keySet =
  (...keys: TestKey[]) =>
  (response: ServerResponse): void => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: keys.map(jwkOf) }));
  };
