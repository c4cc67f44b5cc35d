// `/internal/authorize`: lets a proxy ask whether a request may pass, such as nginx with auth_request. The proxy sends the
// headers of the request; 204 means that the request may pass.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidArgument } from '../../domain/errors.ts';
import { SCOPES, type Scope } from '../../domain/scope.ts';
import type { Admit } from '../../gateway/admit.ts';
import { requireClient, requireScope } from '../../gateway/authorize.ts';
import { admitRequest } from '../http/admission.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers 204 with the account and the credential, or refuses with the status that the REST interface would give: 401, 429,
 * or 403 for a credential without the scope of `?scope=`; without that parameter, 403 for a sensor key. Each request
 * counts for the limit of its credential.
 */
export function registerExternalAuthorization(app: FastifyInstance, admit: Admit): void {
  app.route({
    method: METHODS,
    url: '/internal/authorize',
    // In a hook, so that no body is read.
    onRequest: async (request, reply) => authorize(admit, request, reply),
    handler: (_request, reply) => reply.code(204).send(),
  });
}

async function authorize(admit: Admit, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const scope = scopeOf(request);
  const caller = await admitRequest(admit, request, reply);
  if (scope === undefined) requireClient(caller);
  else requireScope(caller, scope);
  return reply
    .code(204)
    .header('x-tis-account', headerText(caller.account))
    .header('x-tis-key-id', headerText(caller.id))
    .send();
}

/** @throws ServiceError `invalid_argument` for an unknown scope: a mistake in the configuration of the proxy. */
function scopeOf({ query }: FastifyRequest): Scope | undefined {
  const { scope } = query as { scope?: string | string[] };
  if (scope === undefined) return undefined;
  const known = SCOPES.find((name) => name === scope);
  if (known === undefined) throw invalidArgument([{ field: 'scope', description: 'is not a scope' }]);
  return known;
}

/** Percent-encodes everything but visible ASCII, because the subject of a token may be in any script. */
function headerText(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]|%/gu, encodeURIComponent);
}
