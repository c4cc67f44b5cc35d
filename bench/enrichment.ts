// `npx node --expose-gc bench/enrichment.ts DATA_DIR [addresses]`: how fast addresses are enriched with the data that
// `tis data install` has put into a data folder, and the memory that the data takes.

import { performance } from 'node:perf_hooks';
import { observation, recordOf } from '../src/domain/indicator/observation.test-support.ts';
import { readInstalled } from '../src/pipeline/data-sets/installed-data.ts';
import { enrich } from '../src/pipeline/enrich.ts';
import { score } from '../src/pipeline/score.ts';
import { loadEnrichers } from '../src/service/load-enrichers.ts';
import { seededRandom } from './random.ts';
import { megabytes, printTable, shown } from './table.ts';

const [dataDir, count = '100000'] = process.argv.slice(2);
if (dataDir === undefined || globalThis.gc === undefined) {
  console.error('usage: npx node --expose-gc bench/enrichment.ts DATA_DIR [addresses]');
  process.exit(1);
}
const addresses = Number(count);
const NO_FILES = {
  geoDatabases: [],
  asnDatabases: [],
  warningLists: [],
  galaxies: [],
  reverseDns: undefined,
  summary: undefined,
};

const before = residentBytes();
const loading = process.cpuUsage();
const { enrichers } = await loadEnrichers(
  { enrichment: NO_FILES, dataDir },
  () => Math.floor(performance.now()),
  () => undefined,
);
const loaded = process.cpuUsage(loading);
const after = residentBytes();

const random = seededRandom(1);
const octet = () => Math.floor(256 * random());
const TAGS = ['mirai', 'emotet', 'remcos', 'scan', 'ssh'];
let located = 0;
let routed = 0;
let listed = 0;
let named = 0;
let cpu = 0;
for (let done = 0; done < addresses; ) {
  // Scored before the time is taken.
  const batch = Array.from({ length: Math.min(1_000, addresses - done) }, () => {
    const value = `${1 + Math.floor(222 * random())}.${octet()}.${octet()}.${octet()}`;
    const tags = [TAGS[Math.floor(TAGS.length * random())] ?? ''];
    return score(recordOf([observation({ value, tags })]), 1_768_478_400_000);
  });
  const started = process.cpuUsage();
  const enriched = await Promise.all(
    batch.map((record) => enrich(record, enrichers, { at: 1_768_478_400_000, timeoutMs: 1_000 })),
  );
  const { user, system } = process.cpuUsage(started);
  cpu += user + system;
  done += batch.length;
  for (const { record } of enriched) {
    if (record.indicator.enrichment?.geo !== undefined) located++;
    if (record.indicator.enrichment?.asn !== undefined) routed++;
    if (record.receipt?.warningLists !== undefined) listed++;
    if ((record.indicator.enrichment?.malwareFamilies.length ?? 0) > 0) named++;
  }
}

const share = (found: number) => `${((100 * found) / addresses).toFixed(1)} %`;
for (const { kind, name, version = '' } of await readInstalled(dataDir)) console.log(kind, name, version);
console.log();
printTable([
  ['addresses', 'CPU', 'rate', 'country', 'network', 'on a list', 'with a family'],
  [
    addresses.toLocaleString('en'),
    `${shown(cpu / 1e6)} s`,
    `${shown(addresses / (cpu / 1e6))}/s`,
    share(located),
    share(routed),
    share(listed),
    share(named),
  ],
]);
printTable([
  ['loading the data', 'CPU', 'resident'],
  ['', `${shown((loaded.user + loaded.system) / 1e6)} s`, megabytes(after - before)],
]);

function residentBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
