// The TAXII 2.1 server: which endpoints there are, and who may use them.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { FeedCollection } from '../../domain/collection.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { FeedReader, Installation } from '../../store/stores.ts';
import { watchRoutes } from '../http/allowed-methods.ts';
import { HttpError } from '../rest/rest-errors.ts';
import { admitReader, requireAcceptable } from './access.ts';
import { type Collections, createCollections, requireReadable } from './collections.ts';
import { writeTaxiiError } from './errors.ts';
import { createListings, type ListingHandler } from './listings.ts';
import { OBJECT, OBJECTS, parametersOf, withSlash } from './paths.ts';
import { sendResource } from './reply.ts';
import { API_ROOT, collectionBody, collectionsBody, discoveryBody } from './resources.ts';
import { addWriting, type WritingDeps } from './writing.ts';

export interface TaxiiDeps extends WritingDeps {
  readonly feed: FeedReader;
  readonly installation: Installation;
  /** Declared parts of the feed. */
  readonly collections: readonly FeedCollection[];
  /** The address of the service as clients see it. */
  readonly publicUrl?: string | undefined;
}

/** One path below the API root and what can be read there. HEAD goes with GET. Only the first is public. */
interface Endpoint {
  readonly path: string;
  readonly get: RouteHandlerMethod;
}

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

function addReading(taxii: FastifyInstance, deps: TaxiiDeps, collections: Collections): void {
  for (const { path, get } of createEndpoints(deps, collections)) {
    for (const url of withSlash(path)) {
      taxii.route({ method: ['GET', 'HEAD'], url, prefixTrailingSlash: 'slash', handler: get });
    }
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

/** The credential is judged before anything else. */
function authorized(deps: TaxiiDeps, handler: ReadHandler): RouteHandlerMethod {
  return async (request, reply) => {
    const caller = await admitReader(deps.admitTaxii, request, reply);
    requireAcceptable(request);
    return handler(caller, request, reply);
  };
}
