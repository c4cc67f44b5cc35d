// The dates that readers see. Each ceiling has a sequence of its own, drawn as if the versions that it does not see had
// never been added. So the gaps between its dates tell nothing about what is hidden.
//
// A date is never later than the place of its version, and both have the same order: `nextDateAdded` grows with the last
// value, and the last date of a ceiling is never later than the last place. Most dates equal the place and are not stored.

import { type Audience, NOBODY, readersAt } from '../../../domain/audience.ts';
import { nextDateAdded } from '../../../domain/date-added.ts';
import type { Instant } from '../../../domain/instant.ts';
import type { TlpMarking } from '../../../domain/vocabulary.ts';
import type { DateAdded, FeedBounds, FeedEntry, Place } from '../../feed.ts';
import type { Connection } from '../connection.ts';

/** The newest entry of some ceilings. */
interface End extends FeedEntry {
  readonly audience: Audience;
}

/** Draws places and dates during one append. */
export class DateSequences {
  readonly #connection: Connection;
  readonly #before: readonly End[];
  /** The ends of the feed, each for other ceilings. Nearly all readers share one. */
  #ends: End[];
  #last: Place | undefined;
  /** The audiences that this append has noted. */
  readonly #dated = new Set<Audience>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#before = connection.rows('select audience, date_added, shown from feed_end').map((row) => {
      const [audience, place, dateAdded] = row as [number, number, number];
      return { audience, place, dateAdded };
    });
    this.#ends = [...this.#before];
    for (const { place } of this.#ends) this.#last = Math.max(this.#last ?? place, place);
  }

  /** The place of the next version, which an audience sees. */
  next(audience: Audience, modified: Instant, now: Instant): Place {
    const place = nextDateAdded(this.#last, modified, now);
    const draw = (readers: Audience, last: DateAdded | undefined): End => {
      const dateAdded = last === this.#last ? place : nextDateAdded(last, modified, now);
      if (dateAdded !== place) this.#note(readers, place, dateAdded);
      return { audience: readers, place, dateAdded };
    };
    const index = this.#ends.findIndex((end) => end.audience === audience);
    const own = this.#ends[index];
    if (own === undefined) this.#ends = endsAfter(this.#ends, audience, draw);
    else this.#ends[index] = draw(audience, own.dateAdded);
    this.#last = place;
    return place;
  }

  #note(audience: Audience, place: Place, dateAdded: DateAdded): void {
    if (!this.#dated.has(audience)) noteDated(this.#connection, audience);
    this.#dated.add(audience);
    this.#connection.run(
      'insert into feed_date (audience, date_added, shown) values (?, ?, ?)',
      audience,
      place,
      dateAdded,
    );
  }

  /** Writes the ends that have moved. */
  save(): void {
    for (const { audience } of this.#before) {
      if (!this.#ends.some((end) => end.audience === audience))
        this.#connection.run('delete from feed_end where audience = ?', audience);
    }
    for (const end of this.#ends) {
      if (this.#before.includes(end)) continue;
      this.#connection.run(
        'insert or replace into feed_end (audience, date_added, shown) values (?, ?, ?)',
        end.audience,
        end.place,
        end.dateAdded,
      );
    }
  }
}

/**
 * The ends after a version that some of their readers get.
 * @param draw gives the new end of readers with the same last date.
 */
function endsAfter(
  ends: readonly End[],
  audience: Audience,
  draw: (readers: Audience, last: DateAdded | undefined) => End,
): End[] {
  const kept: End[] = [];
  const drawn = new Map<DateAdded, End>();
  const add = (end: End) => {
    const readers = end.audience | (drawn.get(end.dateAdded)?.audience ?? NOBODY);
    drawn.set(end.dateAdded, { ...end, audience: readers });
  };
  let rest = audience;
  for (const end of ends) {
    const readers = end.audience & audience;
    if (readers !== end.audience) kept.push({ ...end, audience: end.audience & ~audience });
    if (readers !== NOBODY) add(draw(readers, end.dateAdded));
    rest &= ~readers;
  }
  if (rest !== NOBODY) add(draw(rest, undefined));
  return [...kept, ...drawn.values()];
}

export function readBounds(
  connection: Connection,
  ceiling: TlpMarking,
  addedAfter: DateAdded = 0,
): FeedBounds | undefined {
  // A version whose date is its place is behind `addedAfter` if its place is. Of the others, the last one that is not
  // behind `addedAfter` gives the place.
  const row = connection.row(
    `select date_added, shown, (
       select max((
         select d.date_added from feed_date d where d.audience = a.audience and d.shown <= ?2
         order by d.shown desc limit 1
       )) from feed_dated a where a.audience & ?1 <> 0
     ) from feed_end where audience & ?1 <> 0`,
    readersAt(ceiling),
    addedAfter,
  );
  if (row === undefined) return undefined;
  const [place, dateAdded, before] = row as [number, number, number | null];
  return { end: { place, dateAdded }, after: Math.max(addedAfter, before ?? 0) };
}

/**
 * SQL for the date of the version at a place, as readers with a ceiling see it. It names the audiences that have other
 * dates, which are few, so it is valid only in the read transaction that is open.
 * @param place a column.
 */
export function shownDate(connection: Connection, place: string, ceiling: TlpMarking): string {
  const others = connection
    .rows('select audience from feed_dated where audience & ? <> 0', readersAt(ceiling))
    .map(
      ([audience]) => `(select shown from feed_date where audience = ${audience} and date_added = ${place})`,
    );
  return others.length === 0 ? place : `coalesce(${others.join()}, ${place})`;
}

/** SQL that tells whether some reader sees other dates than places in a range: the bit of the ceiling, after, until. */
export const HAS_OTHER_DATES = `exists (
  select 1 from feed_dated a cross join feed_date d on d.audience = a.audience
  where a.audience & ?1 <> 0 and d.date_added > ?2 and d.date_added <= ?3
)`;

/** Takes the dates of a version from some readers. */
export function forgetDates(connection: Connection, place: Place, readers: Audience): void {
  for (const [row] of connection.rows('select audience from feed_dated')) {
    const audience = row as Audience;
    if ((audience & readers) === NOBODY) continue;
    const date = connection.row(
      'delete from feed_date where audience = ? and date_added = ? returning shown',
      audience,
      place,
    );
    const rest = audience & ~readers;
    if (date === undefined || rest === NOBODY) continue;
    noteDated(connection, rest);
    connection.run(
      'insert into feed_date (audience, date_added, shown) values (?, ?, ?)',
      rest,
      place,
      date[0] as DateAdded,
    );
  }
}

function noteDated(connection: Connection, audience: Audience): void {
  connection.run('insert into feed_dated (audience) values (?) on conflict do nothing', audience);
}
