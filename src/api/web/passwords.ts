// /auth: signing in with a password, changing it, and setting the first one with an invitation or a reset.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidArgument } from '../../domain/errors.ts';
import type { Clock } from '../../domain/instant.ts';
import type { PasswordHashing } from '../../identity/password-hash.ts';
import { passwordFault } from '../../identity/password-rules.ts';
import { canonicalLogin } from '../../identity/person-spec.ts';
import { secretTokenHash } from '../../identity/secret-token.ts';
import { linkInvalid, refused, type SessionCommands } from '../../identity/session-commands.ts';
import type { Person } from '../../store/person.ts';
import type { Stores } from '../../store/stores.ts';
import { sendJson } from '../http/json-reply.ts';
import type { Attempts } from './attempts.ts';
import { fieldsOf, SMALL_BODY } from './fields.ts';
import type { SessionRequests } from './session-requests.ts';

export interface PasswordDeps {
  readonly requests: SessionRequests;
  readonly attempts: Attempts;
  readonly hashing: PasswordHashing;
  readonly stores: Pick<Stores, 'people' | 'links'>;
  readonly commands: SessionCommands;
  readonly clock: Clock;
}

const BODY = { bodyLimit: SMALL_BODY };

/** @param scope reads bodies and forbids caching. */
export function registerPasswords(scope: FastifyInstance, deps: PasswordDeps): void {
  scope.post('/auth/password', BODY, (request, reply) => signIn(deps, request, reply));
  scope.post('/auth/change-password', BODY, (request, reply) => change(deps, request, reply));
  scope.post('/auth/link', BODY, (request, reply) => redeem(deps, request, reply));
}

/** Unknown logins, disabled people, people without a password and wrong passwords get one answer after equal work. */
async function signIn(
  deps: PasswordDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { requests, attempts, hashing, stores, commands } = deps;
  requests.ownSite(request);
  const fields = fieldsOf(request);
  const [login, password] = [canonicalLogin(fields.text('login', 200)), fields.text('password')];
  fields.end();
  const mark = requests.knownDevice(request, login);
  await attempts.countAttempt(request, login, mark);
  const person = await stores.people.byLogin(login);
  const stored = person === undefined ? undefined : await stores.people.passwordOf(person.id);
  const matches = await attempts.inTurn({ request, reply, known: mark !== undefined }, () =>
    hashing.matches(password, stored),
  );
  if (!matches || person === undefined || stored === undefined) throw refused('a wrong login or password');
  await requests.start(request, reply, 'password', (opening) =>
    commands.openSession(person.id, opening, stored.setAt),
  );
  if (hashing.isOutdated(stored)) {
    const renewed = await attempts.inTurn({ request, reply, known: true }, () =>
      hashing.hash(password, stored.setAt),
    );
    await commands.renewPassword(person.id, renewed);
  }
  return sendJson(reply, JSON.stringify({ signedIn: true }));
}

/** A person without a password sets the first one, so there is none to be given. */
async function change(
  deps: PasswordDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { requests, attempts, hashing, stores, commands, clock } = deps;
  requests.ownSite(request);
  const { person, session } = await requests.requireSession(request, reply);
  const fields = fieldsOf(request);
  const stored = await stores.people.passwordOf(person.id);
  const current = stored === undefined ? '' : fields.text('currentPassword');
  if (stored === undefined) fields.optional('currentPassword', (name) => fields.any(name));
  const chosen = fields.text('newPassword');
  fields.end();
  requireGood(chosen, person, 'newPassword');
  await attempts.countAttempt(request, person.login, `session ${session.id}`);
  if (stored !== undefined) {
    const matches = await attempts.inTurn({ request, reply, known: true }, () =>
      hashing.matches(current, stored),
    );
    if (!matches) throw invalidArgument([{ field: 'currentPassword', description: 'is not the password' }]);
  }
  const password = await attempts.inTurn({ request, reply, known: true }, () =>
    hashing.hash(chosen, clock()),
  );
  await commands.setPassword(person.id, password, session.id);
  return reply.code(204).send();
}

/** A sign-in link signs in at once. An invitation and a reset ask for a password first, and are kept until it comes. */
async function redeem(
  deps: PasswordDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { requests, attempts, hashing, stores, commands, clock } = deps;
  requests.ownSite(request);
  const fields = fieldsOf(request);
  const hash = secretTokenHash(fields.text('token'));
  const chosen = fields.optional('password', (name) => fields.text(name));
  fields.end();
  const link = hash === undefined ? undefined : await stores.links.byHash(hash);
  const person = link === undefined ? undefined : await stores.people.byId(link.personId);
  if (hash === undefined || link === undefined || person === undefined || link.expiresAt <= clock()) {
    await attempts.countFailure(request);
    throw linkInvalid();
  }
  if (link.purpose === 'sign-in') {
    await requests.start(request, reply, 'link', (opening) => commands.redeemLink(hash, opening));
  } else if (chosen === undefined) {
    return sendJson(reply, JSON.stringify({ needs: 'password', purpose: link.purpose, login: person.login }));
  } else {
    requireGood(chosen, person, 'password');
    await attempts.countAttempt(request, person.login, `link ${hash}`);
    const password = await attempts.inTurn({ request, reply, known: true }, () =>
      hashing.hash(chosen, clock()),
    );
    await requests.start(request, reply, 'link', (opening) => commands.acceptLink(hash, password, opening));
  }
  return sendJson(reply, JSON.stringify({ signedIn: true }));
}

function requireGood(password: string, { login }: Person, field: string): void {
  const fault = passwordFault(password, login);
  if (fault !== undefined) throw invalidArgument([{ field, description: fault }]);
}
