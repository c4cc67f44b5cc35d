// The open streams of a server: how many there are, when they look for new events, and whether their credentials are still
// valid.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import type { Clock } from '../../domain/instant.ts';
import type { Admit } from '../../gateway/admit.ts';
import { isKnownPerson } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { callerOf } from './admission.ts';
import { type EventFlow, EventStream, type StreamEnd } from './event-stream.ts';
import type { Ledger } from './ledger.ts';

export interface StreamLimits {
  /** Of one credential. */
  readonly perCredential: number;
  readonly total: number;
}

export const STREAM_LIMITS: StreamLimits = { perCredential: 10, total: 500 };

export interface EventStreamParts {
  readonly admit: Admit;
  /** Judges whether an identity token has ended. */
  readonly clock: Clock;
  /** Open streams by credential. Threads on one port share it. */
  readonly open: Ledger;
  readonly limits?: StreamLimits;
  readonly metrics: Metrics;
  /** Aborted when the service stops. */
  readonly stopping?: AbortSignal;
}

/**
 * Opens a stream for an admitted request.
 * @param mayRead throws for a caller who has lost the right to the stream.
 * @throws ServiceError `resource_exhausted` if the credential has too many streams, `unavailable` if all together are.
 */
export type OpenStream = (
  request: FastifyRequest,
  reply: FastifyReply,
  flow: EventFlow,
  mayRead: (caller: Caller) => void,
) => void;

/**
 * Milliseconds between two looks. The gateway remembers a key for half a second, and a stream has to end within one second
 * after the credential.
 */
const LOOK_MS = 250;
/** The token of another issuer is valid until it expires: its signature is judged again only once in so many looks. */
const LOOKS_AT_TOKENS = 40;

interface Open {
  readonly stream: EventStream;
  readonly judge: (look: number) => Promise<StreamEnd | undefined>;
}

export function createEventStreams(parts: EventStreamParts): OpenStream {
  const { open: ledger, limits = STREAM_LIMITS, metrics, stopping } = parts;
  const streams = new Set<Open>();
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  metrics.gauge('http_event_streams', 'Open streams of events.', () => [{ labels: {}, value: ledger.total }]);

  const look = (): void => {
    looks += 1;
    for (const { stream, judge } of streams) {
      judge(looks).then(
        (reason) => (reason === undefined ? stream.wake() : stream.end(reason)),
        (error: unknown) => stream.fail(error),
      );
    }
  };
  const leave = (open: Open): void => {
    streams.delete(open);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  stopping?.addEventListener('abort', () => {
    for (const { stream } of streams) stream.end('UNAVAILABLE');
  });

  return (request, reply, flow, mayRead) => {
    const caller = callerOf(request);
    const place = takePlace(ledger, caller.id, limits);
    let open: Open | undefined;
    const stream = new EventStream(reply, caller.id, flow, () => {
      ledger.add(caller.id, -1, place);
      if (open !== undefined) leave(open);
    });
    if (reply.raw.destroyed) return;
    open = { stream, judge: judgeOf(parts, request, caller, mayRead) };
    streams.add(open);
    timer ??= setInterval(look, LOOK_MS).unref();
    stream.wake();
  };
}

function takePlace(ledger: Ledger, owner: string, { perCredential, total }: StreamLimits): number {
  let isOwn = false;
  const place = ledger.add(owner, 1, undefined, (own, all) => {
    isOwn = own >= perCredential;
    return !isOwn && all < total;
  });
  if (place !== undefined) return place;
  if (isOwn) {
    throw new ServiceError('resource_exhausted', 'too many open streams of this credential', {
      reason: 'TOO_MANY_STREAMS',
      metadata: { subject: 'credential', limit: String(perCredential) },
      retryAfterMs: 10_000,
    });
  }
  throw new ServiceError('unavailable', 'too many open streams', {
    reason: 'OVERLOADED',
    retryAfterMs: 10_000,
  });
}

/** Judges the credential of a stream again, without counting a request. Resolves to why the stream has to end. */
function judgeOf(
  { admit, clock }: EventStreamParts,
  { headers, ip, method }: FastifyRequest,
  caller: Caller,
  mayRead: (caller: Caller) => void,
): Open['judge'] {
  const { again } = admit;
  return async (look) => {
    if (again === undefined) return undefined;
    if (caller.credential === 'jwt' && !isKnownPerson(caller)) {
      if (caller.expiresAt !== undefined && caller.expiresAt <= clock()) return 'CREDENTIAL_ENDED';
      if (look % LOOKS_AT_TOKENS !== 0) return undefined;
    }
    try {
      const now = await again(headers, ip, method);
      mayRead(now);
      return hasSameRights(now, caller) ? undefined : 'RIGHTS_CHANGED';
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'permission_denied') return 'RIGHTS_CHANGED';
      return error.code === 'unauthenticated' ? 'CREDENTIAL_ENDED' : 'UNAVAILABLE';
    }
  };
}

/** What a stream shows was chosen by the rights with which it began. */
function hasSameRights(now: Caller, then: Caller): boolean {
  return (
    now.id === then.id &&
    now.account === then.account &&
    now.ceiling === then.ceiling &&
    now.scopes.size === then.scopes.size &&
    [...now.scopes].every((scope) => then.scopes.has(scope))
  );
}
