// The clients of the operator, as the library reads them.

import type { Adapter, ClientMetadata } from 'oidc-provider';
import type { OpenidClient, OpenidClientReader } from '../../store/openid-client.ts';

/** Reads a client each time, so that a revoked one ends at once. Nobody registers clients over HTTP. */
export function createClientAdapter(clients: Pick<OpenidClientReader, 'byId' | 'secretHashOf'>): Adapter {
  const never = async (): Promise<undefined> => undefined;
  const refuse = async (): Promise<never> => {
    throw new Error('clients are made by the operator');
  };
  return {
    find: async (id) => {
      const client = await clients.byId(id);
      if (client === undefined || client.revokedAt !== undefined) return undefined;
      return metadataOf(client, await clients.secretHashOf(id));
    },
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: never,
    findByUid: never,
    findByUserCode: never,
  };
}

function metadataOf(client: OpenidClient, secretHash: string | undefined): ClientMetadata {
  const { id, name, confidential, redirectUris, postLogoutRedirectUris } = client;
  const signsIn = redirectUris.length > 0;
  return {
    client_id: id,
    client_name: name,
    redirect_uris: [...redirectUris],
    post_logout_redirect_uris: [...postLogoutRedirectUris],
    response_types: signsIn ? ['code'] : [],
    response_modes: ['query'],
    grant_types: [
      ...(signsIn ? ['authorization_code'] : []),
      ...(confidential ? ['client_credentials'] : []),
    ],
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    // The library takes it for the secret; provider.ts compares hashes.
    ...(secretHash === undefined ? {} : { client_secret: secretHash }),
  };
}
