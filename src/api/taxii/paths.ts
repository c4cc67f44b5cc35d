// Paths of the TAXII endpoints, and what they name.

import type { FastifyRequest } from 'fastify';

export const OBJECTS = '/collections/:collectionId/objects';
export const OBJECT = `${OBJECTS}/:objectId`;

/** Without the trailing slash a path is wrong, but a redirect would lose some clients their credential. */
export function withSlash(path: string): readonly string[] {
  return [path, `${path}/`];
}

/** Those that the path of the route has. */
export function parametersOf(request: FastifyRequest): {
  readonly collectionId: string;
  readonly statusId: string;
} {
  return request.params as { collectionId: string; statusId: string };
}
