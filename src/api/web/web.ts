// The server side of the web application: `/auth` for signing in, for pages of the service only.

import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../domain/instant.ts';
import type { Admit } from '../../gateway/admit.ts';
import type { CreateRateLimiter } from '../../gateway/rate-limit.ts';
import type { SiteOf } from '../../gateway/site.ts';
import { createKnownDevices } from '../../identity/known-device.ts';
import type { PasskeyCommands } from '../../identity/passkey-commands.ts';
import { createPasskeys } from '../../identity/passkeys.ts';
import type { PasswordHashing } from '../../identity/password-hash.ts';
import type { SessionCommands } from '../../identity/session-commands.ts';
import type { Stores } from '../../store/stores.ts';
import { readBodies } from '../http/body-reader.ts';
import { createAttempts } from './attempts.ts';
import { offersPasskeys, registerPasskeys } from './passkeys.ts';
import { registerPasswords } from './passwords.ts';
import { createSessionRequests } from './session-requests.ts';
import { registerSignIn } from './sign-in.ts';

export interface WebDeps {
  readonly admit: Admit;
  readonly siteOf: SiteOf;
  readonly stores: Pick<Stores, 'people' | 'sessions' | 'links' | 'passkeys' | 'installation'>;
  readonly commands: SessionCommands & PasskeyCommands;
  readonly hashing: PasswordHashing;
  /** Judges the end of links and sessions. */
  readonly clock: Clock;
  readonly createLimiter: CreateRateLimiter;
  /** The identity provider at which people can also sign in. */
  readonly external?: { readonly name: string; readonly startUrl: string } | undefined;
}

export function registerWeb(app: FastifyInstance, deps: WebDeps): void {
  const { admit, siteOf, stores, clock, createLimiter, external } = deps;
  const devices = createKnownDevices(stores.installation.secret);
  const requests = createSessionRequests({ admit, siteOf, stores, devices });
  const attempts = createAttempts(createLimiter);
  const passkeys = createPasskeys(stores.installation.secret, clock);
  app.register(async (scope) => {
    readBodies(scope);
    // No cache may keep what is said to one person.
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store');
      done();
    });
    registerSignIn(scope, {
      ...deps,
      requests,
      offers: (request) => ({ passkeys: offersPasskeys(request, siteOf), ...(external && { external }) }),
    });
    registerPasswords(scope, { ...deps, requests, attempts });
    registerPasskeys(scope, { ...deps, requests, attempts, passkeys });
  });
}
