// Ending the HTTP server: what was accepted is answered, within a time.

import type { FastifyInstance } from 'fastify';

/** How often connections are looked at that have had their answer and were kept open for more. */
const SWEEP_MS = 50;

/**
 * Takes no new connections, waits for the answers under way and closes. Requests that are not answered within the time
 * are cut off.
 * @returns whether every answer was sent.
 */
export async function closeGracefully(app: FastifyInstance, withinMs: number): Promise<boolean> {
  let complete = true;
  // Node closes what is idle when the closing begins, but not what becomes idle after it.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
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
