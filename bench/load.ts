// A closed loop: every connection sends its next request when the answer of the last one has come. It gives the highest
// rate. Its latencies grow with the number of connections, so open-loop.ts measures the latency of a given rate.

import { performance } from 'node:perf_hooks';
import { type Connection, openConnection } from './connection.ts';
import { quantile } from './quantiles.ts';

export interface Load {
  readonly port: number;
  /** Complete requests. Every connection sends them in turn. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly megabytesPerSecond: number;
}

/** One complete request. A request with a body is JSON. */
export function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length =
    body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}${length}\r\n${body}`,
  );
}

/** Rejects at the first answer that is not 200. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const totals = { bytes: 0 };
  const open: Connection[] = [];
  const started = performance.now();
  const end = started + load.seconds * 1_000;
  try {
    await Promise.all(
      Array.from({ length: load.connections }, (_, index) =>
        runConnection(load, index, end, open, (latency, bytes) => {
          latencies.push(latency);
          totals.bytes += bytes;
        }),
      ),
    );
  } finally {
    for (const connection of open) connection.close();
  }
  const seconds = (performance.now() - started) / 1_000;
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    megabytesPerSecond: totals.bytes / seconds / 1e6,
  };
}

function runConnection(
  load: Load,
  index: number,
  end: number,
  open: Connection[],
  note: (latency: number, bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let turn = index;
    let sentAt = 0;
    const send = () => {
      const next = load.requests[turn++ % load.requests.length];
      // Each connection sends one request at least, however slow the machine is.
      if (next === undefined || (sentAt > 0 && performance.now() >= end)) return resolve();
      sentAt = performance.now();
      connection.send(next);
    };
    const connection = openConnection(load.port, {
      onOpen: send,
      onFailure: reject,
      onAnswer: ({ bytes }) => {
        note(performance.now() - sentAt, bytes);
        send();
      },
    });
    open.push(connection);
  });
}
