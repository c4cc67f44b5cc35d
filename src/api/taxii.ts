// The TAXII 2.1 server: which endpoints there are, and who may use them.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { ServiceError } from '../domain/errors.ts';
import type { FeedCollection } from '../feed/collections.ts';
import type { Admit } from '../gateway/admit.ts';
import { requireApiKey, requireClient } from '../gateway/authorize.ts';
import type { Caller } from '../gateway/caller.ts';
import type { FeedReader, Installation } from '../store/stores.ts';
import { passGate } from './admission.ts';
import { watchRoutes } from './allowed-methods.ts';
import { HttpError } from './rest-errors.ts';
import {
  type Collections,
  createCollections,
  type OpenCollection,
  requireReadable,
  requireWritable,
} from './taxii-collections.ts';
import { writeTaxiiError } from './taxii-errors.ts';
import { createListings, type ListingHandler } from './taxii-listings.ts';
import { acceptsTaxii, isTaxii, TAXII_MEDIA_TYPE } from './taxii-negotiation.ts';
import { sendBytes, sendResource, vary } from './taxii-reply.ts';
import {
  API_ROOT,
  collectionBody,
  collectionsBody,
  discoveryBody,
  MAX_CONTENT_LENGTH,
} from './taxii-resources.ts';
import type { Submissions } from './taxii-submissions.ts';

export interface TaxiiDeps {
  readonly feed: FeedReader;
  readonly installation: Installation;
  /** Judges the credential and the limits of its holder: whatever it rejects with is answered. */
  readonly admitTaxii: Admit;
  /** Declared parts of the feed. */
  readonly collections: readonly FeedCollection[];
  readonly submissions: Submissions;
  /** The address of the service as clients see it. */
  readonly publicUrl?: string | undefined;
}

/** One path below the API root and what can be read there. HEAD goes with GET. Only the first is public. */
interface Endpoint {
  readonly path: string;
  readonly get: RouteHandlerMethod;
}

const OBJECTS = '/collections/:collectionId/objects';
const OBJECT = `${OBJECTS}/:objectId`;

/** Adds everything below `/taxii2/`, its unknown paths and its errors included. */
export function registerTaxii(app: FastifyInstance, deps: TaxiiDeps): void {
  app.register(async (taxii) => addRoutes(taxii, deps), { prefix: API_ROOT });
}

function addRoutes(taxii: FastifyInstance, deps: TaxiiDeps): void {
  const allowedMethods = watchRoutes(taxii);

  /** 405 for a method that the path does not have, 404 for a path that is not there. */
  function refuseUnknown(request: FastifyRequest, reply: FastifyReply): never {
    const [path = ''] = request.url.split('?', 1);
    const allowed = allowedMethods(path);
    if (allowed.length === 0)
      throw new ServiceError('not_found', 'no such path', { reason: 'PATH_NOT_FOUND' });
    reply.header('allow', allowed.join(', '));
    throw new HttpError(405, 'unimplemented', 'the path does not know this method', 'METHOD_NOT_ALLOWED');
  }

  taxii.setErrorHandler((error, _request, reply) => writeTaxiiError(error, reply));
  taxii.setNotFoundHandler(refuseUnknown);
  // Before the handler is reached, so that no body is read for an answer that does not depend on it.
  taxii.addHook('onRequest', async (request, reply) => {
    if (request.is404) refuseUnknown(request, reply);
  });

  const collections = createCollections(deps.collections);
  addReading(taxii, deps, collections);
  addWriting(taxii, deps, collections);
}

/** Without the trailing slash a path is wrong, but a redirect would lose some clients their credential. */
function withSlash(path: string): readonly string[] {
  return [path, `${path}/`];
}

function addReading(taxii: FastifyInstance, deps: TaxiiDeps, collections: Collections): void {
  for (const { path, get } of createEndpoints(deps, collections)) {
    for (const url of withSlash(path)) {
      taxii.route({ method: ['GET', 'HEAD'], url, prefixTrailingSlash: 'slash', handler: get });
    }
  }
}

/** Everything is judged before a body is read. Nothing is ever deleted: §5.7 wants 403 for that. */
function addWriting(taxii: FastifyInstance, deps: TaxiiDeps, collections: Collections): void {
  const CALLER = 'taxiiCaller';
  taxii.decorateRequest(CALLER, undefined);
  taxii.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<OpenCollection> => {
    const caller = await admitReader(deps, request, reply);
    request.setDecorator(CALLER, caller);
    return collections.find(caller, parametersOf(request).collectionId);
  };
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = (await admit(request, reply)).collection;
    throw new ServiceError('permission_denied', `nothing is deleted from collection ${id}`, {
      reason: 'NO_DELETION',
    });
  };
  for (const url of [...withSlash(OBJECTS), ...withSlash(OBJECT)]) {
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
        requireTaxiiBody(request);
      },
      handler: async (request, reply) => {
        const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const status = await deps.submissions.submit(request.getDecorator<Caller>(CALLER), body);
        vary(reply);
        return sendBytes(reply.code(202), Buffer.from(JSON.stringify(status)));
      },
    });
  }
}

function createEndpoints(deps: TaxiiDeps, collections: Collections): readonly Endpoint[] {
  const discovery = discoveryBody(deps.publicUrl);
  const listings = createListings(deps);
  const read = (handler: ReadHandler) => authorized(deps, handler);
  const inCollection = (handler: ListingHandler) =>
    read(async (caller, request, reply) =>
      handler(caller, collections.find(caller, parametersOf(request).collectionId), request, reply),
    );
  const list = (handler: ListingHandler) =>
    inCollection(async (caller, collection, request, reply) => {
      requireReadable(collection);
      return handler(caller, collection, request, reply);
    });
  return [
    {
      path: '',
      get: async (request, reply) => {
        requireAcceptable(request);
        return sendResource(reply, discovery);
      },
    },
    {
      path: '/status/:statusId',
      get: read(async (caller, request, reply) =>
        sendResource(
          reply,
          Buffer.from(await deps.submissions.status(caller, parametersOf(request).statusId)),
        ),
      ),
    },
    {
      path: '/collections',
      get: read(async (caller, _request, reply) =>
        sendResource(reply, collectionsBody(collections.listFor(caller))),
      ),
    },
    {
      path: '/collections/:collectionId',
      get: inCollection(async (_caller, collection, _request, reply) =>
        sendResource(reply, collectionBody(collection)),
      ),
    },
    { path: OBJECTS, get: list(listings.objects) },
    { path: '/collections/:collectionId/manifest', get: list(listings.manifest) },
    { path: OBJECT, get: list(listings.object) },
    { path: `${OBJECT}/versions`, get: list(listings.versions) },
  ];
}

/** A handler for a caller who may read. */
type ReadHandler = (caller: Caller, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Those that the path of the route has. */
function parametersOf(request: FastifyRequest): { readonly collectionId: string; readonly statusId: string } {
  return request.params as { collectionId: string; statusId: string };
}

/** Any API key reads, within its ceiling; a sensor key opens ingest only. */
async function admitReader(
  { admitTaxii }: TaxiiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const caller = await passGate(admitTaxii, request, reply);
  requireApiKey(caller);
  requireClient(caller);
  return caller;
}

/** The credential is judged before anything else. */
function authorized(deps: TaxiiDeps, handler: ReadHandler): RouteHandlerMethod {
  return async (request, reply) => {
    const caller = await admitReader(deps, request, reply);
    requireAcceptable(request);
    return handler(caller, request, reply);
  };
}

function requireAcceptable({ headers }: FastifyRequest): void {
  if (acceptsTaxii(headers.accept)) return;
  throw new HttpError(406, 'invalid_argument', `the answer would be ${TAXII_MEDIA_TYPE}`, 'NOT_ACCEPTABLE');
}

/** §3.1: the type of an envelope is ours, with or without its version. */
function requireTaxiiBody({ headers }: FastifyRequest): void {
  if (isTaxii(headers['content-type'])) return;
  throw new HttpError(
    415,
    'invalid_argument',
    `the body must be ${TAXII_MEDIA_TYPE}`,
    'UNSUPPORTED_MEDIA_TYPE',
  );
}
