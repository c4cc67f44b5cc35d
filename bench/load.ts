// A closed-loop HTTP load over raw sockets. It needs so little processor time that the server has the other core alone.

import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface Load {
  readonly port: number;
  /** Complete requests. Every connection sends them in turn. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly megabytesPerSecond: number;
  /** Number of answers with a status other than 200. */
  readonly failures: number;
}

export function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}${length}\r\n${body}`,
  );
}

export async function runLoad(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const totals = { bytes: 0, failures: 0 };
  const started = performance.now();
  const end = started + load.seconds * 1_000;
  await Promise.all(
    Array.from({ length: load.connections }, (_, index) =>
      runConnection(load, index, end, latencies, totals),
    ),
  );
  const seconds = (performance.now() - started) / 1_000;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    perSecond: latencies.length / seconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
    megabytesPerSecond: totals.bytes / seconds / 1e6,
    failures: totals.failures,
  };
}

function runConnection(
  load: Load,
  index: number,
  end: number,
  latencies: number[],
  totals: { bytes: number; failures: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(load.port, '127.0.0.1');
    socket.setNoDelay(true);
    let turn = index;
    let sentAt = 0;
    let missing = -1;
    let head = Buffer.alloc(0);
    const send = () => {
      if (performance.now() >= end) {
        socket.destroy();
        resolve();
        return;
      }
      const next = load.requests[turn++ % load.requests.length];
      missing = -1;
      head = Buffer.alloc(0);
      sentAt = performance.now();
      if (next !== undefined) socket.write(next);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      totals.bytes += chunk.length;
      if (missing < 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const headEnd = head.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const text = head.toString('latin1', 0, headEnd);
        if (!text.startsWith('HTTP/1.1 200')) totals.failures += 1;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
        missing = length - (head.length - headEnd - 4);
      } else {
        missing -= chunk.length;
      }
      if (missing <= 0) {
        latencies.push(performance.now() - sentAt);
        send();
      }
    });
  });
}
