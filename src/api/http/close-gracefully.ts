// The end of a server: what was accepted is answered, and nothing else is waited for.

import type { Server, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Milliseconds between two searches for connections that are open but idle. */
const SWEEP_MS = 50;

/** The open connections of a server. */
const OPEN = new WeakMap<Server, Set<Socket>>();

/** Must be called before the server listens. */
export function noteConnections(server: Server): void {
  const open = new Set<Socket>();
  OPEN.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/**
 * Takes no new connections, waits for the answers under way and closes. Requests that are not answered in time are cut
 * off.
 * @returns whether every answer was sent.
 */
export async function closeGracefully(app: FastifyInstance, withinMs: number): Promise<boolean> {
  let complete = true;
  // Node closes the connections that are idle at the start, but not those that become idle later.
  const sweep = setInterval(() => {
    app.server.closeIdleConnections();
    closeUnused(app.server);
  }, SWEEP_MS);
  const limit = setTimeout(() => {
    complete = false;
    app.server.closeAllConnections();
  }, withinMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(limit);
  }
  return complete;
}

/** Browsers open connections ahead of requests. Node takes one that has sent nothing yet for a request under way. */
function closeUnused(server: Server): void {
  for (const socket of OPEN.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}
