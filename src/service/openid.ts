// Wiring of OpenID Connect: whose tokens the gateway accepts, the embedded provider, and sign-in at an external issuer. What only
// some installations use is loaded with the first request for it.

import type { AddressInfo, Server } from 'node:net';
import { registerOpenid } from '../api/web/openid-routes.ts';
import type { SessionRequests } from '../api/web/session-requests.ts';
import type { Config } from '../config.ts';
import { ServiceError } from '../domain/errors.ts';
import { type Clock, DAY, type Instant } from '../domain/instant.ts';
import { createAddressLimit } from '../gateway/address-limit.ts';
import type { IdentityTokens } from '../gateway/identity-tokens.ts';
import type { CreateRateLimiter } from '../gateway/rate-limit.ts';
import { sessionHashOf } from '../gateway/session-cookie.ts';
import type { SiteOf } from '../gateway/site.ts';
import { createTokenIssuers, type TokenIssuer } from '../gateway/token-issuers.ts';
import type { Stores } from '../store/stores.ts';
import type { Log } from '../telemetry/log.ts';
import type { ServiceClock } from './clock.ts';
import type { PipelineCalls } from './pipeline.ts';

/** How the end of keys and identity tokens is judged. */
export interface ExpiryParts {
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly onExpired: (expiresAt: Instant) => Promise<void>;
}

/** Adds routes. */
type Plugin = (app: Parameters<typeof registerOpenid>[0]) => void;

/** The names of the embedded provider. */
export interface OwnNames {
  readonly issuer: string;
  /** Of its access tokens. */
  readonly audience: string;
}

/** Undefined before the service listens, and where it listens everywhere and has no public URL. */
export type FindNames = () => OwnNames | undefined;

const EVERYWHERE = ['0.0.0.0', '::'];

/**
 * The names follow the public URL, or else the address on which the service listens. They never follow what a request says.
 * @param server asked when a name is needed.
 */
export function ownNames({ publicUrl, tls, host }: Config, server: () => Server): FindNames {
  const named = (origin: string): OwnNames => ({ issuer: `${origin}/oidc`, audience: `${origin}/v1` });
  if (publicUrl !== undefined) {
    const names = named(new URL(publicUrl).origin);
    return () => names;
  }
  if (EVERYWHERE.includes(host)) return () => undefined;
  const scheme = tls === undefined ? 'http' : 'https';
  const authority = host.includes(':') ? `[${host}]` : host;
  return () => {
    const address = server().address() as AddressInfo | null;
    return address === null ? undefined : named(new URL(`${scheme}://${authority}:${address.port}`).origin);
  };
}

/** Judges tokens of the embedded provider, and of the issuer that is configured. */
export function identityTokens(
  { jwt }: Config,
  stores: Pick<Stores, 'openidKeys' | 'openidClients' | 'people'>,
  names: FindNames,
  expiry: ExpiryParts,
): IdentityTokens {
  const own: TokenIssuer = {
    issuer: () => names()?.issuer,
    load: async () => {
      const { createOwnTokens } = await import('../gateway/own-tokens.ts');
      const { openidKeys: keys, openidClients: clients, people } = stores;
      return createOwnTokens({ ...requireNames(names), keys, clients, people, ...expiry });
    },
  };
  if (jwt === undefined) return createTokenIssuers([own]);
  const configured: TokenIssuer = {
    issuer: () => jwt.issuer,
    load: async () => {
      const [{ createIdentityTokens }, { createSigningKeys }, { callerOf }] = await Promise.all([
        import('../gateway/identity-tokens.ts'),
        import('../gateway/signing-keys.ts'),
        import('../gateway/token-claims.ts'),
      ]);
      const signingKeys = createSigningKeys({ url: jwt.jwksUrl, clock: expiry.monotonic });
      return createIdentityTokens({
        ...jwt,
        signingKeys,
        callerOf: (claims) => callerOf(claims, jwt),
        ...expiry,
      });
    },
  };
  return createTokenIssuers([own, configured]);
}

export interface OpenidParts {
  readonly config: Config;
  readonly stores: Stores;
  readonly commands: PipelineCalls;
  readonly names: FindNames;
  readonly siteOf: SiteOf;
  readonly requests: SessionRequests;
  readonly clock: ServiceClock;
  readonly monotonic: Clock;
  readonly createLimiter: CreateRateLimiter;
  readonly log: Pick<Log, 'error'>;
}

/** Of one address, over all requests of /oidc and of signing in by OpenID Connect. */
const REQUESTS = { perMinute: 600, burst: 600 };
/** Of one address. Each is stored for ten minutes, so this and MAX_RECORDS go together. */
const STARTS = { perMinute: 120, burst: 120 };

/** The routes. @throws ConfigError when a file of the configuration cannot be used. */
export async function openidPlugins(parts: OpenidParts): Promise<Plugin[]> {
  const { requests, createLimiter } = parts;
  const spend = createAddressLimit('openid', REQUESTS, createLimiter);
  const spendStart = createAddressLimit('openid-start', STARTS, createLimiter);
  let loading: ReturnType<typeof loadProvider> | undefined;
  const load = () => {
    loading ??= loadProvider(parts).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return [
    (app) => registerOpenid(app, { requests, load, spend, spendStart }),
    ...(await externalSignIn(parts, spend)),
  ];
}

async function loadProvider(parts: OpenidParts) {
  const { config, stores, commands, siteOf, clock, monotonic, log } = parts;
  const names = requireNames(parts.names);
  const [{ createOpenidProvider }, { createInteractions }] = await Promise.all([
    import('../identity/provider/openid-provider.ts'),
    import('../identity/provider/interactions.ts'),
  ]);
  const clients = stores.openidClients;
  const provider = createOpenidProvider({
    ...names,
    clients,
    people: stores.people,
    records: stores.openidRecords,
    keys: stores.openidKeys,
    commands,
    keyAge: config.oidcKeyDays * DAY,
    clock: clock.service,
    monotonic,
    signOut: async (cookies, personId) => {
      const site = siteOf(new URL(names.issuer).host);
      const hash = site === undefined ? undefined : sessionHashOf(cookies, site);
      const found = hash === undefined ? undefined : await stores.sessions.byHash(hash);
      if (found?.person.id === personId) await commands.endSession(personId, found.session.id);
    },
    onError: (error) => log.error(error),
  });
  return { provider, interactions: createInteractions({ provider, clients, ...names }) };
}

/** Loaded only where an issuer is configured; its library with the first sign-in. */
async function externalSignIn(
  { config: { oidc }, stores, commands, siteOf, requests, clock, monotonic }: OpenidParts,
  spend: ReturnType<typeof createAddressLimit>,
): Promise<Plugin[]> {
  if (oidc === undefined) return [];
  const [{ registerExternalSignIn }, { createTransactionSealer }, { readSecret }] = await Promise.all([
    import('../api/web/external-sign-in.ts'),
    import('../identity/external/transaction.ts'),
    import('./secret-file.ts'),
  ]);
  const { issuer, clientSecretFile, defaultRole } = oidc;
  const clientSecret =
    clientSecretFile === undefined
      ? oidc.clientSecret
      : await readSecret('TIS_OIDC_CLIENT_SECRET_FILE', clientSecretFile);
  const load = async () => {
    const { createExternalIssuer } = await import('../identity/external/external-issuer.ts');
    return createExternalIssuer({ ...oidc, clientSecret }, monotonic);
  };
  let loading: ReturnType<typeof load> | undefined;
  return [
    (app) =>
      registerExternalSignIn(app, {
        requests,
        siteOf,
        issuer: () => {
          loading ??= load();
          return loading;
        },
        sealer: createTransactionSealer(stores.installation.secret, issuer),
        openSession: ({ isComplete: _, ...person }, opening) =>
          commands.openExternalSession({ ...person, issuer, defaultRole }, opening),
        spend,
        clock: clock.expiry,
      }),
  ];
}

function requireNames(names: FindNames): OwnNames {
  const found = names();
  if (found !== undefined) return found;
  throw new ServiceError('failed_precondition', 'the OpenID provider needs a name: set TIS_PUBLIC_URL', {
    reason: 'PUBLIC_URL_MISSING',
  });
}
