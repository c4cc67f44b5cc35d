// A name server on loopback (RFC 1035 over UDP) that answers queries for names and IPv4 addresses as its caller says: for the
// demo and for tests.

import { createSocket, type RemoteInfo } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** The names or addresses of the answer, an error, or no answer. */
export type Reply = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silence';

export interface NameServer extends AsyncDisposable {
  /** Address and port. */
  readonly address: string;
  /** The names of the queries, in order. */
  readonly asked: readonly string[];
}

const CODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;
const HEADER_LENGTH = 12;
const A = 1;
const PTR = 12;
const INTERNET = 1;
const TTL = 60;

export async function startNameServer(reply: (name: string) => Reply): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message: Buffer, { port, address }: RemoteInfo) => {
    if (message.length < HEADER_LENGTH + 5) return;
    const { name, question } = parseQuestion(message);
    asked.push(name);
    const answer = reply(name);
    if (answer !== 'silence') socket.send(respond(message.readUInt16BE(0), question, answer), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(resolve)),
  };
}

function parseQuestion(message: Buffer): { readonly name: string; readonly question: Buffer } {
  const labels: string[] = [];
  let place = HEADER_LENGTH;
  for (let length = message[place] ?? 0; length > 0; length = message[place] ?? 0) {
    labels.push(message.toString('latin1', place + 1, place + 1 + length));
    place += 1 + length;
  }
  return { name: labels.join('.'), question: message.subarray(HEADER_LENGTH, place + 5) };
}

function respond(id: number, question: Buffer, reply: Exclude<Reply, 'silence'>): Buffer {
  const names = typeof reply === 'string' ? [] : reply;
  const header = Buffer.alloc(HEADER_LENGTH);
  header.writeUInt16BE(id, 0);
  // A response, recursion available.
  header.writeUInt16BE(0x8180 | (typeof reply === 'string' ? CODES[reply] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(names.length, 6);
  const type = question.readUInt16BE(question.length - 4);
  return Buffer.concat([header, question, ...names.map((name) => record(name, type))]);
}

function record(name: string, type: number): Buffer {
  const data = type === A ? Buffer.from(name.split('.').map(Number)) : nameData(name);
  const head = Buffer.alloc(12);
  // A pointer to the name of the query.
  head.writeUInt16BE(0xc000 | HEADER_LENGTH, 0);
  head.writeUInt16BE(type === A ? A : PTR, 2);
  head.writeUInt16BE(INTERNET, 4);
  head.writeUInt32BE(TTL, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function nameData(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}
