// The embedded OpenID provider: the library with the store behind it, made again when its signing keys change.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { Provider } from 'oidc-provider';
import { type Clock, type Instant, MINUTE } from '../../domain/instant.ts';
import type { OpenidKey, OpenidKeyReader } from '../../store/openid-key.ts';
import { exchange, type ProviderAnswer, type ProviderRequest, requestFor } from './exchange.ts';
import { planKeys, signingFirst } from './key-rotation.ts';
import { pagePolicy } from './pages.ts';
import { type ConfigurationParts, providerConfiguration } from './provider-configuration.ts';

export interface OpenidProviderParts extends ConfigurationParts {
  readonly issuer: string;
  readonly keys: OpenidKeyReader;
  /** Milliseconds after which a signing key has a successor. */
  readonly keyAge: number;
  /** For the age of what was read of the keys. */
  readonly monotonic: Clock;
  /** Ends the session of this person at the service's own pages, if the cookies have one. */
  readonly signOut: (cookies: string | undefined, personId: string) => Promise<void>;
  /** Hears of faults of the service, not of those of clients. */
  readonly onError: (error: unknown) => void;
}

export interface OpenidProvider {
  answer(request: ProviderRequest): Promise<ProviderAnswer>;
  /** The library, with the keys of now. */
  current(): Promise<Provider>;
}

/** Keys are published an hour before they sign, so a minute more is early enough. */
const KEYS_FOR = MINUTE;

export function createOpenidProvider(parts: OpenidProviderParts): OpenidProvider {
  let made: { readonly provider: Provider; readonly keyIds: string } | undefined;
  let readAt: Instant | undefined;
  let making: Promise<Provider> | undefined;

  const make = async (): Promise<Provider> => {
    const at = parts.monotonic();
    const keys = await currentKeys(parts);
    const keyIds = keys.map(({ id }) => id).join(' ');
    if (made?.keyIds !== keyIds) made = { provider: await createProvider(parts, keys), keyIds };
    readAt = at;
    return made.provider;
  };

  const current = (): Promise<Provider> => {
    const now = parts.monotonic();
    if (made !== undefined && readAt !== undefined && now >= readAt && now - readAt < KEYS_FOR)
      return Promise.resolve(made.provider);
    making ??= make().finally(() => {
      making = undefined;
    });
    return making;
  };

  return {
    current,
    answer: async (request) => {
      const provider = await current();
      const inner = requestFor(request, parts.issuer);
      return exchange(inner, provider.callback());
    },
  };
}

/** The keys that are published now, the one that signs first. */
async function currentKeys({
  keys,
  keyAge,
  clock,
  commands,
}: OpenidProviderParts): Promise<readonly OpenidKey[]> {
  const stored = await keys.list();
  const { newKeyFrom, retired } = planKeys(stored, keyAge, clock());
  if (newKeyFrom === undefined && retired.length === 0) return signingFirst(stored, clock());
  await commands.renewOpenidKeys(keyAge);
  return signingFirst(await keys.list(), clock());
}

async function createProvider(parts: OpenidProviderParts, keys: readonly OpenidKey[]): Promise<Provider> {
  const { issuer, signOut, onError } = parts;
  const provider = new Provider(issuer, providerConfiguration(parts, keys));
  // The scheme of the issuer comes with each request (exchange.ts).
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = function compare(secret: string): boolean {
    const given = createHash('sha256').update(secret).digest();
    const stored = Buffer.from(this.clientSecret ?? '', 'hex');
    return stored.length === given.length && timingSafeEqual(stored, given);
  };
  const policy = pagePolicy();
  provider.use(async (ctx, next) => {
    // Before the library: where a page of it has a script, it adds the hash of that script.
    ctx.set('content-security-policy', policy);
    ctx.set('x-content-type-options', 'nosniff');
    ctx.set('referrer-policy', 'no-referrer');
    await next();
    const { route, params, session } = ctx.oidc ?? {};
    const isSignOut = route === 'end_session_confirm' && ctx.status === 303 && params?.logout !== undefined;
    // A session of the library was shown, and its person asked. Otherwise any page could sign people out.
    if (isSignOut && session?.accountId !== undefined) await signOut(ctx.headers.cookie, session.accountId);
  });
  provider.on('server_error', (_ctx, error) => onError(error));
  const koa: EventEmitter = provider;
  // An error that may be shown is one of the client, and is answered as such.
  koa.on('error', (error: { readonly expose?: boolean }) => error.expose === true || onError(error));
  return provider;
}
