// An OpenID Connect issuer in a process of its own, as an organisation has one. Whoever comes is signed in as the person that the
// test named last.

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Adapter, type AdapterPayload, type Grant, Provider } from 'oidc-provider';
import type { IssuerOrder } from './external-issuer.ts';

let order: IssuerOrder = { redirectUri: 'https://unset.invalid/', claims: { sub: 'nobody' } };

const records = new Map<string, AdapterPayload>();

const adapter = (kind: string): Adapter => {
  const keyOf = (id: string) => `${kind} ${id}`;
  return {
    upsert: async (id, payload) => void records.set(keyOf(id), payload),
    find: async (id) => (kind === 'Client' ? client(id) : records.get(keyOf(id))),
    findByUid: async (uid) => [...records.values()].find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) => void Object.assign(records.get(keyOf(id)) ?? {}, { consumed: 1 }),
    destroy: async (id) => void records.delete(keyOf(id)),
    revokeByGrantId: async () => undefined,
  };
};

const client = (id: string): AdapterPayload => ({
  client_id: id,
  client_secret: 'a secret of the test',
  redirect_uris: [order.redirectUri],
});

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

const provider = new Provider(issuer, {
  adapter,
  jwks: {
    keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' } as never],
  },
  cookies: { keys: ['test'] },
  claims: {
    openid: ['sub'],
    profile: ['name', 'preferred_username', 'groups'],
    email: ['email', 'email_verified'],
  },
  conformIdTokenClaims: true,
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ ...order.claims, sub: accountId }) }),
});
const answer = provider.callback();

server.on('request', async (request, response) => {
  if (!request.url?.startsWith('/sign-in/')) return void answer(request, response);
  const { params } = await provider.interactionDetails(request, response);
  const grant: Grant = new provider.Grant({
    accountId: order.claims.sub,
    clientId: String(params.client_id),
  });
  grant.addOIDCScope('openid profile email');
  await provider.interactionFinished(request, response, {
    login: { accountId: order.claims.sub, remember: false },
    consent: { grantId: await grant.save() },
  });
});

process.on('message', (given) => {
  order = given as IssuerOrder;
  process.send?.('done');
});
process.on('disconnect', () => process.exit());
process.send?.(issuer);
