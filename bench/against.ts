// The comparison of two runs: which figures fell, and by more than noise.

import type { Comparison, Figure, Figures, Run } from './figures.ts';
import { median, spread } from './quantiles.ts';

export interface Fall {
  readonly name: string;
  readonly unit: string;
  readonly before: number;
  readonly now: number;
  /** How much worse, as a share of the earlier value. */
  readonly by: number;
  /** The share up to which a change counts as noise. */
  readonly noise: number;
}

/** @throws Error for runs of different sizes. */
export function fallsAgainst(earlier: Run, run: Run): readonly Fall[] {
  if (earlier.indicators !== run.indicators) {
    throw new Error(`the earlier run had ${earlier.indicators} indicators, this one ${run.indicators}`);
  }
  return falls(earlier.figures, run.figures);
}

/** Figures that only one of the runs has are left out. */
export function falls(earlier: Figures, figures: Figures): readonly Fall[] {
  return [...figures].flatMap(([name, figure]) => {
    const before = earlier.get(name);
    if (before === undefined || figure.compare === undefined) return [];
    const fall = fallOf(name, before, figure, figure.compare);
    return fall.by > fall.noise ? [fall] : [];
  });
}

/** Noise is what the rounds of both runs scatter, and never less than the floor of the figure. */
function fallOf(name: string, earlier: Figure, figure: Figure, { better, floor }: Comparison): Fall {
  const [before, now] = [median(earlier.rounds), median(figure.rounds)];
  const growth = now / before - 1;
  return {
    name,
    unit: figure.unit,
    before,
    now,
    by: better === 'more' ? -growth : growth,
    noise: Math.max(floor, spread(earlier.rounds) + spread(figure.rounds)),
  };
}
