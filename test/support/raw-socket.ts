// Bytes over a socket, for requests that no HTTP client sends.

import { connect } from 'node:net';

/** Everything the server sends until it closes the connection. A connection that is reset has sent nothing more. */
export function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(30_000, () => socket.destroy(new Error('the server neither answered nor hung up')));
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('end', () => socket.end());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(Buffer.concat(received).toString()));
  });
}

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The one answer in what a server sent. */
export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]),
    headers: new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    ),
    body: text.slice(end + 4),
  };
}
