// How the figures of a request change when the store grows.

import type { Figures } from './figures.ts';
import { median } from './quantiles.ts';
import { printTable, shown } from './table.ts';

const SHOWN = [': CPU', ': p50', ': CPU without HTTP'];

/** @param where begins the names of the figures at the larger size. */
export function printGrowth(figures: Figures, where: string): void {
  const rows = [...figures].flatMap(([name, { unit, rounds }]) => {
    const grown = figures.get(`${where}${name}`);
    if (grown === undefined || !SHOWN.some((end) => name.endsWith(end))) return [];
    const [before, after] = [median(rounds), median(grown.rounds)];
    return [[name, unit, shown(before), shown(after), (after / before).toFixed(2)]];
  });
  printTable([['growth', 'unit', 'before', 'after', 'factor'], ...rows]);
}
