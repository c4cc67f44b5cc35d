// The fuzzer: random bytes over sockets. The service keeps running, never answers 5xx, and every answer has one of its
// own forms.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import fc from 'fast-check';
import { TAXII_MEDIA_TYPE } from '../support/taxii-client.ts';
import { type Ammunition, requestBytes } from './requests.ts';
import type { Target } from './target.ts';

const CONNECTIONS = 32;
/** Requests are generated in chunks and depend on the seed only. */
const CHUNK = 500;
/** An unfinished request is answered when its sender gives up. One request in a hundred is unfinished. */
const PATIENCE_MS = 1_000;
const DEADLINE_MS = 60_000;
const EVENTS = 'text/event-stream';
const TYPES = new Set(['application/json', TAXII_MEDIA_TYPE, 'text/plain', EVENTS]);

export interface FuzzReport {
  readonly requests: number;
  /** How often each status was answered; 0 for no answer. */
  readonly statuses: ReadonlyMap<number, number>;
}

/**
 * @param goesOn is asked before each request, with how many there were.
 * @param seed the same seed sends the same bytes.
 * @throws with the bytes that did it, when a rule is broken.
 */
export async function fuzz(
  { port, ammunition }: Target,
  goesOn: (requests: number) => boolean,
  seed: number,
): Promise<FuzzReport> {
  const statuses = new Map<number, number>();
  const bytes = stream(ammunition, seed);
  let requests = 0;
  const work = async () => {
    while (goesOn(requests)) {
      requests += 1;
      const sent = bytes.next().value;
      const status = judge(sent, await exchange(port, sent));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return { requests, statuses: new Map([...statuses].sort(([one], [other]) => one - other)) };
}

function* stream(ammunition: Ammunition, seed: number): Generator<Buffer, never> {
  const arbitrary = requestBytes(ammunition);
  for (let chunk = 0; ; chunk += 1) yield* fc.sample(arbitrary, { seed: seed + chunk, numRuns: CHUNK });
}

/** The status of the answer. Throws when the service must not answer like this. */
function judge(bytes: Buffer, answer: string): number {
  const sent = () =>
    `${JSON.stringify(bytes.toString('latin1'))} was answered with ${answer.slice(0, 2_000)}`;
  // An answer to `Expect` comes before the final one.
  answer = answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  if (answer === '') return 0;
  const headEnd = answer.indexOf('\r\n\r\n');
  const head = answer.slice(0, headEnd);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  assert.ok(status >= 200 && status < 500, sent());
  const type = /^content-type: (.*)$/im.exec(head)?.[1];
  assert.ok(type === undefined || TYPES.has(type), sent());
  return status;
}

/** Everything the service sends until it hangs up. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    let patience: NodeJS.Timeout | undefined;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      patience = setTimeout(() => socket.end(), PATIENCE_MS);
    });
    const deadline = setTimeout(() => {
      socket.destroy(new Error(`no end of ${JSON.stringify(bytes.toString('latin1'))}`));
    }, DEADLINE_MS);
    socket.on('data', (chunk) => {
      received.push(chunk);
      // The service never ends a stream.
      if (chunk.includes(`content-type: ${EVENTS}`)) socket.destroy();
    });
    socket.on('end', () => socket.end());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The service closes the connection of a client that still sends after the answer.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(patience);
      clearTimeout(deadline);
      resolve(Buffer.concat(received).toString('latin1'));
    });
  });
}
