// One HTTP connection over a raw socket, with one request at a time. It needs so little processor time that the server has
// the other core alone.

import { connect, type Socket } from 'node:net';

export interface Answered {
  readonly bytes: number;
}

export interface Connection {
  /** Sends a request. Its answer must have come before the next one is sent. */
  send(request: Buffer): void;
  close(): void;
}

export interface ConnectionEvents {
  /** Called once when the connection is open. */
  readonly onOpen: () => void;
  readonly onAnswer: (answer: Answered) => void;
  /** Called once for an answer with another status than 200, an answer without a length, or a broken connection. */
  readonly onFailure: (error: Error) => void;
}

const EXPECTED = 'HTTP/1.1 200';
/** Of the body of an unexpected answer, for the message. */
const SHOWN = 300;

export function openConnection(port: number, { onOpen, onAnswer, onFailure }: ConnectionEvents): Connection {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let sent: Buffer | undefined;
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  /** Bytes of the body that have not arrived; undefined before the head is complete. */
  let missing: number | undefined;
  let ended = false;

  const fail = (problem: string) => {
    if (ended) return;
    ended = true;
    socket.destroy();
    const line = sent === undefined ? 'a connection' : sent.toString('latin1', 0, sent.indexOf('\r\n'));
    onFailure(new Error(`${line}: ${problem}`));
  };
  const readHead = (chunk: Buffer): boolean => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const text = head.toString('latin1', 0, end);
    if (!text.startsWith(EXPECTED)) {
      const [line] = text.split('\r\n');
      fail(`expected ${EXPECTED}, got ${line} ${head.toString('utf8', end + 4, end + 4 + SHOWN)}`);
      return false;
    }
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    if (length === undefined) {
      fail('the answer has no content-length');
      return false;
    }
    missing = Number(length) - (head.length - end - 4);
    return true;
  };

  socket.on('connect', onOpen);
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => fail('the server closed the connection'));
  socket.on('end', () => fail('the server closed the connection'));
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    if (missing === undefined) {
      if (!readHead(chunk)) return;
    } else {
      missing -= chunk.length;
    }
    if (missing === undefined || missing > 0) return;
    missing = undefined;
    head = Buffer.alloc(0);
    onAnswer({ bytes });
  });

  return {
    send: (next) => {
      sent = next;
      bytes = 0;
      socket.write(next);
    },
    close: () => {
      ended = true;
      socket.destroy();
    },
  };
}
