// The comparison of two runs: which figures fell, and by more than noise.

import type { Comparison, Figure, Figures, Run } from './figures.ts';
import { median, relativeError } from './quantiles.ts';

export interface Fall {
  readonly name: string;
  readonly unit: string;
  readonly before: number;
  readonly now: number;
  /** How much worse: 1 for half of a share, or for double of a time. */
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

/** Of the combined standard error: with three rounds on each side, chance alone exceeds it in one of fifty figures. */
const ERRORS = 3;

/** Noise is what the rounds of both runs scatter, and never less than the floor of the figure. */
function fallOf(name: string, earlier: Figure, figure: Figure, { better, floor }: Comparison): Fall {
  const [before, now] = [median(earlier.rounds), median(figure.rounds)];
  return {
    name,
    unit: figure.unit,
    before,
    now,
    // Half of a share and double of a time are both worse by 100 %.
    by: (better === 'more' ? before / now : now / before) - 1,
    noise: Math.max(floor, ERRORS * Math.hypot(relativeError(earlier.rounds), relativeError(figure.rounds))),
  };
}
