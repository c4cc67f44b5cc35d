// `npm run bench`: the speed of the service with a given number of indicators. Most figures come with their ratio to bare
// Fastify, measured in the same run.
//
//   npm run bench -- [indicators]        default 100000
//
// A benchmark does not pass or fail. The figures depend on the machine, so only the ratios of one run are comparable.

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { writeEvents } from './events.ts';
import { benchFeed } from './feed.ts';
import { request } from './load.ts';
import { type Server, startBare, startTis, tisJson } from './processes.ts';
import { load, perSecond, print } from './report.ts';

const EVENTS_PER_INDICATOR = 5;

interface IngestReport {
  readonly accepted: number;
  readonly events: number;
}

interface Page {
  readonly indicators: readonly { readonly id: string; readonly value: string }[];
  readonly pageInfo: { readonly totalCount?: string };
}

const indicators = Number(process.argv[2] ?? 100_000);
const folder = await mkdtemp(join(tmpdir(), 'tis-bench-'));
try {
  await bench(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function bench(root: string): Promise<void> {
  const dataDir = join(root, 'data');
  console.log(`${indicators} indicators, ${EVENTS_PER_INDICATOR} events each, Node ${process.version}\n`);
  await benchIngest(root, dataDir);
  const { key } = await tisJson<{ key: string }>(
    ...['keys', 'create', '--name', 'bench', '--data-dir', dataDir],
  );
  await using service = await startTis(dataDir);
  const headers = { authorization: `Bearer ${key}` };
  const records = await pageOf(service, headers, { page_size: 100 });
  await writeFile(join(root, 'record.json'), JSON.stringify(records.indicators[0]));
  await writeFile(
    join(root, 'records.json'),
    JSON.stringify(records.indicators.map((one) => JSON.stringify(one))),
  );
  await using bare = await startBare(root);

  await benchGet(service, bare, headers, records);
  await benchSearch(service, bare, headers, records);
  await benchFeed(service, headers, root);
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8').catch(() => '');
  console.log(
    `\nresident memory of the service after the benchmark: ${/VmRSS:\s+(\d+ kB)/.exec(status)?.[1] ?? 'unknown'}`,
  );
}

async function benchIngest(root: string, dataDir: string): Promise<void> {
  const file = join(root, 'events.jsonl');
  await writeEvents(file, indicators, EVENTS_PER_INDICATOR, Date.now());
  const started = performance.now();
  const report = await tisJson<{ total: IngestReport } & IngestReport>('ingest', file, '--data-dir', dataDir);
  const seconds = (performance.now() - started) / 1_000;
  const bytes = (await stat(join(dataDir, 'tis.db'))).size;
  console.log(
    `ingest to feed: ${perSecond(report.events / seconds)} events/s ` +
      `(${report.accepted} accepted in ${seconds.toFixed(1)} s, 20 % new values; ` +
      `${(bytes / indicators / 1_000).toFixed(1)} kB of store per indicator)`,
  );
}

async function benchGet(service: Server, bare: Server, headers: Headers, records: Page): Promise<void> {
  const gets = records.indicators.map(({ id }) => request('GET', `/v1/indicators/${id}`, headers));
  const ours = await load(service, gets);
  const theirs = await load(bare, [request('GET', '/record', headers)]);
  print('GET by id', ours, theirs);
}

type Headers = Readonly<Record<string, string>>;

async function benchSearch(service: Server, bare: Server, headers: Headers, records: Page): Promise<void> {
  const value = records.indicators[3]?.value ?? '45.0';
  const searches: Readonly<Record<string, readonly object[]>> = {
    'search, broad': [{ page_size: 100 }, { page_size: 100, filter: { types: ['INDICATOR_TYPE_IPV4'] } }],
    'search, narrow': [
      {
        page_size: 100,
        filter: {
          protocols: ['PROTOCOL_MODBUS', 'PROTOCOL_S7'],
          minSeverity: 'SEVERITY_MEDIUM',
          min_confidence: 30,
          categories: ['THREAT_CATEGORY_EXPLOIT'],
        },
      },
    ],
    'search, text': [
      { page_size: 100, query: 'example.net' },
      { page_size: 100, query: 'modbus' },
    ],
    'search, few matches': [
      { page_size: 100, query: value },
      {
        page_size: 100,
        filter: { tags: ['campaign-77'], types: ['INDICATOR_TYPE_URL'], protocols: ['PROTOCOL_DNP3'] },
      },
    ],
  };
  const theirs = await load(bare, [request('POST', '/search', headers, '{"page_size":100}')]);
  for (const [name, bodies] of Object.entries(searches)) {
    const requests = bodies.map((body) =>
      request('POST', '/v1/indicators/search', headers, JSON.stringify(body)),
    );
    print(name, await load(service, requests), theirs);
  }
}

async function pageOf(service: Server, headers: Headers, body: object): Promise<Page> {
  const response = await fetch(`http://127.0.0.1:${service.port}/v1/indicators/search`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`search answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Page;
}
