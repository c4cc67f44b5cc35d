// Bounds on the connections of a server: how many there are, how many requests of one are unanswered, and how long a
// client may leave an answer unread. Without them a client that sends and never reads decides how much memory is used.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { addressKey } from '../../gateway/rate-limit.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { createMemoryLedger, type Ledger } from './ledger.ts';

export interface ConnectionLimits {
  /** Of one port. */
  readonly total: number;
  /** Of one IPv4 address or one IPv6 /64. */
  readonly perAddress: number;
}

export interface ConnectionOptions {
  readonly limits: ConnectionLimits;
  /** A proxy carries the connections of many clients, so it has no limit by address. Default: no proxy. */
  readonly trustsProxy?: (address: string) => boolean;
  /** Counts the connections that the service closed. */
  readonly metrics: Metrics;
}

/**
 * Adds the bounds to a server that does not listen yet. Each port has bounds of its own.
 * @param open connections by address. Servers of several threads on one port share it. Default: of this server alone.
 */
export type BoundConnections = (server: Server, open?: Ledger) => void;

/**
 * A socket with this number of unanswered requests is not read. One would be too few: a request is unanswered while its
 * body arrives.
 */
const MAX_UNANSWERED = 4;
/** A piece has at least this length and ends with a header. It holds 8 requests at most. */
const PIECE_BYTES = 128;
const HEADER_END = '\r\n\r\n';
/** The owner of connections that have no limit by address. */
const UNBOUNDED = 'proxies';
/** A socket is closed when its client accepted nothing of an answer during this number of sweeps, which is 30 s. */
const STALLED_SWEEPS = 6;
const SWEEP_MS = 5_000;
/**
 * The rest of a body whose request was answered is read and dropped, so that the client gets to reading the answer. If
 * more than this number of connections send such bodies, each is read once in DROP_MS. A read has 64 KiB at most.
 */
const FREELY_DROPPED = 4;
const DROP_MS = 100;

export function createConnectionBounds({
  limits,
  trustsProxy = () => false,
  metrics,
}: ConnectionOptions): BoundConnections {
  const closed = metrics.counter(
    'http_connections_closed_total',
    'Connections closed for the limit of all, for that of an address, for an unread answer, or for a failed handshake.',
    ['reason'],
  );
  return (server, open = createMemoryLedger()) => {
    const connections = new Map<Socket, Connection>();
    const dropping = new Set<Connection>();
    server.maxConnections = limits.total;
    server.on('drop', () => closed.with('total').add());
    const refuse = (reason: string): false => {
      closed.with(reason).add();
      return false;
    };
    server.on('connection', (socket) => {
      const { remoteAddress: address } = socket;
      const isBounded = address !== undefined && !trustsProxy(address);
      const key = isBounded ? addressKey(address) : UNBOUNDED;
      // The bound of Node is of this server; here count those of other threads too.
      const place = open.add(key, 1, undefined, (own, all) => {
        if (all >= limits.total) return refuse('total');
        return !isBounded || own < limits.perAddress || refuse('address');
      });
      if (place === undefined) socket.destroy();
      else socket.once('close', () => open.add(key, -1, place));
    });
    const speaksTls = server instanceof TlsServer;
    server.on(speaksTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      if (socket.destroyed) return;
      const connection = new Connection(socket, dropping);
      connections.set(socket, connection);
      socket.once('close', () => {
        connections.delete(socket);
        dropping.delete(connection);
      });
    });
    if (speaksTls) closeFailedHandshakes(server, () => closed.with('handshake').add());
    const count = (request: IncomingMessage, response: ServerResponse) =>
      connections.get(request.socket)?.begin(request, response);
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.prependListener(event, count);
    const sweep = () => {
      for (const [socket, connection] of connections) {
        if (!connection.isStalled()) continue;
        closed.with('stalled').add();
        socket.destroy();
      }
    };
    server.once('listening', () => {
      const sweeps = setInterval(sweep, SWEEP_MS).unref();
      server.once('close', () => clearInterval(sweeps));
    });
  };
}

/** Node would answer a failed handshake in plain text, as it answers a request that it cannot read. */
function closeFailedHandshakes(server: TlsServer, count: () => void): void {
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', ({ code }: NodeJS.ErrnoException, socket) => {
    // The client has gone, or the service has closed the connection for a limit.
    if (code !== 'ECONNRESET') count();
    socket.destroy();
  });
}

/** Members of a socket that Node does not document. Both are optional here: without them the bounds are looser. */
interface NodeMembers {
  /** Node has stopped the parser. Bytes that reach it before Node resumes it end the process. */
  readonly _paused?: boolean;
  /** `writeQueueSize`: bytes handed to the system that the client has no room for. */
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/**
 * Reads a socket in small pieces, and no further while its requests wait for answers. Node parses all that one read
 * returned before it looks at the answers: 64 KiB are more than 1,500 requests.
 */
class Connection {
  readonly #socket: Socket & NodeMembers;
  /** Node's own listener. */
  readonly #parse: (bytes: Buffer) => void;
  #unanswered = 0;
  #unread = false;
  /** The bytes that the client had accepted at the last sweep. Undefined if no bytes waited. */
  #accepted: string | undefined;
  #stalledSweeps = 0;
  /** The connections that send the rest of a body whose request was answered. */
  readonly #dropping: Set<Connection>;

  constructor(socket: Socket, dropping: Set<Connection>) {
    this.#socket = socket;
    this.#dropping = dropping;
    const [parse] = socket.listeners('data');
    this.#parse = parse as (bytes: Buffer) => void;
    socket.on('data', (bytes) => this.#read(bytes));
    socket.removeListener('data', this.#parse);
    socket.on('drain', () => this.#resume());
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#unanswered += 1;
    this.#dropping.delete(this);
    response.once('close', () => {
      this.#unanswered -= 1;
      if (!request.complete && !this.#socket.destroyed) this.#dropping.add(this);
      this.#resume();
    });
  }

  /** Called at each sweep. */
  isStalled(): boolean {
    const { bytesWritten, writableLength, _handle } = this.#socket;
    const accepted =
      writableLength === 0 ? undefined : `${bytesWritten - writableLength} ${_handle?.writeQueueSize}`;
    this.#stalledSweeps = accepted !== undefined && accepted === this.#accepted ? this.#stalledSweeps + 1 : 0;
    this.#accepted = accepted;
    return this.#stalledSweeps >= STALLED_SWEEPS;
  }

  #read(bytes: Buffer): void {
    // Bytes that arrive after the last answer are dropped.
    for (let at = 0; at < bytes.length && this.#socket.writable; ) {
      if (!this.#mayRead()) {
        this.#unread = true;
        this.#socket.pause();
        this.#socket.unshift(bytes.subarray(at));
        return;
      }
      const header = bytes.indexOf(HEADER_END, at + PIECE_BYTES);
      const end = header === -1 ? bytes.length : header + HEADER_END.length;
      this.#parse(bytes.subarray(at, end));
      at = end;
    }
    if (this.#dropping.size > FREELY_DROPPED && this.#dropping.has(this)) {
      this.#socket.pause();
      setTimeout(() => this.#socket.resume(), DROP_MS).unref();
    }
  }

  /**
   * Reads on in a later turn of the event loop. Without that, a client with many cheap requests would keep the others
   * waiting.
   */
  #resume(): void {
    if (!this.#unread || !this.#mayRead()) return;
    this.#unread = false;
    setImmediate(() => this.#socket.resume());
  }

  #mayRead(): boolean {
    const { _paused, writableLength } = this.#socket;
    return _paused !== true && writableLength === 0 && this.#unanswered < MAX_UNANSWERED;
  }
}
