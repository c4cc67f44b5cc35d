// How the library behaves as the provider of this service: authorization code with PKCE, client credentials, JWT access tokens
// for one audience. Everything else is off.

import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { HOUR, MINUTE, SECOND } from '../../domain/instant.ts';
import { SCOPES } from '../../domain/scope.ts';
import { machineScopes } from '../../domain/token-scopes.ts';
import type { OpenidClientReader } from '../../store/openid-client.ts';
import type { OpenidKey } from '../../store/openid-key.ts';
import type { PersonReader } from '../../store/person.ts';
import { createClientAdapter } from './client-adapter.ts';
import { TOKEN_LIFETIME } from './key-rotation.ts';
import { errorPage, signedOutPage, signOutPage } from './pages.ts';
import { createRecordAdapter, type RecordParts } from './record-adapter.ts';

export interface ConfigurationParts extends RecordParts {
  /** The audience of every access token: the REST interface. */
  readonly audience: string;
  readonly clients: Pick<OpenidClientReader, 'byId' | 'secretHashOf'>;
  readonly people: Pick<PersonReader, 'byId'>;
}

/** A person has this long to sign in. */
const INTERACTION_LIFETIME = 10 * MINUTE;
const CODE_LIFETIME = MINUTE;
/** A session of the library serves one purpose: the client that began it may ask for its end. */
const SESSION_LIFETIME = 12 * HOUR;

const ALGORITHM = 'ES256';

/** @param keys the one that signs first. */
export function providerConfiguration(parts: ConfigurationParts, keys: readonly OpenidKey[]): Configuration {
  const { audience, clients, people } = parts;
  const seconds = (lifetime: number) => lifetime / SECOND;
  return {
    adapter: (kind) => (kind === 'Client' ? createClientAdapter(clients) : createRecordAdapter(kind, parts)),
    jwks: { keys: keys.map(({ id, jwk }) => ({ ...jwk, kid: id, alg: ALGORITHM, use: 'sig' }) as never) },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { id_token_signed_response_alg: ALGORITHM },
    enabledJWA: { idTokenSigningAlgValues: [ALGORITHM] },
    pkce: { required: () => true },
    scopes: ['openid'],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
    // Ids are random, and the store decides what they mean.
    cookies: {
      names: { session: 'tis-oidc', interaction: 'tis-interaction', resume: 'tis-resume' },
      long: { path: '/oidc/session' },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      clientCredentials: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = signOutPage(form);
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = signedOutPage();
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: async (ctx, resource, client) => {
          if (resource !== audience) throw new errors.InvalidTarget('unknown resource');
          return {
            scope: (await scopesOf(ctx, client.clientId, clients)).join(' '),
            audience,
            accessTokenTTL: seconds(TOKEN_LIFETIME),
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: ALGORITHM } },
          };
        },
      },
    },
    interactions: {
      policy: askingEachTime(),
      // Its path is that of the cookie which ties the sign-in to this browser (interactions.ts).
      url: (_ctx, { uid }) => `/auth/interaction/${uid}`,
    },
    findAccount: async (_ctx, id) => {
      const person = await people.byId(id);
      if (person === undefined || person.disabledAt !== undefined) return undefined;
      const { login, name } = person;
      return { accountId: id, claims: () => ({ sub: id, name, preferred_username: login }) };
    },
    // A session of the library ends nothing else, and nothing waits for it.
    expiresWithSession: () => false,
    clientBasedCORS: (_ctx, origin, { clientAuthMethod, redirectUris = [] }) =>
      clientAuthMethod === 'none' && redirectUris.some((uri) => URL.parse(uri)?.origin === origin),
    renderError: (ctx, { error, error_description }) => {
      ctx.type = 'html';
      ctx.body = errorPage(error, error_description);
    },
    ttl: {
      AccessToken: seconds(TOKEN_LIFETIME),
      ClientCredentials: seconds(TOKEN_LIFETIME),
      IdToken: seconds(TOKEN_LIFETIME),
      AuthorizationCode: seconds(CODE_LIFETIME),
      Grant: seconds(INTERACTION_LIFETIME),
      Interaction: seconds(INTERACTION_LIFETIME),
      Session: seconds(SESSION_LIFETIME),
    },
    discovery: { scopes_supported: ['openid', 'profile', ...SCOPES] },
  };
}

/** What a token for this client can carry at most. The rights of the person are judged when he agrees, and at each use. */
async function scopesOf(
  ctx: KoaContextWithOIDC,
  id: string,
  clients: Pick<OpenidClientReader, 'byId'>,
): Promise<readonly string[]> {
  const { scopes = [] } = (await clients.byId(id)) ?? {};
  if (ctx.oidc.params?.grant_type === 'client_credentials') return machineScopes(scopes);
  return scopes.includes('admin') ? SCOPES : scopes;
}

/** Each authorization asks the person: the session that counts is that of the service's own pages. */
function askingEachTime(): ReturnType<typeof interactionPolicy.base> {
  const { Check, base } = interactionPolicy;
  const policy = base();
  policy.get('login')?.checks.add(
    new Check('asking_each_time', 'the person is asked each time', (ctx) => {
      return ctx.oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT;
    }),
  );
  return policy;
}
