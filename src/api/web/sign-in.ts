// /auth: signing in with a one-time link, signing out, and who is signed in.

import type { FastifyInstance } from 'fastify';
import { toRfc3339 } from '../../domain/instant.ts';
import { scopesOf } from '../../domain/scope.ts';
import { secretTokenHash } from '../../identity/secret-token.ts';
import { linkInvalid, type SessionCommands } from '../../identity/session-commands.ts';
import { idleEnd } from '../../identity/session-life.ts';
import type { SignedIn } from '../../store/session.ts';
import type { Stores } from '../../store/stores.ts';
import { readBodies } from '../http/body-reader.ts';
import { sendJson } from '../http/json-reply.ts';
import { BodyFields, SMALL_BODY } from './body-fields.ts';
import { forbidCaching, type SessionRequests } from './session-requests.ts';

export interface SignInDeps {
  readonly requests: SessionRequests;
  readonly stores: Pick<Stores, 'people' | 'links'>;
  readonly commands: SessionCommands;
}

export function registerSignIn(app: FastifyInstance, { requests, stores, commands }: SignInDeps): void {
  app.register(async (scope) => {
    readBodies(scope);
    forbidCaching(scope);

    scope.get('/auth/session', async (request, reply) => {
      const found = await requests.findSession(request, reply);
      if (found !== undefined) return sendJson(reply, JSON.stringify(describe(found)));
      const firstStart = !(await stores.people.anySignIn());
      return sendJson(
        reply,
        JSON.stringify({ signedIn: false, firstStart, password: true, passkeys: false }),
      );
    });

    scope.post('/auth/link', { bodyLimit: SMALL_BODY }, async (request, reply) => {
      requests.ownSite(request);
      const fields = new BodyFields(request);
      const hash = secretTokenHash(fields.text('token'));
      fields.end();
      if (hash === undefined) throw linkInvalid();
      await requests.start(request, reply, 'link', (opening) => commands.redeemLink(hash, opening));
      return sendJson(reply, JSON.stringify({ signedIn: true }));
    });

    scope.post('/auth/sign-out', { bodyLimit: SMALL_BODY }, async (request, reply) => {
      requests.ownSite(request);
      const found = await requests.findSession(request, reply);
      if (found !== undefined) await commands.endSession(found.person.id, found.session.id);
      requests.forget(request, reply);
      return reply.code(204).send();
    });
  });
}

function describe({ session, person }: SignedIn): object {
  const { id, login, name, account, roles, tlpCeiling } = person;
  return {
    signedIn: true,
    person: { id, login, name },
    account,
    roles,
    scopes: scopesOf(roles),
    tlpCeiling,
    expireTime: toRfc3339(session.expiresAt),
    idleExpireTime: toRfc3339(idleEnd(session)),
    method: session.method,
  };
}
