// What reports name together with an indicator, at a terminal.

import { toRfc3339 } from '../domain/instant.ts';
import type { Related } from '../search/related.ts';
import { printLine, printTable } from './terminal.ts';

export function printRelated({ indicatorId, indicators, links }: Related): void {
  if (links.length === 0) return;
  const found = new Map(indicators.map((one) => [one.id, one]));
  const rows = links.map(({ kind, sourceId, targetId, count, firstSeen, lastSeen }) => {
    const isSource = sourceId === indicatorId;
    const other = found.get(isSource ? targetId : sourceId);
    const arrow = kind === 'same-session' ? '--' : isSource ? '->' : '<-';
    return [
      `${arrow} ${kind}`,
      String(count),
      toRfc3339(firstSeen),
      toRfc3339(lastSeen),
      `${other?.type} ${other?.value}`,
    ];
  });
  printLine();
  printTable([['link', 'count', 'first seen', 'last seen', 'indicator'], ...rows]);
}
