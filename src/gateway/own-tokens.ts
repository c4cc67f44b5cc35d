// Access tokens of the embedded OpenID provider. The store says at each use who the token is for and what he may do now: a token
// never exceeds its person, its client, and the owner of the client, whatever it carried when it was made.

import { createLocalJWKSet, errors } from 'jose';
import { type Clock, type Instant, MINUTE, SECOND } from '../domain/instant.ts';
import { scopesOf } from '../domain/scope.ts';
import { isVisible } from '../domain/tlp.ts';
import { machineScopes, sharedScopes } from '../domain/token-scopes.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { OpenidClient, OpenidClientReader } from '../store/openid-client.ts';
import type { OpenidKeyReader } from '../store/openid-key.ts';
import type { Person, PersonReader } from '../store/person.ts';
import type { Caller } from './caller.ts';
import { createFreshReads } from './fresh-reads.ts';
import { createIdentityTokens, type IdentityTokens } from './identity-tokens.ts';
import type { SigningKeys } from './signing-keys.ts';
import { ClaimError, type Claims } from './token-claims.ts';

export interface OwnTokensParts {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: OpenidKeyReader;
  readonly people: Pick<PersonReader, 'byId'>;
  readonly clients: Pick<OpenidClientReader, 'byId'>;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly onExpired?: (expiresAt: Instant) => Promise<void>;
}

/** The most people, and the most clients, that are remembered for half a second. */
const MAX_REMEMBERED = 10_000;

export function createOwnTokens(parts: OwnTokensParts): IdentityTokens {
  const { people, clients, monotonic } = parts;
  const knownPeople = createFreshReads((id) => people.byId(id), monotonic, MAX_REMEMBERED);
  const knownClients = createFreshReads((id) => clients.byId(id), monotonic, MAX_REMEMBERED);

  const activePerson = async (id: string): Promise<Person> => {
    const person = await knownPeople.get(id);
    if (person === undefined || person.disabledAt !== undefined)
      throw new ClaimError('the person is disabled or unknown');
    return person;
  };

  const callerOf = async ({ sub, client_id, scope, exp }: Claims): Promise<Caller> => {
    if (typeof sub !== 'string' || typeof client_id !== 'string')
      throw new ClaimError('no subject or client');
    const client = await knownClients.get(client_id);
    if (client === undefined || client.revokedAt !== undefined)
      throw new ClaimError('the client is revoked or unknown');
    const wished = typeof scope === 'string' ? scope.split(' ') : [];
    const expiresAt = Number(exp) * SECOND;
    if (sub !== client_id) return ofPerson(await activePerson(sub), client, wished, expiresAt);
    const owner = client.ownerId === undefined ? undefined : await activePerson(client.ownerId);
    return ofMachine(client, owner, wished, expiresAt);
  };

  return createIdentityTokens({ ...parts, signingKeys: storedKeys(parts), callerOf });
}

/** As in a session: limits, usage and the audit log know one person, however he signed in. */
function ofPerson(
  person: Person,
  client: OpenidClient,
  wished: readonly string[],
  expiresAt: Instant,
): Caller {
  return {
    credential: 'jwt',
    id: `person|${person.id}`,
    account: person.account,
    actor: person.login,
    name: person.name,
    scopes: new Set(sharedScopes(wished, client.scopes, scopesOf(person.roles))),
    ceiling: lower(client.tlpCeiling, person.tlpCeiling),
    reliability: Math.min(client.reliability, person.reliability),
    expiresAt,
  };
}

function ofMachine(
  client: OpenidClient,
  owner: Person | undefined,
  wished: readonly string[],
  expiresAt: Instant,
): Caller {
  const own = machineScopes(client.scopes);
  return {
    credential: 'client',
    id: `client|${client.id}`,
    account: client.account,
    actor: client.id,
    name: client.name,
    scopes: new Set(sharedScopes(wished, own, owner === undefined ? own : scopesOf(owner.roles))),
    ceiling: owner === undefined ? client.tlpCeiling : lower(client.tlpCeiling, owner.tlpCeiling),
    reliability: Math.min(client.reliability, owner?.reliability ?? 1),
    expiresAt,
  };
}

function lower(one: TlpMarking, other: TlpMarking): TlpMarking {
  return isVisible(one, other) ? one : other;
}

/** Read from the store when they are old, and when a token names an unknown key: the read is local and short. */
function storedKeys({ keys, monotonic }: OwnTokensParts): SigningKeys {
  let known: { readonly find: ReturnType<typeof createLocalJWKSet>; readonly at: Instant } | undefined;
  const read = async () => {
    const at = monotonic();
    const jwks = (await keys.list()).map(({ id, jwk: { d: _, ...jwk } }) => ({
      ...jwk,
      kid: id,
      alg: 'ES256',
    }));
    known = { find: createLocalJWKSet({ keys: jwks as never }), at };
    return known.find;
  };
  return async (header, token) => {
    const now = monotonic();
    const isFresh = known !== undefined && now >= known.at && now - known.at < MINUTE;
    const find = isFresh && known !== undefined ? known.find : await read();
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await read())(header, token);
    }
  };
}
