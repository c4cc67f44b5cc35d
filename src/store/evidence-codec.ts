// Kept evidence as the text of a column: JSON without names, because most indicators have one row of some hundred bytes.
//
// `[base, owners, seen, dropped, links, dropped]`. A tally is a list of groups, `[key, item, …]`. An item is
// `[value, first - base, last - first, count - 1, owner]`, without the zeros at its end.

import type { KeptEvidence } from '../domain/evidence/kept-evidence.ts';
import { itemOf, type Tally, type TallyItem, tallyOf } from '../domain/evidence/tally.ts';

type StoredItem = readonly [value: string, ...numbers: number[]];
type StoredGroup = readonly [key: string, ...items: StoredItem[]];
type Stored = readonly [
  base: number,
  owners: readonly string[],
  seen: readonly StoredGroup[],
  seenDropped: number,
  links: readonly StoredGroup[],
  linksDropped: number,
];

export function encodeEvidence({ seen, links }: KeptEvidence): string {
  let base = Number.POSITIVE_INFINITY;
  const owners = new Map<string, number>();
  for (const tally of [seen, links]) {
    for (const { first, owner } of tally.items.values()) {
      base = Math.min(base, first);
      if (!owners.has(owner)) owners.set(owner, owners.size);
    }
  }
  const groups = ({ items }: Tally): StoredGroup[] =>
    [...Map.groupBy(items.values(), ({ key }) => key)].map(([key, ofKey]) => [
      key,
      ...ofKey.map((item) => storedItem(item, base, owners.get(item.owner) ?? 0)),
    ]);
  const stored: Stored = [
    Number.isFinite(base) ? base : 0,
    [...owners.keys()],
    groups(seen),
    seen.dropped,
    groups(links),
    links.dropped,
  ];
  return JSON.stringify(stored);
}

function storedItem({ value, first, last, count }: TallyItem, base: number, owner: number): StoredItem {
  const numbers = [first - base, last - first, count - 1, owner];
  while (numbers.at(-1) === 0) numbers.pop();
  return [value, ...numbers];
}

/** @param text output of encodeEvidence. It is trusted. */
export function decodeEvidence(text: string): KeptEvidence {
  const [base, owners, seen, seenDropped, links, linksDropped] = JSON.parse(text) as Stored;
  const items = (groups: readonly StoredGroup[]): TallyItem[] =>
    groups.flatMap(([key, ...ofKey]) =>
      ofKey.map(([value, first = 0, span = 0, more = 0, owner = 0]) =>
        itemOf({
          key,
          value,
          owner: owners[owner] ?? '',
          count: more + 1,
          first: base + first,
          last: base + first + span,
        }),
      ),
    );
  return { seen: tallyOf(items(seen), seenDropped), links: tallyOf(items(links), linksDropped) };
}
