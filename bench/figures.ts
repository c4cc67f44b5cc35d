// The figures of one run: what is written to a file, and what later runs are compared with.

import { readFileSync, writeFileSync } from 'node:fs';

export interface Figure {
  readonly unit: string;
  /** One value for each round. */
  readonly rounds: readonly number[];
  /** Absent: only recorded, because the figure depends on the machine and its load. */
  readonly compare?: Comparison;
}

export interface Comparison {
  readonly better: 'more' | 'less';
  /** Changes up to this share are noise, however close the rounds lie together. */
  readonly floor: number;
}

/** Shares of a yardstick that was measured in the same round, by CPU time and by rate. */
export const CPU_SHARE: Comparison = { better: 'more', floor: 0.1 };
export const RATE_SHARE: Comparison = { better: 'more', floor: 0.15 };
/** CPU time of events, which has no yardstick. */
export const CPU_TIME: Comparison = { better: 'less', floor: 0.15 };
export const LATENCY: Comparison = { better: 'less', floor: 0.5 };
/** The same work writes the same bytes, up to the times at which batches end. */
export const BYTES: Comparison = { better: 'less', floor: 0.05 };
export const MEMORY: Comparison = { better: 'less', floor: 0.15 };

export type Figures = ReadonlyMap<string, Figure>;

export interface Run {
  readonly at: string;
  readonly node: string;
  readonly indicators: number;
  readonly figures: Figures;
}

/** The format of the file; a file of another format is refused. */
const FORMAT = 1;

export function writeRun(path: string, { figures, ...run }: Run): void {
  writeFileSync(
    path,
    `${JSON.stringify({ format: FORMAT, ...run, figures: Object.fromEntries(figures) }, null, 1)}\n`,
  );
}

/** @throws Error for a file that is no run of this format. */
export function readRun(path: string): Run {
  const { format, figures, ...run } = JSON.parse(readFileSync(path, 'utf8'));
  if (format !== FORMAT) throw new Error(`${path} is not a file of npm run bench with format ${FORMAT}`);
  return { ...run, figures: new Map(Object.entries(figures)) };
}
