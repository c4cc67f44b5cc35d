// The resident memory of a service that is killed and started again, and its plot.

import { residentMemory } from '../support/resident-memory.ts';
import type { ServiceUnderFire } from '../taxii-clients/service-under-fire.ts';

const SAMPLE_MS = 250;
const WIDTH = 60;
const BARS = '▁▂▃▄▅▆▇█';
const MEBIBYTE = 1_048_576;

/** From the start of a process to its death. */
export interface Life {
  readonly pid: number;
  /** Bytes, at equal intervals. */
  readonly samples: readonly number[];
}

export class MemoryRecord {
  readonly #lives: { pid: number; samples: number[] }[] = [];
  #timer: NodeJS.Timeout;

  constructor(service: ServiceUnderFire) {
    const sample = async () => {
      const pid = await service.pid().catch(() => undefined);
      const bytes = pid === undefined ? undefined : residentMemory(pid);
      if (pid === undefined || bytes === undefined) return;
      if (this.#lives.at(-1)?.pid !== pid) this.#lives.push({ pid, samples: [] });
      this.#lives.at(-1)?.samples.push(bytes);
    };
    this.#timer = setInterval(() => void sample(), SAMPLE_MS);
  }

  end(): readonly Life[] {
    clearInterval(this.#timer);
    return this.#lives;
  }
}

export function peakOf({ samples }: Life): number {
  return samples.reduce((peak, bytes) => Math.max(peak, bytes), 0);
}

/** A line for each life, all to one scale. */
export function plotMemory(lives: readonly Life[]): string[] {
  const top = Math.max(...lives.map(peakOf));
  return lives.map((life, index) => {
    const width = Math.min(WIDTH, life.samples.length);
    const bars = Array.from({ length: width }, (_, column) => {
      const from = Math.floor((column * life.samples.length) / width);
      const to = Math.floor(((column + 1) * life.samples.length) / width);
      const share = Math.max(...life.samples.slice(from, to)) / top;
      return BARS[Math.min(BARS.length - 1, Math.floor(share * BARS.length))];
    });
    const seconds = Math.round((life.samples.length * SAMPLE_MS) / 1_000);
    return `life ${index + 1}, ${seconds} s, at most ${inMebibytes(peakOf(life))}: ${bars.join('')}`;
  });
}

/**
 * How much higher the later half of the lives rose than the earlier half: 1 is flat. Compares the middle peaks of each half,
 * all at the age that the shortest life reached. Undefined for fewer than eight lives: a few follow the load of the machine.
 */
export function growthOf(lives: readonly Life[]): number | undefined {
  if (lives.length < 8) return undefined;
  const age = Math.min(...lives.map(({ samples }) => samples.length));
  const peaks = lives.map(({ pid, samples }) => peakOf({ pid, samples: samples.slice(0, age) }));
  const half = Math.floor(peaks.length / 2);
  return middleOf(peaks.slice(-half)) / middleOf(peaks.slice(0, half));
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

export function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / MEBIBYTE)} MiB`;
}
