// The TAXII 2.1 server: its endpoints, who may call each, and in which order a request is judged.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { FeedCollection } from '../../domain/collection.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Admit } from '../../gateway/admit.ts';
import { requireApiKey, requireClient } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { NotePoll } from '../../metering/feed-polls.ts';
import type { FeedReader } from '../../store/feed.ts';
import type { Installation } from '../../store/stores.ts';
import { admitRequest, callerOf } from '../http/admission.ts';
import { collectAllowedMethods, routeNotFound } from '../http/allowed-methods.ts';
import { admitPage } from '../http/answer-room.ts';
import { bodyOf, readBodies } from '../http/body-reader.ts';
import { turnOf, type WorkTurns } from '../http/work-turns.ts';
import {
  type CallerCollection,
  type Collections,
  createCollections,
  requireReadable,
  requireWritable,
} from './collections.ts';
import { TAXII_ERRORS } from './errors.ts';
import { createListings, type ListingHandler } from './listings.ts';
import { requireAcceptable, requireTaxiiBody } from './negotiation.ts';
import { sendBytes, sendResource, vary } from './reply.ts';
import { API_ROOT, collectionBody, collectionsBody, discoveryBody, MAX_CONTENT_LENGTH } from './resources.ts';
import type { Submissions } from './submissions.ts';

export interface TaxiiDeps {
  /** Judges the credential and the limit of each request. */
  readonly admitTaxii: Admit;
  readonly workTurns: WorkTurns;
  readonly submissions: Submissions;
  readonly feed: FeedReader;
  readonly installation: Installation;
  /** Takes each page of objects that is answered. */
  readonly notePoll: NotePoll;
  /** Declared parts of the feed. */
  readonly collections: readonly FeedCollection[];
  /** The address of the service as clients see it. */
  readonly publicUrl?: string | undefined;
}

const COLLECTION = '/collections/:collectionId';
const OBJECTS = `${COLLECTION}/objects`;
const OBJECT = `${OBJECTS}/:objectId`;

/** Adds everything below `/taxii2/`, including its unknown paths and its errors. */
export function registerTaxii(app: FastifyInstance, deps: TaxiiDeps): void {
  app.register(
    async (taxii) => {
      const refuseRoute = refuseUnknownRoutes(taxii);
      const collections = createCollections(deps.collections);
      addReading(taxii, deps, collections);
      addWriting(taxii, deps, collections);
      addDeleting(taxii, deps, collections, refuseRoute);
    },
    { prefix: API_ROOT },
  );
}

/** Throws the error for a method that the path does not have, or for an unknown path. */
type RefuseRoute = (request: FastifyRequest, reply: FastifyReply) => never;

function refuseUnknownRoutes(taxii: FastifyInstance): RefuseRoute {
  const allowedMethods = collectAllowedMethods(taxii);
  const refuse: RefuseRoute = (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    throw routeNotFound(allowedMethods(path), reply);
  };
  taxii.setErrorHandler(TAXII_ERRORS.send);
  taxii.setNotFoundHandler(refuse);
  // In a hook too, so that no body is read for an answer that does not depend on it.
  taxii.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuse(request, reply);
    done();
  });
  return refuse;
}

/** A handler for a caller who may read. */
type ReadHandler = (
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
) => undefined | Promise<undefined>;

function addReading(taxii: FastifyInstance, deps: TaxiiDeps, collections: Collections): void {
  const get = (path: string, handler: RouteHandlerMethod) => {
    for (const url of withSlash(path)) {
      taxii.route({ method: ['GET', 'HEAD'], url, prefixTrailingSlash: 'slash', handler });
    }
  };
  const read = (path: string, handler: ReadHandler) =>
    get(path, (request, reply) => {
      const answer = (caller: Caller) => {
        requireAcceptable(request);
        return handler(caller, request, reply);
      };
      // The credential is judged before anything else.
      const caller = admitReader(deps.admitTaxii, request, reply);
      return caller instanceof Promise ? caller.then(answer) : answer(caller);
    });
  const list = (path: string, handler: ListingHandler) =>
    read(path, (caller, request, reply) => {
      const collection = collections.find(caller, parametersOf(request).collectionId);
      requireReadable(collection);
      const answer = () => handler(caller, collection, request, reply);
      const turn = admitPage(reply, caller.id);
      return turn === undefined ? answer() : turn.then(answer);
    });

  const discovery = discoveryBody(deps.publicUrl);
  // Discovery is the one public endpoint.
  get('', async (request, reply) => {
    requireAcceptable(request);
    return sendResource(reply, discovery);
  });
  read('/status/:statusId', async (caller, request, reply) => {
    const status = await deps.submissions.status(caller, parametersOf(request).statusId);
    return sendResource(reply, Buffer.from(status));
  });
  read('/collections', (caller, _request, reply) =>
    sendResource(reply, collectionsBody(collections.listFor(caller))),
  );
  read(COLLECTION, (caller, request, reply) =>
    sendResource(reply, collectionBody(collections.find(caller, parametersOf(request).collectionId))),
  );
  const listings = createListings(deps);
  list(OBJECTS, listings.objects);
  list(`${COLLECTION}/manifest`, listings.manifest);
  list(OBJECT, listings.object);
  list(`${OBJECT}/versions`, listings.versions);
}

/** Writing to a collection (§5.5). A request is judged before its body is read. */
function addWriting(
  taxii: FastifyInstance,
  { admitTaxii, workTurns, submissions }: TaxiiDeps,
  collections: Collections,
): void {
  readBodies(taxii);
  for (const url of withSlash(OBJECTS)) {
    taxii.route({
      method: 'POST',
      url,
      bodyLimit: MAX_CONTENT_LENGTH,
      onRequest: async (request, reply) => {
        requireWritable(await findCollection(admitTaxii, collections, request, reply));
        requireAcceptable(request);
        requireTaxiiBody(request, reply);
      },
      handler: async (request, reply) => {
        const submit = () => submissions.submit(callerOf(request), bodyOf(request));
        const status = await workTurns.run(turnOf(request, reply), submit);
        vary(reply);
        return sendBytes(reply.code(202), Buffer.from(JSON.stringify(status)));
      },
    });
  }
}

/** Deleting an object (§5.7). Nothing is ever deleted; §5.7 asks for 403. */
function addDeleting(
  taxii: FastifyInstance,
  { admitTaxii }: TaxiiDeps,
  collections: Collections,
  refuseRoute: RefuseRoute,
): void {
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    // The router takes the path of the objects endpoint for an object with an empty id. That endpoint has no DELETE.
    if (parametersOf(request).objectId === '') refuseRoute(request, reply);
    const { id } = (await findCollection(admitTaxii, collections, request, reply)).collection;
    throw new ServiceError('permission_denied', `objects cannot be deleted from collection ${id}`, {
      reason: 'NO_DELETION',
    });
  };
  for (const url of withSlash(OBJECT)) {
    // The hook always answers. Fastify requires a handler.
    taxii.route({ method: 'DELETE', url, onRequest: refuse, handler: refuse });
  }
}

/** The collection in the path, as the caller sees it. */
async function findCollection(
  admitTaxii: Admit,
  collections: Collections,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CallerCollection> {
  const caller = await admitReader(admitTaxii, request, reply);
  return collections.find(caller, parametersOf(request).collectionId);
}

/** Any API key reads, within its ceiling. A sensor key may only report events. */
function admitReader(
  admitTaxii: Admit,
  request: FastifyRequest,
  reply: FastifyReply,
): Caller | Promise<Caller> {
  const judge = (caller: Caller): Caller => {
    requireApiKey(caller);
    requireClient(caller);
    return caller;
  };
  const caller = admitRequest(admitTaxii, request, reply);
  return caller instanceof Promise ? caller.then(judge) : judge(caller);
}

/** TAXII paths end in a slash. Paths without it are served too, because some clients drop the credential on a redirect. */
function withSlash(path: string): readonly string[] {
  return [path, `${path}/`];
}

/** The parameters that the path of the route has. */
function parametersOf(
  request: FastifyRequest,
): Readonly<Record<'collectionId' | 'objectId' | 'statusId', string>> {
  return request.params as Record<'collectionId' | 'objectId' | 'statusId', string>;
}
