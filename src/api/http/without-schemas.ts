// Fastify loads two compilers of JSON schemas at each start unless it is given others. Here no route has a schema: requests
// are read by protojson and by readers of their own. Without the compilers a start loads a hundred files less.

import type { FastifyServerOptions } from 'fastify';

function refuse(): never {
  throw new Error('no route has a schema');
}

export const WITHOUT_SCHEMAS = {
  schemaController: { compilersFactory: { buildValidator: () => refuse, buildSerializer: () => refuse } },
} satisfies FastifyServerOptions;
