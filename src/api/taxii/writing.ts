// Writing to a collection (TAXII 2.1 §5.5) and deleting from one (§5.7).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { Admit } from '../../gateway/admit.ts';
import type { Caller } from '../../gateway/caller.ts';
import { HttpError } from '../rest/rest-errors.ts';
import { admitReader, requireAcceptable } from './access.ts';
import { type Collections, type OpenCollection, requireWritable } from './collections.ts';
import { isTaxii, TAXII_MEDIA_TYPE } from './negotiation.ts';
import { OBJECT, OBJECTS, parametersOf, withSlash } from './paths.ts';
import { sendBytes, vary } from './reply.ts';
import { MAX_CONTENT_LENGTH } from './resources.ts';
import type { Submissions } from './submissions.ts';

export interface WritingDeps {
  /** Judges the credential and the limits of its holder: whatever it rejects with is answered. */
  readonly admitTaxii: Admit;
  readonly submissions: Submissions;
}

/** Everything is judged before a body is read. Nothing is ever deleted: §5.7 wants 403 for that. */
export function addWriting(
  taxii: FastifyInstance,
  { admitTaxii, submissions }: WritingDeps,
  collections: Collections,
): void {
  const CALLER = 'taxiiCaller';
  taxii.decorateRequest(CALLER, undefined);
  taxii.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<OpenCollection> => {
    const caller = await admitReader(admitTaxii, request, reply);
    request.setDecorator(CALLER, caller);
    return collections.find(caller, parametersOf(request).collectionId);
  };
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = (await admit(request, reply)).collection;
    throw new ServiceError('permission_denied', `nothing is deleted from collection ${id}`, {
      reason: 'NO_DELETION',
    });
  };
  // A path whose last part is empty is that of an object too.
  for (const url of [...withSlash(OBJECTS), ...withSlash(OBJECT)]) {
    // The hook answers already; a route has to have a handler all the same.
    taxii.route({ method: 'DELETE', url, onRequest: refuse, handler: refuse });
  }
  for (const url of withSlash(OBJECTS)) {
    taxii.route({
      method: 'POST',
      url,
      bodyLimit: MAX_CONTENT_LENGTH,
      onRequest: async (request, reply) => {
        requireWritable(await admit(request, reply));
        requireAcceptable(request);
        requireTaxiiBody(request, reply);
      },
      handler: async (request, reply) => {
        const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const status = await submissions.submit(request.getDecorator<Caller>(CALLER), body);
        vary(reply);
        return sendBytes(reply.code(202), Buffer.from(JSON.stringify(status)));
      },
    });
  }
}

/** §3.1: the type of an envelope is ours, with or without its version. No content coding is undone. */
function requireTaxiiBody({ headers }: FastifyRequest, reply: FastifyReply): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity') {
    // RFC 9110 §15.5.16: so that the client knows it was the coding.
    reply.header('accept-encoding', 'identity');
    throw new HttpError(
      415,
      'invalid_argument',
      'the body must be sent without a content coding',
      'UNSUPPORTED_CONTENT_ENCODING',
    );
  }
  if (isTaxii(headers['content-type'])) return;
  throw new HttpError(
    415,
    'invalid_argument',
    `the body must be ${TAXII_MEDIA_TYPE}`,
    'UNSUPPORTED_MEDIA_TYPE',
  );
}
