// Prints the structure of the sources: every import from layer to layer, and the size of every folder.
//
//   node test/structure.ts

import { dirname } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { isTest, layerOf, readSources, type Source } from './architecture-rules.ts';

/** From the top down, as in docs/architecture.md. */
const LAYERS = [
  'bin',
  'root',
  'cli',
  'service',
  'api',
  'pipeline',
  'sensors',
  'search',
  'feed',
  'gateway',
  'metering',
  'telemetry',
  'protojson',
  'stix',
  'gen',
  'store',
  'domain',
];

const sources = readSources(fileURLToPath(new URL('..', import.meta.url))).filter(
  ({ path }) => !isTest(path),
);
printImports();
console.log();
printFolders(sources.filter(({ layer }) => layer !== 'gen'));

function printImports(): void {
  const counts = new Map<string, number>();
  for (const { layer, imports } of sources) {
    for (const { target } of imports) {
      if (target === undefined) continue;
      const key = `${layer} ${layerOf(target)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const width = 10;
  console.log(`${'imports'.padEnd(width)}${LAYERS.map((to) => to.padStart(width)).join('')}`);
  for (const from of LAYERS) {
    const cells = LAYERS.map((to) => String(counts.get(`${from} ${to}`) ?? '·').padStart(width));
    console.log(`${from.padEnd(width)}${cells.join('')}`);
  }
}

function printFolders(written: readonly Source[]): void {
  const folders = new Map<string, number[]>();
  for (const { path, text } of written) {
    const lines = text.split('\n').length - 1;
    for (const folder of ['all', dirname(path)]) folders.set(folder, [...(folders.get(folder) ?? []), lines]);
  }
  console.log(`${'folder'.padEnd(32)}files  median  largest  under 30 lines`);
  for (const [folder, sizes] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sorted = sizes.toSorted((a, b) => a - b);
    const columns = [
      String(sorted.length).padStart(5),
      String(sorted[Math.floor(sorted.length / 2)]).padStart(8),
      String(sorted.at(-1)).padStart(9),
      String(sorted.filter((size) => size < 30).length).padStart(16),
    ];
    console.log(`${folder.padEnd(32)}${columns.join('')}`);
  }
}
