// `/internal/authorize`: the judgement of the gateway for another one in front of it, such as the auth_request of nginx.
// It passes on the headers of its own request, and forwards the request when the answer is 204.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidArgument } from '../../domain/errors.ts';
import type { Admit } from '../../gateway/admit.ts';
import { requireClient, requireScope } from '../../gateway/authorize.ts';
import { SCOPES, type Scope } from '../../gateway/caller.ts';
import { passGate } from '../http/admission.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers 204 with the account and the credential, or refuses as the interface itself would: 401, 403 (the scope of
 * `?scope=` is missing; without it, a sensor key), 429. A request judged here counts for the limit of its credential.
 */
export function registerExternalAuthorization(app: FastifyInstance, admit: Admit): void {
  app.route({
    method: METHODS,
    url: '/internal/authorize',
    // In a hook: the body of a request that is only judged is not read.
    onRequest: async (request, reply) => authorize(admit, request, reply),
    handler: (_request, reply) => reply.code(204).send(),
  });
}

async function authorize(admit: Admit, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const scope = scopeOf(request);
  const caller = await passGate(admit, request, reply);
  if (scope === undefined) requireClient(caller);
  else requireScope(caller, scope);
  return reply
    .code(204)
    .header('x-tis-account', headerText(caller.account))
    .header('x-tis-key-id', headerText(caller.id))
    .send();
}

/** @throws ServiceError `invalid_argument`: a scope that does not exist is a mistake in the gateway's configuration. */
function scopeOf({ query }: FastifyRequest): Scope | undefined {
  const { scope } = query as { scope?: string | string[] };
  if (scope === undefined) return undefined;
  const known = SCOPES.find((name) => name === scope);
  if (known === undefined) throw invalidArgument([{ field: 'scope', description: 'is not a scope' }]);
  return known;
}

/** What is not visible ASCII is percent-encoded: subjects of an identity provider may be written in any script. */
function headerText(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]|%/gu, encodeURIComponent);
}
