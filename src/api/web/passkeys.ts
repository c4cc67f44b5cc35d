// /auth: signing in with a passkey, and one's own passkeys.

import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { toRfc3339 } from '../../domain/instant.ts';
import type { Site, SiteOf } from '../../gateway/site.ts';
import type { PasskeyCommands } from '../../identity/passkey-commands.ts';
import type { Passkeys, RelyingParty } from '../../identity/passkeys.ts';
import type { Passkey } from '../../store/passkey.ts';
import type { Stores } from '../../store/stores.ts';
import { sendJson } from '../http/json-reply.ts';
import type { Attempts } from './attempts.ts';
import { fieldsOf, SMALL_BODY } from './fields.ts';
import type { SessionRequests } from './session-requests.ts';

export interface PasskeyDeps {
  readonly requests: SessionRequests;
  readonly attempts: Attempts;
  readonly siteOf: SiteOf;
  readonly passkeys: Passkeys;
  readonly stores: Pick<Stores, 'passkeys'>;
  readonly commands: PasskeyCommands;
}

const BODY = { bodyLimit: SMALL_BODY };
const NAME_LENGTH = 100;

/** @param scope reads bodies and forbids caching. */
export function registerPasskeys(scope: FastifyInstance, deps: PasskeyDeps): void {
  const { requests, attempts, passkeys, stores, commands } = deps;

  scope.post('/auth/passkey/options', BODY, async (request, reply) => {
    const party = requireParty(requests.ownSite(request));
    return sendJson(reply, JSON.stringify({ options: await passkeys.signInOptions(party) }));
  });

  scope.post('/auth/passkey', BODY, async (request, reply) => {
    const party = requireParty(requests.ownSite(request));
    const fields = fieldsOf(request);
    const answer = fields.any('response');
    fields.end();
    const proof = await passkeys.signIn(party, answer, stores.passkeys.byId).catch(async (error: unknown) => {
      await attempts.countFailure(request);
      throw error;
    });
    await requests.start(request, reply, 'passkey', (opening) =>
      commands.openSessionByPasskey(proof, opening),
    );
    return sendJson(reply, JSON.stringify({ signedIn: true }));
  });

  scope.post('/auth/passkeys/options', BODY, async (request, reply) => {
    const party = requireParty(requests.ownSite(request));
    const { person } = await requests.requireSession(request, reply);
    const existing = await stores.passkeys.ofPerson(person.id);
    const options = await passkeys.registrationOptions(party, person, existing);
    return sendJson(reply, JSON.stringify({ options }));
  });

  scope.post('/auth/passkeys', BODY, async (request, reply) => {
    const party = requireParty(requests.ownSite(request));
    const { person } = await requests.requireSession(request, reply);
    const fields = fieldsOf(request);
    const [name, answer] = [fields.text('name', NAME_LENGTH), fields.any('response')];
    if (/\p{C}/u.test(name)) fields.fault('name', 'must have printable characters only');
    fields.end();
    const { passkey, challenge } = await passkeys.register(party, person, answer);
    const added = await commands.addPasskey(person.id, passkey, name, challenge);
    return sendJson(reply.code(201), JSON.stringify(shown(added)));
  });

  scope.get('/auth/passkeys', async (request, reply) => {
    const { person } = await requests.requireSession(request, reply);
    const own = await stores.passkeys.ofPerson(person.id);
    return sendJson(reply, JSON.stringify({ passkeys: own.map(shown) }));
  });

  scope.delete('/auth/passkeys/:id', async (request, reply) => {
    requests.ownSite(request);
    const { person } = await requests.requireSession(request, reply);
    const { id } = request.params as { id: string };
    if (!(await commands.removePasskey(person.id, id)))
      throw new ServiceError('not_found', 'no such passkey', { reason: 'PASSKEY_NOT_FOUND' });
    return reply.code(204).send();
  });
}

/** Whether the page could use passkeys. */
export function offersPasskeys({ headers }: FastifyRequest, siteOf: SiteOf): boolean {
  const site = siteOf(headers.host);
  return site !== undefined && partyOf(site) !== undefined;
}

/** A passkey belongs to a host name: WebAuthn knows no addresses. */
function partyOf({ hostname, origins }: Site): RelyingParty | undefined {
  return isIP(hostname) !== 0 || hostname.startsWith('[') ? undefined : { id: hostname, origins };
}

function requireParty(site: Site): RelyingParty {
  const party = partyOf(site);
  if (party !== undefined) return party;
  throw new ServiceError('failed_precondition', 'passkeys need a host name; open the service by its name', {
    reason: 'PASSKEYS_NEED_NAME',
  });
}

function shown({ id, name, synced, createdAt, lastUsedAt }: Passkey): object {
  return {
    id,
    name,
    synced,
    createTime: toRfc3339(createdAt),
    ...(lastUsedAt === undefined ? {} : { lastUseTime: toRfc3339(lastUsedAt) }),
  };
}
