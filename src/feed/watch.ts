// The changes of indicators as a stream reads them. The log of the feed is the queue: a stream is a place in it, so streams
// see what any process wrote, a slow one costs no memory, and what is above the ceiling of a reader moves nothing that he
// sees.

import type { Indicator } from '../domain/indicator/indicator.ts';
import { type Clock, DAY } from '../domain/instant.ts';
import { numberOf, TLP_MARKINGS, type TlpMarking } from '../domain/vocabulary.ts';
import { indicatorIdOf } from '../stix/objects/stix-object.ts';
import type { FeedEntry, FeedObject, FeedReader } from '../store/feed.ts';
import type { IndicatorReader } from '../store/indicators.ts';

/** Where a stream is: behind an entry of the feed. */
export type WatchPlace = FeedEntry;

export type GapReason = 'TOO_OLD' | 'BEHIND' | 'UNKNOWN_ID';

/** An indicator as it is now. Without a document it was withdrawn, or no longer exists for the reader. */
export interface WatchedChange {
  readonly at: WatchPlace;
  readonly indicatorId: string;
  readonly document?: string;
  /** For a filter. Undefined if the indicator has gone meanwhile. */
  readonly indicator: () => Promise<Indicator | undefined>;
}

export interface WatchedChanges {
  /** In the order of the log, each indicator once. */
  readonly changes: readonly WatchedChange[];
  /** Where the stream is behind them. */
  readonly at: WatchPlace;
  /** Entries of the log that were read. */
  readonly entries: number;
}

export interface IndicatorWatch {
  /** Where a stream begins that has this event last; at the end of the log without one, and behind a gap. */
  start(
    ceiling: TlpMarking,
    lastEventId: string,
  ): Promise<{ readonly at: WatchPlace; readonly gap?: GapReason }>;
  /** What is behind a place, a page at most. Undefined if there is nothing. Streams at one place share one read. */
  after(place: WatchPlace, ceiling: TlpMarking): Promise<WatchedChanges | undefined>;
  /** The end of the log for a reader. */
  end(ceiling: TlpMarking): Promise<WatchPlace>;
}

/** Entries that a stream may be behind before it gets a gap. */
export const MOST_BEHIND = 10_000;

const OLDEST = DAY;
const ENTRIES = 50;
/** A page ends behind the document that passes this. Characters. */
const PAGE_CHARACTERS = 262_144;
/** Pages that streams may share. Most streams are at the end, and a page up to an older end is not asked for again. */
const SHARED_PAGES = 16;
const START: WatchPlace = { place: 0, dateAdded: 0 };

export interface WatchStores {
  readonly feed: Pick<FeedReader, 'bounds' | 'objects'>;
  readonly indicators: Pick<IndicatorReader, 'document' | 'record'>;
}

export function createIndicatorWatch({ feed, indicators }: WatchStores, clock: Clock): IndicatorWatch {
  const shared = new Map<string, Promise<WatchedChanges | undefined>>();

  const end = async (ceiling: TlpMarking) => (await feed.bounds(ceiling))?.end ?? START;

  const read = async (place: WatchPlace, until: WatchPlace, ceiling: TlpMarking) => {
    const { entries } = await feed.objects({
      after: place.place,
      until: until.place,
      limit: ENTRIES,
      ceiling,
      types: ['indicator', 'sighting'],
    });
    const changes = new Map<string, WatchedChange>();
    let characters = 0;
    for (const [index, entry] of entries.entries()) {
      const { indicatorId, isRevoked } = aboutOf(entry);
      if (indicatorId === undefined) continue;
      const document = isRevoked ? undefined : await indicators.document(indicatorId, ceiling);
      // The latest entry decides the place of the indicator.
      changes.delete(indicatorId);
      changes.set(indicatorId, {
        at: { place: entry.place, dateAdded: entry.dateAdded },
        indicatorId,
        ...(document === undefined ? {} : { document }),
        indicator: once(async () => (await indicators.record(indicatorId, ceiling))?.indicator),
      });
      characters += document?.length ?? 0;
      if (characters > PAGE_CHARACTERS)
        return { changes: [...changes.values()], at: atOf(entry), entries: index + 1 };
    }
    // Behind the last page is the end, also where the entries before it are of other types.
    const last = entries.at(-1);
    const at = entries.length < ENTRIES || last === undefined ? until : atOf(last);
    return { changes: [...changes.values()], at, entries: entries.length };
  };

  return {
    end,
    start: async (ceiling, lastEventId) => {
      const newest = await end(ceiling);
      if (lastEventId === '') return { at: newest };
      const date = dateOf(lastEventId, ceiling);
      if (date === undefined || date > newest.dateAdded) return { at: newest, gap: 'UNKNOWN_ID' };
      if (date < newest.dateAdded && date < (clock() - OLDEST) * 1_000) return { at: newest, gap: 'TOO_OLD' };
      const bounds = await feed.bounds(ceiling, date);
      return { at: bounds === undefined ? newest : { place: bounds.after, dateAdded: date } };
    },
    after: async (place, ceiling) => {
      const until = await end(ceiling);
      if (until.place <= place.place) return undefined;
      const key = `${ceiling} ${place.place} ${until.place}`;
      const known = shared.get(key);
      if (known !== undefined) return known;
      const [oldest] = shared.keys();
      if (shared.size >= SHARED_PAGES && oldest !== undefined) shared.delete(oldest);
      const page = read(place, until, ceiling);
      shared.set(key, page);
      page.catch(() => shared.delete(key));
      return page;
    },
  };
}

/** The id of an event. The dates of a reader tell nothing about what he may not see, and the ceiling is his own. */
export function eventIdAt({ dateAdded }: WatchPlace, ceiling: TlpMarking): string {
  return `${dateAdded}.${numberOf(TLP_MARKINGS, ceiling)}`;
}

/** Undefined for text that is no id, or one of another ceiling. */
function dateOf(eventId: string, ceiling: TlpMarking): number | undefined {
  const [, date, number] = /^(\d{1,16})\.(\d)$/.exec(eventId) ?? [];
  if (date === undefined || Number(number) !== numberOf(TLP_MARKINGS, ceiling)) return undefined;
  return Number(date);
}

/** The indicator that an object of the feed is about. A sighting never revokes it. */
function aboutOf({ object }: FeedObject): {
  readonly indicatorId?: string | undefined;
  readonly isRevoked: boolean;
} {
  const {
    id,
    revoked = false,
    sighting_of_ref: of,
  } = JSON.parse(object) as {
    readonly id: string;
    readonly revoked?: boolean;
    readonly sighting_of_ref?: string;
  };
  return { indicatorId: indicatorIdOf(of ?? id), isRevoked: of === undefined && revoked };
}

function atOf({ place, dateAdded }: FeedEntry): WatchPlace {
  return { place, dateAdded };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
