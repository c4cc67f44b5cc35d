// The TAXII 2.1 server: which endpoints there are, and who may use them.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { ServiceError } from '../domain/errors.ts';
import type { Authenticate } from '../gateway/authenticate.ts';
import { requireApiKey, requireClient } from '../gateway/authorize.ts';
import type { Caller } from '../gateway/caller.ts';
import type { FeedReader, Installation } from '../store/stores.ts';
import { watchRoutes } from './allowed-methods.ts';
import { HttpError } from './rest-errors.ts';
import { writeTaxiiError } from './taxii-errors.ts';
import { createListings, findCollection, type ReadHandler } from './taxii-listings.ts';
import { acceptsTaxii, TAXII_MEDIA_TYPE } from './taxii-negotiation.ts';
import { sendTaxii } from './taxii-reply.ts';
import { API_ROOT, collectionBody, collectionsBody, discoveryBody } from './taxii-resources.ts';

export interface TaxiiDeps {
  readonly feed: FeedReader;
  readonly installation: Installation;
  /** Judges the credential (and may judge the limits of its holder): whatever it rejects with is answered. */
  readonly authenticateTaxii: Authenticate;
  /** The address of the service as clients see it. */
  readonly publicUrl?: string | undefined;
}

/** One path below the API root and what can be done there. HEAD goes with GET. Only the first is public. */
interface Endpoint {
  readonly path: string;
  readonly get: RouteHandlerMethod;
  /** What would write: §5.5 and §5.7 want 403 where nothing can be written. */
  readonly refused?: readonly ('POST' | 'DELETE')[];
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

  const refuse = async (request: FastifyRequest) => refuseWrite(deps, request);
  for (const { path, get, refused = [] } of createEndpoints(deps)) {
    // Without the trailing slash a path is wrong, but a redirect would lose some clients their credential.
    for (const url of [path, `${path}/`]) {
      taxii.route({ method: ['GET', 'HEAD'], url, prefixTrailingSlash: 'slash', handler: get });
      for (const method of refused) taxii.route({ method, url, onRequest: refuse, handler: refuse });
    }
  }
}

function createEndpoints(deps: TaxiiDeps): readonly Endpoint[] {
  const discovery = discoveryBody(deps.publicUrl);
  const collections = collectionsBody();
  const listings = createListings(deps);
  const read = (handler: ReadHandler) => authorized(deps, handler);
  return [
    {
      path: '',
      get: async (request, reply) => {
        requireAcceptable(request);
        return sendTaxii(reply, discovery);
      },
    },
    { path: '/collections', get: read(async (_caller, _request, reply) => sendTaxii(reply, collections)) },
    {
      path: '/collections/:collectionId',
      get: read(async (_caller, request, reply) => {
        const { collectionId } = request.params as { collectionId: string };
        return sendTaxii(reply, collectionBody(findCollection(collectionId)));
      }),
    },
    { path: '/collections/:collectionId/objects', get: read(listings.objects), refused: ['POST', 'DELETE'] },
    { path: '/collections/:collectionId/manifest', get: read(listings.manifest) },
    { path: '/collections/:collectionId/objects/:objectId', get: read(listings.object), refused: ['DELETE'] },
    { path: '/collections/:collectionId/objects/:objectId/versions', get: read(listings.versions) },
  ];
}

/** Any API key reads, within its ceiling; a sensor key opens ingest only. */
async function authenticateReader(
  { authenticateTaxii }: TaxiiDeps,
  request: FastifyRequest,
): Promise<Caller> {
  const caller = await authenticateTaxii(request.headers, request.ip);
  requireApiKey(caller);
  requireClient(caller);
  return caller;
}

/** The credential is judged before anything else. */
function authorized(deps: TaxiiDeps, handler: ReadHandler): RouteHandlerMethod {
  return async (request, reply) => {
    const caller = await authenticateReader(deps, request);
    requireAcceptable(request);
    return handler(caller, request, reply);
  };
}

function requireAcceptable({ headers }: FastifyRequest): void {
  if (acceptsTaxii(headers.accept)) return;
  throw new HttpError(406, 'invalid_argument', `the answer would be ${TAXII_MEDIA_TYPE}`, 'NOT_ACCEPTABLE');
}

async function refuseWrite(deps: TaxiiDeps, request: FastifyRequest): Promise<void> {
  await authenticateReader(deps, request);
  const { collectionId } = request.params as { collectionId: string };
  const { id } = findCollection(collectionId);
  throw new ServiceError('permission_denied', `collection ${id} is read-only`, {
    reason: 'READ_ONLY_COLLECTION',
  });
}
