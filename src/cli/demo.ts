// `tis demo`: the service on a fresh store with the example logs in it, and commands to paste.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { MATCH_ALL } from '../domain/filter.ts';
import { HOUR, MINUTE } from '../domain/instant.ts';
import { compareText } from '../domain/sorted-list.ts';
import { issueKey } from '../gateway/key-commands.ts';
import type { Service } from '../service/service.ts';
import { systemClock } from '../service/stores.ts';
import type { Stores } from '../store/stores.ts';
import { installDemoData, startDemoNames } from './demo-data.ts';
import { startDemoIssuer } from './demo-issuer.ts';
import { ingestExamples } from './ingest/ingest-examples.ts';
import { listen, runUntilStopped } from './serve.ts';
import { configOf, withServerSettings } from './settings.ts';
import { printLine, untilStopped } from './terminal.ts';
import { firstWelcome, welcomeLines } from './welcome.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const TOKEN_LIFETIME = HOUR;
const DRAIN_LIMIT = MINUTE;

export function demoCommand(): Command {
  return withServerSettings(new Command('demo'))
    .description('run on a fresh store with example logs, and print a key and commands to paste')
    .action(async (_options: unknown, command: Command) => {
      const started = systemClock();
      const folder = await mkdtemp(join(tmpdir(), 'tis-demo-'));
      const issuer = await startDemoIssuer();
      const names = await startDemoNames();
      try {
        await installDemoData(folder);
        const config = configOf(command, {
          TIS_DATA_DIR: folder,
          // Neither data of a real installation nor questions to a resolver.
          TIS_GEO_DB: '',
          TIS_ASN_DB: '',
          TIS_GALAXY: '',
          TIS_REVERSE_DNS: names.address,
          // The usual port may belong to a service that runs already.
          TIS_ADMIN_PORT: '0',
          // The commands to paste are for a plain server on this machine.
          TIS_TLS_CERT: '',
          TIS_TLS_KEY: '',
          TIS_JWT_ISSUER: issuer.issuer,
          TIS_JWT_AUDIENCE: issuer.audience,
          TIS_JWT_JWKS_URL: issuer.jwksUrl,
        });
        const signal = untilStopped();
        const service = await listen({ ...config, logLevel: 'warn' });
        await introduce(service, issuer.sign, started);
        await runUntilStopped(service, signal);
      } finally {
        await names[Symbol.asyncDispose]();
        await issuer.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
}

type Sign = Awaited<ReturnType<typeof startDemoIssuer>>['sign'];

async function introduce(service: Service, sign: Sign, started: number): Promise<void> {
  const files = await exampleLogs();
  const counts = await ingestExamples(files, service.commands, systemClock());
  await drained(service.stores);
  const { plaintext } = await issueKey(
    service.stores,
    { name: 'demo', sensor: false, scopes: ['indicators:read', 'events:write'] },
    'cli',
    systemClock(),
  );
  const token = await sign(['indicators:read', 'indicators:verify'], TOKEN_LIFETIME);
  const id = await anEnrichedIndicator(service.stores);

  printLine(
    `Threat Indicator Service at ${service.url}, ready after ${((systemClock() - started) / 1_000).toFixed(1)} s`,
  );
  printLine(`${counts.accepted} events of ${files.length} example files taken in, ${counts.refused} refused`);
  const welcome = await firstWelcome(service.stores, service.url);
  if (welcome !== undefined) for (const line of welcomeLines(welcome)) printLine(line);
  for (const line of linesToPaste(service.url, plaintext, token, id)) printLine(line);
  printLine();
  printLine('Ctrl-C stops the service and deletes its store.');
}

async function exampleLogs(): Promise<readonly string[]> {
  const entries = await readdir(EXAMPLES, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map(({ name }) => join(EXAMPLES, name))
    .sort(compareText);
}

function linesToPaste(url: string, key: string, token: string, id: string): string[] {
  return [
    '',
    `KEY=${key}`,
    `JWT=${token}`,
    '',
    '# search: who wrote to or controlled a plant?',
    `curl -s ${url}/v1/indicators/search -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `  -d '{"filter":{"minSeverity":"SEVERITY_HIGH","sensor_types":["SENSOR_TYPE_ICS"]},"page_size":5}'`,
    '',
    '# one indicator, and why it has its score',
    `curl -s ${url}/v1/indicators/${id} -H "Authorization: Bearer $KEY"`,
    `curl -s ${url}/v1/indicators/${id}:explain -H "Authorization: Bearer $KEY"`,
    '',
    '# an analyst confirms it',
    `curl -s -X POST ${url}/v1/indicators/${id}:verify -H "Authorization: Bearer $JWT"`,
    '',
    '# the STIX feed',
    `curl -s '${url}/taxii2/collections/service-global-feed/objects/?limit=50' -H "Authorization: Bearer $KEY" \\`,
    `  -H 'Accept: application/taxii+json;version=2.1'`,
  ];
}

/** Resolves when the queue of the pipeline is empty. */
async function drained(stores: Stores): Promise<void> {
  const limit = systemClock() + DRAIN_LIMIT;
  while (systemClock() < limit) {
    const { pending } = await stores.jobs.counts();
    if (pending === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the pipeline did not finish the examples');
}

async function anEnrichedIndicator(stores: Stores): Promise<string> {
  const { rows } = await stores.indicators.search(
    {
      filter: { ...MATCH_ALL, states: ['ENRICHED'], sensorTypes: ['ICS'], minSeverity: 'HIGH' },
      terms: [],
      ceiling: 'GREEN',
    },
    1,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the examples gave no enriched indicator');
  return (JSON.parse(row.document) as { id: string }).id;
}
