// An identity provider for the demo. It makes one key at the start and serves the public half on loopback. The service
// treats its tokens like those of any other issuer.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface DemoIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** @param lifetime in milliseconds. */
  sign(scopes: readonly string[], lifetime: number): Promise<string>;
  close(): Promise<void>;
}

export async function startDemoIssuer(): Promise<DemoIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = JSON.stringify({
    keys: [{ ...(await exportJWK(publicKey)), kid: 'demo', alg: 'ES256', use: 'sig' }],
  });
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(jwks);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const audience = 'threat-indicator-service';
  return {
    issuer,
    audience,
    jwksUrl: `${issuer}/jwks.json`,
    sign: (scopes, lifetime) =>
      new SignJWT({ scope: scopes.join(' ') })
        .setProtectedHeader({ alg: 'ES256', kid: 'demo', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject('demo-analyst')
        .setIssuedAt()
        .setExpirationTime(new Date(Date.now() + lifetime))
        .sign(privateKey),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
