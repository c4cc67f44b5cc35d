// Entry of the inspection thread: reads every page of the store once, tells what it found, and ends.

import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../config.ts';
import type { EntryData } from './service-thread.ts';
import { loadDriver } from './stores.ts';

const { dataDir } = (workerData as EntryData).data as Config;
parentPort?.postMessage(await (await loadDriver(dataDir)).inspection.run());
