// Real sensor logs and reports, if they lie beside the checkout. Nothing of them may be copied into the project, so the
// tests are skipped without them.

import assert from 'node:assert/strict';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { detectFormat } from '../../src/sensors/detect.ts';
import { addressData } from '../support/address-data.ts';
import { isNotPublic } from '../support/address-scope.ts';
import { ROOT, tis } from '../support/command-line.ts';
import { send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { judgeFeed, STIX_TYPES } from '../support/stix-feed.ts';
import { dump } from '../support/store-dump.ts';
import { TAXII_MEDIA_TYPE, TaxiiClient } from '../support/taxii-client.ts';
import type { StixObject } from '../support/wire.ts';

const DATA = join(ROOT, '../shared/data');
const CONPOT = join(DATA, 'sensor-logs/conpot');
const REPORTS = '/taxii2/collections/d1f3a8c2-5b07-4e96-a4cd-2f8e60b917d3/objects/';
const skip = existsSync(CONPOT) ? false : 'there are no real logs beside this checkout';

interface Report {
  readonly records: number;
  readonly recordsWithEvents: number;
  readonly recordsWithoutObservable: number;
  readonly recordsRefused: number;
  readonly events: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
}

const settings = { ...addressData(), TIS_GALAXY: join(DATA, 'galaxy') };
let service: RunningService;

before(async () => {
  if (skip === false) service = await RunningService.start(settings);
});
after(() => service?.dispose());

async function ingest(logs: readonly string[]): Promise<Report> {
  const words = ['ingest', '--json', '--data-dir', service.dataDir, ...logs];
  const { code, stdout, stderr } = await tis(words, { env: settings });
  assert.deepEqual([code, stderr], [0, '']);
  const report = JSON.parse(stdout) as Report;
  assert.equal(
    report.records,
    report.recordsWithEvents + report.recordsWithoutObservable + report.recordsRefused,
  );
  assert.equal(report.events, report.accepted + report.duplicates + report.refused);
  return report;
}

test('a real Conpot log: counts add up, only strangers become indicators, a repeat changes nothing', {
  skip,
}, async () => {
  const logs = filesBelow(CONPOT);
  const first = await ingest(logs);
  assert.ok(first.records > 1_000);
  assert.ok(first.accepted > 100);

  const before = await dump(service);
  const values = before.indicators.map(({ value }) => value);
  assert.deepEqual(values.filter(isNotPublic), []);
  const own = logs.flatMap((log) =>
    [...readFileSync(log, 'utf8').matchAll(/Fetched (\S+) as external ip/g)].map(
      ([, address = '']) => address,
    ),
  );
  assert.ok(own.length > 0);
  assert.deepEqual(
    values.filter((value) => own.includes(value)),
    [],
  );

  const again = await ingest(logs);
  assert.deepEqual([again.events, again.accepted, again.refused], [first.events, 0, first.refused]);
  assert.deepEqual(await dump(service), before);
});

test('all real logs and STIX 2.1 reports: every object of the feed keeps the schemas and rules of STIX', {
  skip,
}, async (t) => {
  const logs: string[] = [];
  for (const file of filesBelow(join(DATA, 'sensor-logs'))) if (await isReadable(file)) logs.push(file);
  assert.ok(logs.length > 100);
  const { events } = await ingest(logs);
  const { total_count, success_count } = await report(reportedObjects());
  t.diagnostic(`${events} events of ${logs.length} logs, ${success_count} of ${total_count} reports taken`);
  assert.ok(events > 5_000 && success_count > 1_000);

  const reader = new TaxiiClient(() => service.url, await service.key({ tlpCeiling: 'RED' }));
  const { items } = await reader.objects({ 'match[version]': 'all', limit: 5_000 });
  const { faults, counts } = judgeFeed(items);
  t.diagnostic(`objects: ${JSON.stringify(counts)}`);
  assert.deepEqual(faults.slice(0, 20), []);
  assert.deepEqual(Object.keys(counts), STIX_TYPES);
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Whether `tis ingest` reads the format. The folder has logs of other sensors too. */
async function isReadable(file: string): Promise<boolean> {
  const bytes = createReadStream(file);
  const { format } = await detectFormat(bytes);
  bytes.destroy();
  return format !== undefined;
}

/** Indicators and sightings of other producers, as a partner could forward them. */
function reportedObjects(): readonly StixObject[] {
  return filesBelow(join(DATA, 'feeds'))
    .filter((file) => /[/\\]stix2[^/\\]*[/\\].*\.(?:json|stix2)$/.test(file))
    .flatMap((file): readonly StixObject[] => JSON.parse(readFileSync(file, 'utf8')).objects ?? [])
    .filter(
      ({ type, spec_version }) => spec_version === '2.1' && (type === 'indicator' || type === 'sighting'),
    );
}

async function report(
  objects: readonly StixObject[],
): Promise<{ readonly total_count: number; readonly success_count: number }> {
  const answer = await send(service.url + REPORTS, {
    method: 'POST',
    credential: await service.key({ name: 'partner', scopes: ['feed:write'], tlpCeiling: 'RED' }),
    body: { objects },
    headers: { accept: TAXII_MEDIA_TYPE, 'content-type': TAXII_MEDIA_TYPE },
  });
  const status = answer.expect<{ total_count: number; success_count: number }>(202);
  await service.settled();
  return status;
}
