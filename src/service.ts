// A running service: the HTTP thread and its pipeline threads, started and stopped together.

import type { AddressInfo } from 'node:net';
import { createHttp, openStores } from './compose.ts';
import type { Config } from './config.ts';
import type { Commands } from './pipeline/commands.ts';
import { type PipelineThread, startPipelineThread } from './pipeline-threads.ts';
import type { Stores } from './store/stores.ts';

export interface Service extends AsyncDisposable {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly stores: Stores;
  /** Carried out by the first pipeline thread. */
  readonly commands: Commands;
  /** Resolves when a pipeline thread died, which a service cannot outlive. */
  readonly failed: Promise<Error>;
  /** Answers what has been accepted, finishes the batch in hand, and closes the store. */
  stop(): Promise<void>;
}

/** @throws when the port is taken or the store cannot be opened. */
export async function startService(config: Config): Promise<Service> {
  const stores = openStores(config);
  const threads = await startThreads(config);
  const [first] = threads;
  if (first === undefined) throw new Error('a service has at least one pipeline thread');
  const { commands } = first;
  const app = createHttp(stores, commands, config);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      await app.close();
      await Promise.all(threads.map((thread) => thread.stop()));
      await stores.close();
    })();
    return stopping;
  };
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await stop();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const failed = Promise.race(threads.map((thread) => thread.failed));
  return { url: `http://${host}:${port}`, stores, commands, failed, stop, [Symbol.asyncDispose]: stop };
}

/** The first thread also carries out the commands, so there is one even where nothing is to work the queue. */
function startThreads(config: Config): Promise<PipelineThread[]> {
  const works = Array.from({ length: Math.max(1, config.workers) }, (_, index) => index < config.workers);
  return Promise.all(works.map((does) => startPipelineThread(config, does)));
}
