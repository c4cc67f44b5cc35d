// Following links from one indicator to others.
//
// A reader gets the links from reports that he may see, between indicators that he may see. The bounds count only these,
// so nothing hidden takes their place.

import { linksOf } from '../domain/evidence/kept-evidence.ts';
import { type LinkName, linkName } from '../domain/evidence/link-for-readers.ts';
import { keptLink } from '../domain/evidence/links.ts';
import type { TallyItem } from '../domain/evidence/tally.ts';
import type { Indicator } from '../domain/indicator/indicator.ts';
import type { Instant } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { IndicatorReader } from '../store/indicators.ts';

/** Indicators in one answer, besides the one of the request. */
const REACHED_LIMIT = 100;
/** Links that are looked at, since the other end of a link may be unknown to the reader. */
const FOLLOWED_LIMIT = 2_000;

export interface Link extends LinkName {
  readonly count: number;
  readonly firstSeen: Instant;
  readonly lastSeen: Instant;
}

export interface Reached
  extends Pick<Indicator, 'id' | 'type' | 'value' | 'confidenceScore' | 'severity' | 'state'> {
  readonly hops: number;
}

export interface Related {
  readonly indicatorId: string;
  /** Nearest first. */
  readonly indicators: readonly Reached[];
  readonly links: readonly Link[];
  readonly truncated: boolean;
}

/** @param hops 1 or 2. Undefined if there is no indicator at or below the ceiling. */
export async function findRelated(
  reader: Pick<IndicatorReader, 'evidence' | 'record'>,
  indicatorId: string,
  ceiling: TlpMarking,
  hops: number,
): Promise<Related | undefined> {
  const start = await reader.evidence(indicatorId, ceiling);
  if (start === undefined) return undefined;
  const reached = new Map<string, Reached>();
  const unknown = new Set<string>();
  const links = new Map<string, Link>();
  let followed = 0;
  let truncated = false;

  /** Whether the reader knows the indicator, and the answer has room for it. */
  const reach = async (id: string, distance: number): Promise<boolean> => {
    if (id === indicatorId || reached.has(id)) return true;
    if (unknown.has(id)) return false;
    if (reached.size >= REACHED_LIMIT) {
      // Whether the reader knows this one is not worth a read.
      truncated = true;
      return false;
    }
    const record = await reader.record(id, ceiling);
    if (record === undefined) unknown.add(id);
    else reached.set(id, { ...briefly(record.indicator), hops: distance });
    return record !== undefined;
  };

  let nearest = [indicatorId];
  for (let distance = 1; distance <= hops; distance++) {
    for (const id of nearest) {
      const kept = id === indicatorId ? start : await reader.evidence(id, ceiling);
      const { items, dropped } = linksOf(kept ?? []);
      // An indicator keeps only some of its links.
      if (dropped > 0) truncated = true;
      for (const item of newestFirst(items.values())) {
        if (++followed > FOLLOWED_LIMIT) {
          truncated = true;
          break;
        }
        const link = linkOf(id, item);
        const other = link.sourceId === id ? link.targetId : link.sourceId;
        const name = `${link.kind} ${link.sourceId} ${link.targetId}`;
        if (!links.has(name) && (await reach(other, distance))) links.set(name, link);
      }
    }
    nearest = [...reached.values()].filter((one) => one.hops === distance).map(({ id }) => id);
  }
  return { indicatorId, indicators: [...reached.values()], links: [...links.values()], truncated };
}

function briefly({ id, type, value, confidenceScore, severity, state }: Indicator): Omit<Reached, 'hops'> {
  return { id, type, value, confidenceScore, severity, state };
}

function newestFirst(items: Iterable<TallyItem>): TallyItem[] {
  return [...items].sort((a, b) => b.last - a.last || (a.value < b.value ? -1 : 1));
}

function linkOf(id: string, item: TallyItem): Link {
  return {
    ...linkName(id, keptLink(item)),
    count: item.count,
    firstSeen: item.first,
    lastSeen: item.last,
  };
}
