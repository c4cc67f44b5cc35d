// An open loop: requests arrive at a fixed rate. The latency of a request counts from its intended start, so a request that
// has to wait behind a slow one counts that wait too (no coordinated omission).

import { performance } from 'node:perf_hooks';
import { arrivals } from './arrivals.ts';
import { type Connection, openConnection } from './connection.ts';
import { quantile } from './quantiles.ts';

export interface OpenLoad {
  readonly port: number;
  /** Complete requests, sent in turn. */
  readonly requests: readonly Buffer[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

export interface OpenLoadResult {
  readonly requests: number;
  /** Requests without an answer when the patience ended. Each counts with the time that it has waited. */
  readonly unanswered: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** The timer of the load. A latency can be too long by this. */
const TICK_MS = 1;
/** How long the load waits for the last answers. */
const PATIENCE_MS = 5_000;

/** Rejects at the first answer that is not 200. */
export async function runOpenLoop(load: OpenLoad): Promise<OpenLoadResult> {
  const all: Connection[] = [];
  try {
    return await new Promise((resolve, reject) => {
      const run = startRun(load, resolve);
      for (let count = 0; count < load.connections; count++) {
        const connection = openConnection(load.port, {
          onOpen: () => run.opened(connection),
          onAnswer: () => run.answered(connection),
          onFailure: (error) => {
            run.stop();
            reject(error);
          },
        });
        all.push(connection);
      }
    });
  } finally {
    for (const connection of all) connection.close();
  }
}

/** The run begins when all connections are open. */
function startRun(load: OpenLoad, onEnd: (result: OpenLoadResult) => void) {
  const plan = arrivals(load.perSecond, load.seconds);
  const latencies: number[] = [];
  const free: Connection[] = [];
  /** The arrival that each other connection works on. */
  const busy = new Map<Connection, number>();
  let next = 0;
  let begin = 0;
  let timer: NodeJS.Timeout | undefined;

  const sendDue = () => {
    const elapsed = performance.now() - begin;
    const due = plan.dueBy(elapsed);
    for (; next < due && free.length > 0; next++) {
      const [connection, bytes] = [free.pop(), load.requests[next % load.requests.length]];
      if (connection === undefined || bytes === undefined) throw new Error('an open loop without requests');
      busy.set(connection, next);
      connection.send(bytes);
    }
    if (latencies.length === plan.total || elapsed > load.seconds * 1_000 + PATIENCE_MS) end(elapsed);
  };
  const stop = () => clearInterval(timer);
  const end = (elapsed: number) => {
    stop();
    const waiting = [...busy.values()];
    while (next < plan.total) waiting.push(next++);
    const waited = [...latencies, ...waiting.map((index) => elapsed - plan.at(index))];
    onEnd({
      requests: plan.total,
      unanswered: waiting.length,
      p50: quantile(waited, 0.5),
      p99: quantile(waited, 0.99),
    });
  };
  return {
    stop,
    opened: (connection: Connection) => {
      if (free.push(connection) < load.connections) return;
      begin = performance.now();
      timer = setInterval(sendDue, TICK_MS);
    },
    answered: (connection: Connection) => {
      latencies.push(performance.now() - begin - plan.at(busy.get(connection) ?? 0));
      busy.delete(connection);
      free.push(connection);
      sendDue();
    },
  };
}
