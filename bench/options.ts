// The options of `npm run bench`.

import { parseArgs } from 'node:util';

export const USAGE = `npm run bench -- [options]

  --indicators N   indicators in the store, such as 20k or 1M (default 100k); each has 5 events
  --grow-to LIST   measure again at these sizes, such as 1M or 300k,1M
  --fill           fill the store by its writer instead of ingest: quicker, without feed and events
  --rounds N       rounds of each measurement (default 3)
  --seconds N      seconds of each round (default 2)
  --pages N        search pages per second of the open loop (default 500)
  --events N       events per second while searches run (default 3000); 0 leaves this part out
  --only TEXT      only requests whose name contains TEXT, and nothing else
  --store FOLDER   use the store in FOLDER, and make it if there is none; events are not sent to it
  --json FILE      write the figures to FILE
  --against FILE   compare with the figures in FILE; the exit code is 1 if a figure fell beyond noise`;

export interface Options {
  readonly indicators: number;
  /** Ascending. */
  readonly growTo: readonly number[];
  readonly fill: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly pagesPerSecond: number;
  readonly eventsPerSecond: number;
  readonly only: string | undefined;
  readonly store: string | undefined;
  readonly json: string | undefined;
  readonly against: string | undefined;
}

/** @throws Error that names the option and the value that was expected. */
export function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      indicators: { type: 'string', default: '100k' },
      'grow-to': { type: 'string' },
      fill: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '2' },
      pages: { type: 'string', default: '500' },
      events: { type: 'string', default: '3000' },
      only: { type: 'string' },
      store: { type: 'string' },
      json: { type: 'string' },
      against: { type: 'string' },
    },
  });
  const indicators = countOf('--indicators', values.indicators, values.fill ? LEAST_FILLED : 1_000);
  const growTo: number[] = [];
  for (const size of values['grow-to']?.split(',') ?? [])
    growTo.push(countOf('--grow-to', size, (growTo.at(-1) ?? indicators) + 1));
  if (growTo.length > 0 && values.store !== undefined)
    throw new Error('--grow-to changes the store: use it without --store');
  return {
    indicators,
    growTo,
    fill: values.fill,
    rounds: countOf('--rounds', values.rounds, 1),
    seconds: countOf('--seconds', values.seconds, 1),
    pagesPerSecond: countOf('--pages', values.pages, 1),
    eventsPerSecond: countOf('--events', values.events, 0),
    only: values.only,
    store: values.store,
    json: values.json,
    against: values.against,
  };
}

/** A filled store holds some indicators of ingest too (fill.ts). */
const LEAST_FILLED = 5_000;
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1_000, M: 1_000_000 };

function countOf(option: string, text: string, least: number): number {
  const [, digits, unit = ''] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  const count = Number(digits) * (UNITS[unit] ?? 1);
  if (digits === undefined || count < least)
    throw new Error(`${option}: "${text}" is not a whole number from ${least} (such as 5000, 20k, 1M)`);
  return count;
}
