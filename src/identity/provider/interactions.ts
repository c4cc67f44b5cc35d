// What a person is asked when a dashboard wants a token: who asks, for what. The answers are JSON; the page that shows them
// belongs to the web application.

import { ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import { ServiceError } from '../../domain/errors.ts';
import { type Instant, SECOND } from '../../domain/instant.ts';
import { scopesOf } from '../../domain/scope.ts';
import { sharedScopes } from '../../domain/token-scopes.ts';
import type { OpenidClientReader } from '../../store/openid-client.ts';
import type { Person } from '../../store/person.ts';
import { type ProviderRequest, requestFor } from './exchange.ts';
import type { OpenidProvider } from './openid-provider.ts';

export interface PendingSignIn {
  readonly client: { readonly id: string; readonly name: string };
  /** Host to which the browser returns, so that a person sees who gets the token. */
  readonly returnsTo: string;
  /** What the client asks for and may have. */
  readonly scopes: readonly string[];
  /** What it gets of this person. Absent while nobody has signed in. */
  readonly granted?: readonly string[];
  readonly expiresAt: Instant;
}

export interface Interactions {
  /**
   * What is asked. Rejects with ServiceError `not_found` for a sign-in that has ended, and for one that another browser
   * began: otherwise a link could make a person sign in somebody else.
   */
  describe(request: ProviderRequest, id: string, person: Person | undefined): Promise<PendingSignIn>;
  /** The person agrees. Resolves to the address at which the sign-in goes on. */
  approve(request: ProviderRequest, id: string, person: Person): Promise<string>;
  /** The person does not. Resolves to the same. */
  refuse(request: ProviderRequest, id: string): Promise<string>;
}

export interface InteractionParts {
  readonly provider: OpenidProvider;
  readonly issuer: string;
  readonly audience: string;
  readonly clients: Pick<OpenidClientReader, 'byId'>;
}

export function createInteractions({ provider, issuer, audience, clients }: InteractionParts): Interactions {
  const open = async (request: ProviderRequest, id: string) => {
    const library = await provider.current();
    const inner = requestFor(request, issuer);
    const interaction = await library.interactionDetails(inner, new ServerResponse(inner)).catch(notFound);
    if (interaction.uid !== id) throw notThere('the cookie of another sign-in');
    const { params } = interaction;
    const client = await clients.byId(String(params.client_id));
    if (client === undefined || client.revokedAt !== undefined) throw notThere('the client is revoked');
    const wished = String(params.scope ?? '').split(' ');
    return { library, interaction, client, wished };
  };
  const finish = async (library: Provider, request: ProviderRequest, result: object): Promise<string> => {
    const inner = requestFor(request, issuer);
    return library.interactionResult(
      inner,
      new ServerResponse(inner),
      { ...result },
      { mergeWithLastSubmission: false },
    );
  };
  return {
    describe: async (request, id, person) => {
      const { interaction, client, wished } = await open(request, id);
      const scopes = sharedScopes(wished, client.scopes);
      return {
        client: { id: client.id, name: client.name },
        returnsTo: new URL(String(interaction.params.redirect_uri)).host,
        scopes,
        ...(person === undefined ? {} : { granted: sharedScopes(scopes, scopesOf(person.roles)) }),
        expiresAt: interaction.exp * SECOND,
      };
    },
    approve: async (request, id, person) => {
      const { library, client, wished } = await open(request, id);
      const scopes = sharedScopes(wished, client.scopes, scopesOf(person.roles));
      const grant = new library.Grant({ accountId: person.id, clientId: client.id });
      grant.addOIDCScope('openid profile');
      grant.addResourceScope(audience, scopes.join(' '));
      // What is left out counts as answered: the library would ask again.
      grant.rejectResourceScope(
        audience,
        wished.filter((scope) => !scopes.some((one) => one === scope)).join(' '),
      );
      return finish(library, request, {
        login: { accountId: person.id },
        consent: { grantId: await grant.save() },
      });
    },
    refuse: async (request, id) => {
      const { library } = await open(request, id);
      return finish(library, request, {
        error: 'access_denied',
        error_description: 'the person did not agree',
      });
    },
  };
}

function notFound(error: unknown): never {
  throw error instanceof errors.SessionNotFound ? notThere(error.error_description) : error;
}

function notThere(cause: unknown): ServiceError {
  return new ServiceError('not_found', 'no such sign-in, or it has ended; start again where you came from', {
    reason: 'INTERACTION_NOT_FOUND',
    cause,
  });
}
