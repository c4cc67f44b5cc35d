// What the HTTP layer is given by compose.ts.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Authenticate } from '../gateway/authenticate.ts';
import type { Commands } from '../pipeline/commands.ts';
import type { Search } from '../search/search.ts';
import type { Stores } from '../store/stores.ts';

export interface RestDependencies {
  /** Who is calling; rejects with ServiceError `unauthenticated`, `resource_exhausted` or `unavailable`. */
  readonly authenticate: Authenticate;
  readonly search: Search;
  readonly stores: Pick<Stores, 'indicators'>;
  readonly commands: Commands;
}

/** Paths whose errors have another form, also where the framework finds them before any route is known. */
export interface ForeignErrors {
  /** Without a slash at the end: it covers the path itself and everything below. */
  readonly prefix: string;
  /** @param error whatever was thrown: a ServiceError, or an error of the framework with a `statusCode`. */
  readonly write: (error: unknown, reply: FastifyReply) => unknown;
}

export interface ServerDependencies extends RestDependencies {
  /** A level of pino, or `silent`. */
  readonly logLevel: string;
  /** Where log lines go; standard output by default. */
  readonly logStream?: { write(line: string): void };
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For counts; none by default. */
  readonly trustedProxies?: readonly string[];
  /** Further routes, each in a scope of its own. */
  readonly plugins?: readonly ((app: FastifyInstance) => void)[];
  readonly foreignErrors?: readonly ForeignErrors[];
}
