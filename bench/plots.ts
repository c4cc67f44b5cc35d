// Plots of a run of `npm run bench -- --grow-to ... --json FILE`: latency and ingest against the number of indicators.
//
//   node bench/plots.ts RUN.json FOLDER
//
// It writes latency.svg and ingest.svg to the folder. Both axes are logarithmic.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figures, readRun } from './figures.ts';
import { plotSvg, type Series } from './plot-svg.ts';
import { median } from './quantiles.ts';

const [, , file = '', folder = '.'] = process.argv;
const run = readRun(file);
const sizes = sizesOf(run.indicators, run.figures);
const latency = seriesOf(/^(get by id|search, [a-z ]+|TAXII page of 100, end): p50$/, ([, name]) => name);
const rate = seriesOf(/^(ingest|fill): rate$/, ([, name]) =>
  name === 'fill' ? 'fill, indicators/s' : 'ingest, events/s',
);
write('latency.svg', 'Median latency of 16 connections, ms', latency);
write('ingest.svg', 'Ingest to the feed', rate);

/** The figures of the first size have no prefix. */
function sizesOf(first: number, figures: Figures): readonly (readonly [size: number, prefix: string])[] {
  const larger = new Set(
    [...figures.keys()].flatMap((name) => /^at (\d+) indicators: /.exec(name)?.[1] ?? []),
  );
  return [[first, ''], ...[...larger].map((size) => [Number(size), `at ${size} indicators: `] as const)];
}

function seriesOf(
  pattern: RegExp,
  nameOf: (match: RegExpExecArray) => string | undefined,
): readonly Series[] {
  return [...run.figures.keys()].flatMap((figure) => {
    const match = pattern.exec(figure);
    if (match === null) return [];
    const points = sizes.flatMap(([size, prefix]) => {
      const measured = run.figures.get(`${prefix}${figure}`);
      return measured === undefined ? [] : [{ x: size, y: median(measured.rounds) }];
    });
    return [{ name: nameOf(match) ?? figure, points }];
  });
}

function write(name: string, title: string, series: readonly Series[]): void {
  if (series.length > 0) writeFileSync(join(folder, name), plotSvg(title, 'indicators', series));
}
