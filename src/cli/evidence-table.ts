// What was seen of an indicator, at a terminal.

import { type KeptEvidence, seenValues } from '../domain/evidence/kept-evidence.ts';
import { toRfc3339 } from '../domain/instant.ts';
import { printLine, printTable } from './terminal.ts';

export function printEvidence({ seen }: KeptEvidence): void {
  // The value comes last, because it can be long.
  const rows = seenValues(seen).flatMap(({ key, values }) =>
    values.map(({ value, count, first, last }) => [
      key,
      String(count),
      toRfc3339(first),
      toRfc3339(last),
      value,
    ]),
  );
  if (rows.length === 0) return;
  printLine();
  printTable([['evidence', 'count', 'first seen', 'last seen', 'value'], ...rows]);
  if (seen.dropped > 0) printLine(`${seen.dropped} values gave way to newer or more frequent ones`);
}
