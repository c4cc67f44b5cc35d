// The commands on clients of the embedded provider: make, revoke. Only the operator has them. Each writes the audit log in its
// own transaction.

import { hash, randomBytes, randomUUID } from 'node:crypto';
import { DEFAULT_ACCOUNT, isAccount } from '../../domain/account.ts';
import { type FieldViolation, invalidArgument, ServiceError } from '../../domain/errors.ts';
import type { Instant } from '../../domain/instant.ts';
import { SCOPES } from '../../domain/scope.ts';
import { machineScopes } from '../../domain/token-scopes.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { OpenidClient } from '../../store/openid-client.ts';
import type { AuditEntry, Stores } from '../../store/stores.ts';
import { isRedirectUri } from './redirect-uri.ts';

export interface ClientSpec {
  readonly name: string;
  readonly confidential: boolean;
  readonly redirectUris?: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  /** Default `indicators:read`. */
  readonly scopes?: readonly string[];
  /** Default AMBER_STRICT. */
  readonly tlpCeiling?: TlpMarking;
  /** Default 0.7. */
  readonly reliability?: number;
  /** Default `default`. */
  readonly account?: string;
  /** Login of the person who answers for it. */
  readonly owner?: string;
}

export interface MadeClient {
  readonly client: OpenidClient;
  /** Of a confidential client. It is stored nowhere, so it can be shown only now. */
  readonly secret?: string;
}

const MAX_NAME = 100;
const MAX_URIS = 20;
const MAX_CLIENTS = 1_000;

/**
 * Rejects with ServiceError `invalid_argument` that names every fault, `failed_precondition` when the store has MAX_CLIENTS
 * clients that are not revoked.
 */
export function createClient(
  stores: Pick<Stores, 'write'>,
  spec: ClientSpec,
  now: Instant,
): Promise<MadeClient> {
  const secret = spec.confidential ? randomBytes(32).toString('base64url') : undefined;
  return stores.write(async (tx) => {
    const owner = spec.owner === undefined ? undefined : await tx.people.byLogin(spec.owner.toLowerCase());
    const violations = faultsOf(spec);
    if (spec.owner !== undefined && (owner === undefined || owner.disabledAt !== undefined))
      violations.push({ field: 'owner', description: 'must be the login of a person who is not disabled' });
    if (violations.length > 0) throw invalidArgument(violations);
    const live = (await tx.openidClients.list()).filter(({ revokedAt }) => revokedAt === undefined);
    if (live.length >= MAX_CLIENTS)
      throw new ServiceError('failed_precondition', `there are ${MAX_CLIENTS} clients; revoke some`, {
        reason: 'TOO_MANY_CLIENTS',
      });
    const {
      name,
      confidential,
      redirectUris = [],
      postLogoutRedirectUris = [],
      scopes = ['indicators:read'],
    } = spec;
    const client: OpenidClient = {
      id: randomUUID(),
      name,
      account: spec.account ?? owner?.account ?? DEFAULT_ACCOUNT,
      confidential,
      redirectUris: [...new Set(redirectUris)],
      postLogoutRedirectUris: [...new Set(postLogoutRedirectUris)],
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      tlpCeiling: spec.tlpCeiling ?? 'AMBER_STRICT',
      reliability: spec.reliability ?? 0.7,
      ...(owner === undefined ? {} : { ownerId: owner.id }),
      createdBy: 'cli',
      createdAt: now,
    };
    await tx.openidClients.add(client, secret === undefined ? undefined : hash('sha256', secret, 'hex'));
    await tx.audit(entry('openid.client.create', client, now));
    return secret === undefined ? { client } : { client, secret };
  });
}

/** Ends a client and, within a second, its tokens. Rejects with `not_found` for an unknown one. */
export function revokeClient(stores: Pick<Stores, 'write'>, id: string, now: Instant): Promise<OpenidClient> {
  return stores.write(async (tx) => {
    const before = await tx.openidClients.byId(id);
    const client = await tx.openidClients.revoke(id, now);
    if (client === undefined)
      throw new ServiceError('not_found', 'no such client', { reason: 'CLIENT_NOT_FOUND' });
    if (before?.revokedAt === undefined) await tx.audit(entry('openid.client.revoke', client, now));
    return client;
  });
}

function entry(
  action: string,
  { id, name, account, scopes, tlpCeiling }: OpenidClient,
  now: Instant,
): AuditEntry {
  return {
    at: now,
    actor: 'cli',
    action,
    target: id,
    detail: { name, account, scopes: scopes.join(' '), tlpCeiling },
  };
}

function faultsOf(spec: ClientSpec): FieldViolation[] {
  const faults: FieldViolation[] = [];
  const must = (holds: boolean, field: string, description: string): void => {
    if (!holds) faults.push({ field, description });
  };
  const {
    name,
    confidential,
    redirectUris = [],
    postLogoutRedirectUris = [],
    scopes = [],
    reliability,
  } = spec;
  must(
    name.length >= 1 && name.length <= MAX_NAME && name.trim() === name && !/\p{C}/u.test(name),
    'name',
    `must be 1 to ${MAX_NAME} printable characters, without white space at the ends`,
  );
  must(
    confidential || redirectUris.length > 0,
    'redirectUris',
    'must have one for a public client: it can do nothing else than sign people in',
  );
  for (const [field, uris] of Object.entries({ redirectUris, postLogoutRedirectUris })) {
    must(uris.length <= MAX_URIS, field, `must be ${MAX_URIS} at most`);
    for (const [index, uri] of uris.entries())
      must(
        isRedirectUri(uri),
        `${field}[${index}]`,
        'must be https, or http on loopback, without a fragment',
      );
  }
  for (const [index, scope] of scopes.entries())
    must(
      SCOPES.some((known) => known === scope),
      `scopes[${index}]`,
      `must be one of ${SCOPES.join(', ')}`,
    );
  const known = SCOPES.filter((scope) => scopes.includes(scope));
  must(
    redirectUris.length > 0 || scopes.length === 0 || machineScopes(known).length > 0,
    'scopes',
    'must have one that a client can use without a person: indicators:read, events:write or usage:read',
  );
  must(spec.tlpCeiling !== 'UNSPECIFIED', 'tlpCeiling', 'must be a marking');
  must(reliability === undefined || (reliability >= 0 && reliability <= 1), 'reliability', 'must be 0 to 1');
  must(
    spec.account === undefined || isAccount(spec.account),
    'account',
    'must be 1 to 100 printable characters',
  );
  return faults;
}
