// A client that is generated from /openapi.json compiles, and calls the running service.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const run = promisify(execFile);

/** Five calls in strict TypeScript. A required member that may be missing, or a wrong name, does not compile. */
const CALLS = `
import * as tis from './client.ts';

export async function main(baseUrl: string, key: string): Promise<string[]> {
  const options = { baseUrl, headers: { Authorization: 'Bearer ' + key } };
  const event: tis.SensorEvent = {
    eventId: '1',
    sensorId: 'plant-7',
    protocol: 'PROTOCOL_MODBUS',
    value: '198.51.100.7',
    observedAt: '2026-11-20T08:00:00Z',
    evidence: { 'modbus.function_code': '5' },
  };
  const ingested = await tis.ingestSensorEvents({ events: [event] }, options);
  if (ingested.status !== 200) throw new Error('ingest');
  const { results: [result] } = ingested.data as tis.IngestSensorEventsResponse;
  const id: string = result?.indicatorId ?? '';
  const found = await tis.searchIndicators({ filter: { protocols: ['PROTOCOL_MODBUS'] } }, options);
  const page = found.data as tis.SearchIndicatorsResponse;
  const next: string = page.pageInfo.nextPageToken;
  const read = await tis.getIndicator(id, options);
  const score: number = (read.data as tis.ThreatIndicator).confidenceScore;
  const used = await tis.getUsage({ bucket: 'USAGE_BUCKET_DAY' }, options);
  const counts: string[] = (used.data as tis.GetUsageResponse).records.map(({ searchCount }) => searchCount);
  // @ts-expect-error: the contract has no such member.
  const refused = await tis.searchIndicators({ fliter: {} }, options);
  const violation: string = (refused.data as tis.RpcStatus).message;
  return [result?.status ?? '', page.indicators[0]?.value ?? '', next, typeof score, counts.join(), violation];
}
`;

test('a generated TypeScript client compiles and works', async () => {
  const service = await RunningService.start();
  const folder = await mkdtemp(join(tmpdir(), 'tis-client-'));
  try {
    const document = (await send(`${service.url}/openapi.json`)).text;
    await symlink(MODULES, join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'openapi.json'), document);
    await writeFile(join(folder, 'calls.ts'), CALLS);
    const tool = (path: string, ...words: string[]) =>
      run(process.execPath, [join(MODULES, path), ...words], { cwd: folder });
    await tool('oazapfts/dist/cli.js', 'openapi.json', 'client.ts');
    const options = ['--strict', '--noEmit', '--target', 'es2024', '--module', 'nodenext', '--skipLibCheck'];
    const checks = ['--allowImportingTsExtensions', '--erasableSyntaxOnly', '--types', 'node'];
    await tool('typescript/lib/tsc.js', ...options, ...checks, 'calls.ts').catch(({ stdout }) =>
      assert.fail(stdout),
    );
    const { main } = await import(pathToFileURL(join(folder, 'calls.ts')).href);
    assert.deepEqual(await main(service.url, await service.key({ scopes: ['admin'] })), [
      'ACCEPTED',
      '198.51.100.7',
      '',
      'number',
      '1',
      'fliter: is not a known member; the nearest is filter',
    ]);
  } finally {
    await rm(folder, { recursive: true });
    await service.dispose();
  }
});
