// The target of the fuzzer: a service process with a filled store, and credentials for every route.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTis, tisJson } from '../../bench/processes.ts';
import { startForge } from '../gateway/token-forge.ts';
import { RestClient } from '../support/http-client.ts';
import { residentMemory } from '../support/resident-memory.ts';
import { events } from '../support/sensor-events.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import { until } from '../support/until.ts';
import type { Envelope } from '../support/wire.ts';
import type { Ammunition, OpenApi } from './requests.ts';

const POPULATION = 40;
const SCOPES = ['indicators:read', 'events:write', 'usage:read', 'keys:manage', 'admin'];

export interface Target extends AsyncDisposable {
  readonly port: number;
  readonly ammunition: Ammunition;
  /** Resident memory of the service, in bytes. */
  memory(): number;
}

export async function startTarget(): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tis-fuzz-'));
  const forge = await startForge();
  const newKey = async (...words: string[]) =>
    (await tisJson<{ key: string }>('keys', 'create', '--name', 'fuzz', '--data-dir', dataDir, ...words)).key;
  const key = await newKey(...SCOPES.flatMap((scope) => ['--scope', scope]));
  const sensor = await newKey('--sensor');
  const server = await startTis(dataDir, forge.settings);
  const url = `http://127.0.0.1:${server.port}`;
  const client = new RestClient(url, key);

  await client.ingest(events(POPULATION));
  await until('a feed', async () =>
    (await new TaxiiClient(() => url, key).list('objects')).text.includes('"indicator"'),
  );
  const { indicators, pageInfo } = await client.search({ page_size: 5 });
  const feed = (await new TaxiiClient(() => url, key).list('objects', { limit: 5 })).expect<Envelope>(200);
  const genuine = forge.token({ scope: 'indicators:read indicators:verify' });
  const attacks = Object.values(forge.attacks).flatMap(([token = '']) => `Bearer ${token}`);

  return {
    port: server.port,
    ammunition: {
      openApi: (await client.send('/openapi.json')).expect<OpenApi>(200),
      credentials: [
        ...[`Bearer ${key}`, `Bearer ${key}`, `Basic ${btoa(`x:${key}`)}`, `token ${key}`],
        ...[`Bearer ${sensor}`, `Bearer ${genuine}`, `Bearer ${genuine}`],
        ...attacks.slice(0, 1),
      ],
      ids: [
        ...indicators.map(({ id }) => id),
        ...(feed.objects ?? []).map(({ id }) => id),
        'service-global-feed',
      ],
      tokens: [pageInfo.nextPageToken, feed.next ?? 'none'],
    },
    memory: () => residentMemory(server.pid) ?? 0,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await forge.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
