// What the HTTP layer needs. The wiring in service/ hands it over.

import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import type { ServiceError } from '../../domain/errors.ts';
import type { Admit } from '../../gateway/admit.ts';
import type { KeyCommands } from '../../gateway/key-commands.ts';
import type { Meter } from '../../metering/meter.ts';
import type { Commands } from '../../pipeline/commands.ts';
import type { Search } from '../../search/search.ts';
import type { Stores } from '../../store/stores.ts';
import type { UsageReader } from '../../store/usage.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export interface RestDependencies {
  /** Who is calling, and whether they may call now. */
  readonly admit: Admit;
  readonly search: Search;
  readonly stores: Pick<Stores, 'indicators' | 'keys'>;
  readonly commands: Pick<Commands, 'ingest' | 'verify'> & KeyCommands;
  /** Notes every search page before it is answered. */
  readonly meter: Meter;
  readonly usage: UsageReader;
}

/** Paths whose errors have another form, also where the framework finds them before any route is known. */
export interface ForeignErrors {
  /** Without a slash at the end: it covers the path itself and everything below. */
  readonly prefix: string;
  /** @param error whatever was thrown: a ServiceError, or an error of the framework with a `statusCode`. */
  readonly write: (error: unknown, reply: FastifyReply) => unknown;
  /** For what breaks before there is a request to reply to. */
  readonly describe: (error: ServiceError) => ErrorBody;
}

export interface ErrorBody {
  readonly contentType: string;
  readonly body: string;
}

export interface ServerDependencies extends RestDependencies {
  readonly log: FastifyBaseLogger;
  /** Gets the durations of requests. */
  readonly metrics: Metrics;
  /** Aborted when the service stops: from then on requests are refused. */
  readonly stopping?: AbortSignal;
  /** Whether the X-Forwarded-For of this peer counts; nobody's by default. */
  readonly trustsProxy?: (address: string) => boolean;
  /** Pages of which origins may call; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Further routes, each in a scope of its own. */
  readonly plugins?: readonly ((app: FastifyInstance) => void)[];
  readonly foreignErrors?: readonly ForeignErrors[];
}
