// /auth: who is signed in, the own sessions, and signing out.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { type Clock, toRfc3339 } from '../../domain/instant.ts';
import { scopesOf } from '../../domain/scope.ts';
import type { SessionCommands } from '../../identity/session-commands.ts';
import { idleEnd } from '../../identity/session-life.ts';
import type { Session, SignedIn } from '../../store/session.ts';
import type { Stores } from '../../store/stores.ts';
import { sendJson } from '../http/json-reply.ts';
import { markingInContract } from './marking-in-contract.ts';
import type { SessionRequests } from './session-requests.ts';

export interface SignInDeps {
  readonly requests: SessionRequests;
  readonly stores: Pick<Stores, 'people' | 'sessions'>;
  readonly commands: SessionCommands;
  readonly clock: Clock;
  /** What the page for signing in offers besides a password. */
  readonly offers: (request: FastifyRequest) => object;
}

/** @param scope reads bodies and forbids caching. */
export function registerSignIn(scope: FastifyInstance, deps: SignInDeps): void {
  const { requests, stores, commands, clock, offers } = deps;

  scope.get('/auth/session', async (request, reply) => {
    const found = await requests.findSession(request, reply);
    if (found !== undefined) return sendJson(reply, JSON.stringify(describe(found)));
    const firstStart = !(await stores.people.anySignIn());
    return sendJson(
      reply,
      JSON.stringify({ signedIn: false, firstStart, password: true, ...offers(request) }),
    );
  });

  scope.get('/auth/sessions', async (request, reply) => {
    const { session: own, person } = await requests.requireSession(request, reply);
    const now = clock();
    const valid = (await stores.sessions.ofPerson(person.id)).filter((session) => idleEnd(session) > now);
    const sessions = valid.map((session) => listed(session, own.id));
    return sendJson(reply, JSON.stringify({ sessions }));
  });

  scope.delete('/auth/sessions/:id', async (request, reply) => {
    requests.ownSite(request);
    const { session, person } = await requests.requireSession(request, reply);
    const { id } = request.params as { id: string };
    if (!(await commands.endSession(person.id, id)))
      throw new ServiceError('not_found', 'no such session', { reason: 'SESSION_NOT_FOUND' });
    if (id === session.id) requests.forget(request, reply);
    return reply.code(204).send();
  });

  /** Without a session there is nothing to end, and the cookie goes all the same. */
  const signOut =
    (end: (found: SignedIn) => Promise<unknown>) => async (request: FastifyRequest, reply: FastifyReply) => {
      requests.ownSite(request);
      const found = await requests.findSession(request, reply);
      if (found !== undefined) await end(found);
      requests.forget(request, reply);
      return reply.code(204).send();
    };
  scope.post(
    '/auth/sign-out',
    signOut(({ person, session }) => commands.endSession(person.id, session.id)),
  );
  scope.post(
    '/auth/sign-out-everywhere',
    signOut(({ person }) => commands.endSessions(person.id)),
  );
}

function listed(
  { id, method, createdAt, lastUsedAt, expiresAt, address, agent }: Session,
  own: string,
): object {
  return {
    id,
    current: id === own,
    method,
    createTime: toRfc3339(createdAt),
    lastUseTime: toRfc3339(lastUsedAt),
    expireTime: toRfc3339(expiresAt),
    address,
    agent,
  };
}

function describe({ session, person }: SignedIn): object {
  const { id, login, name, account, roles, tlpCeiling } = person;
  return {
    signedIn: true,
    person: { id, login, name },
    account,
    roles,
    scopes: scopesOf(roles),
    tlpCeiling: markingInContract(tlpCeiling),
    expireTime: toRfc3339(session.expiresAt),
    idleExpireTime: toRfc3339(idleEnd(session)),
    method: session.method,
  };
}
