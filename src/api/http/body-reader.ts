// Reads request bodies. The room for a body is reserved before the body is read, and released when the answer has been
// sent. A body that stalls is given up, so that nobody holds the room without sending.

import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { addressKey } from '../../gateway/rate-limit.ts';
import type { VolumeLimits } from '../../gateway/volume-limits.ts';
import { findCaller } from './admission.ts';
import { HttpError } from './errors.ts';
import type { Reservation, Room } from './room.ts';

/** Of a body without an announced length. It doubles as the body grows. */
const FIRST_CAPACITY = 16_384;

const NO_BODY = Buffer.alloc(0);

const SWEEP_MS = 5_000;
/**
 * A body must grow by this share of its length in two sweeps (10 s). A body that arrives evenly at this pace takes two
 * minutes; the timeout of a request is shorter.
 */
const LEAST_SHARE = 1 / 12;

export interface BodyBounds {
  readonly room: Room;
  readonly spendBytes: VolumeLimits['spendBytes'];
}

interface Reads {
  readonly reservation: Reservation;
  /** Undefined if the length was not announced. */
  readonly length: number | undefined;
  /** For a length that was not announced. */
  readonly spendBytes: (bytes: number) => Promise<void>;
}

const READS = Symbol('reads');
type Reading = FastifyRequest & { [READS]?: Reads };

/** A body that is arriving. */
interface Arrival {
  readonly capacity: number;
  readonly received: number;
  fail(error: Error): void;
}

const ARRIVALS = Symbol('arrivals');
type Receiver = FastifyInstance & { [ARRIVALS]?: Set<Arrival> };

/**
 * Reserves room for every body that will be read. Call it before other hooks at `preParsing` are added, because one of
 * them tells the client to send the body.
 */
export function reserveBodies(app: FastifyInstance, { room, spendBytes }: BodyBounds): void {
  const arrivals = new Set<Arrival>();
  (app as Receiver)[ARRIVALS] = arrivals;
  const reserve = async (request: FastifyRequest, reply: FastifyReply, length?: number): Promise<void> => {
    const caller = findCaller(request)?.id;
    const spend = async (bytes: number) => (caller === undefined ? undefined : spendBytes(caller, bytes));
    // The bodies of requests without a credential share the room of their address.
    const owner = caller ?? `address ${addressKey(request.ip)}`;
    const reservation = room.reserve(owner, length ?? FIRST_CAPACITY);
    reply.raw.once('close', reservation.release);
    (request as Reading)[READS] = { reservation, length, spendBytes: spend };
    if (length !== undefined) await spend(length);
  };
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, method, is404 } = request;
    const { 'content-length': announced, 'transfer-encoding': chunked } = raw.headers;
    const length = announced === undefined ? undefined : Number(announced);
    const hasBody = length === undefined ? chunked !== undefined : length > 0;
    // A body that is longer than the route allows is refused without being read.
    const isRead = (length ?? 0) <= (request.routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY);
    if (!hasBody || !isRead || is404 || method === 'GET' || method === 'HEAD') done();
    else reserve(request, reply, length).then(() => done(), done);
  });
  app.server.once('listening', () => {
    const sweeps = setInterval(createSweep(arrivals), SWEEP_MS).unref();
    app.server.once('close', () => clearInterval(sweeps));
  });
}

/** Lets the routes of the scope read bodies, whatever their type, into one buffer each. */
export function readBodies(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', (request, payload: FastifyRequest['raw'], done) => {
    const { [READS]: reads } = request as Reading;
    const limit = request.routeOptions.bodyLimit ?? 0;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limit) {
      done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), undefined);
      return;
    }
    const arrivals = (request.server as Receiver)[ARRIVALS];
    receive(payload, { limit, reads, arrivals }, done);
  });
}

interface Receiving {
  readonly limit: number;
  readonly reads: Reads | undefined;
  readonly arrivals: Set<Arrival> | undefined;
}

function receive(
  payload: FastifyRequest['raw'],
  { limit, reads, arrivals }: Receiving,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  // The memory of a large buffer is resident only as far as it was written.
  let buffer: Buffer = Buffer.allocUnsafe(reads === undefined ? 0 : (reads.length ?? FIRST_CAPACITY));
  let received = 0;

  const end = (error: Error | null): void => {
    arrivals?.delete(arrival);
    payload.off('data', take).off('end', finish).off('error', lost);
    if (error === null) {
      done(null, buffer.subarray(0, received));
    } else {
      buffer = NO_BODY;
      reads?.reservation.release();
      done(error);
    }
  };
  const lost = (error: Error): void => end(Object.assign(error, { statusCode: 400 }));
  const finish = (): void => {
    if (reads === undefined || received === reads.length) end(null);
    else if (reads.length === undefined) reads.spendBytes(received).then(() => end(null), end);
    else end(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
  };
  const take = (bytes: Buffer): void => {
    const size = received + bytes.length;
    if (size > limit) {
      end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return;
    }
    try {
      if (size > buffer.length) enlarge(Math.min(Math.max(size, 2 * buffer.length), limit));
    } catch (error) {
      end(error as Error);
      return;
    }
    bytes.copy(buffer, received);
    received = size;
  };
  const enlarge = (capacity: number): void => {
    reads?.reservation.grow(capacity - buffer.length);
    const larger = Buffer.allocUnsafe(capacity);
    buffer.copy(larger, 0, 0, received);
    buffer = larger;
  };
  const arrival: Arrival = {
    get capacity() {
      return buffer.length;
    },
    get received() {
      return received;
    },
    fail: end,
  };
  arrivals?.add(arrival);
  payload.on('data', take).on('end', finish).on('error', lost);
  payload.resume();
}

/** The function that it returns is called every SWEEP_MS. */
function createSweep(arrivals: ReadonlySet<Arrival>): () => void {
  /** Bytes received at the last sweep and at the one before. */
  const seen = new WeakMap<Arrival, readonly [last: number, before: number | undefined]>();
  return () => {
    for (const arrival of arrivals) {
      const { received, capacity } = arrival;
      const [last, before] = seen.get(arrival) ?? [];
      if (before !== undefined && received - before < capacity * LEAST_SHARE) arrival.fail(stalled());
      else seen.set(arrival, [received, last]);
    }
  };
}

function stalled(): HttpError {
  return new HttpError(408, 'aborted', 'the body arrived too slowly', 'REQUEST_TIMEOUT');
}

/** The body of a request; empty if it has none. */
export function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : NO_BODY;
}
