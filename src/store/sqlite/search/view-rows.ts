// The rows of an indicator: one for each of its views.
//
// The seq of a view is eight times its place in the order of creation, plus the number of its marking. A view that is made
// from another one takes the place of that one. So the indicator stays where it was for the readers of the new view.

import { readersAt } from '../../../domain/audience.ts';
import { TLP_MARKINGS, type TlpMarking } from '../../../domain/vocabulary.ts';
import type { Seq, ViewKey } from '../../indicators.ts';
import { markingNumber } from '../../rules/markings.ts';
import type { Connection } from '../connection.ts';
import { idToBlob } from '../id-column.ts';

/** Seqs of one place. A power of two above the number of markings, so that `seq & 7` is the marking. */
const PLACE = 8;

if (TLP_MARKINGS.length > PLACE) throw new RangeError('a place is too small for all markings');

/** SQL for the number of the marking of a view. @param seq a column. */
export function markingNumberOf(seq: string): string {
  return `${seq} % ${PLACE}`;
}

/** A condition on `indicator i`: it is the view with a marking. Takes its number. */
export const IS_VIEW = `${markingNumberOf('i.seq')} = ?`;

/** The values of `i.id = ?` and IS_VIEW. No row has the id of a text that is no UUID. */
export function keyColumns({ indicatorId, marking }: ViewKey): readonly [Buffer | null, number] {
  return [idToBlob(indicatorId) ?? null, markingNumber(marking)];
}

/** The seq of a view that exists. */
export function viewOf(connection: Connection, id: Buffer, marking: TlpMarking): Seq | undefined {
  const row = connection.row(
    `select i.seq from indicator i where i.id = ? and ${IS_VIEW}`,
    id,
    markingNumber(marking),
  );
  return row?.[0] as Seq | undefined;
}

/** The seq of a view at a new place, after all others. Archived views keep their places: no place is given twice. */
export function nextSeq(connection: Connection, marking: TlpMarking): Seq {
  const last = connection.row(
    'select max((select coalesce(max(seq), 0) from indicator), (select coalesce(max(seq), 0) from archive))',
  )?.[0] as Seq;
  return startOfPlace(last) + PLACE + markingNumber(marking);
}

/** The seq of a view at the place of another view of the indicator, which may be archived. */
export function seqBeside(connection: Connection, id: Buffer, other: TlpMarking, marking: TlpMarking): Seq {
  const seq = viewOf(connection, id, other) ?? archivedViewOf(connection, id, other);
  if (seq === undefined) throw new TypeError(`there is no view with marking ${other}`);
  return startOfPlace(seq) + markingNumber(marking);
}

function archivedViewOf(connection: Connection, id: Buffer, marking: TlpMarking): Seq | undefined {
  const row = connection.row(
    `select seq from archive where id = ? and ${markingNumberOf('seq')} = ?`,
    id,
    markingNumber(marking),
  );
  return row?.[0] as Seq | undefined;
}

/** SQL for the first seq of the place of a view. @param seq a column. */
export function startOfPlaceOf(seq: string): string {
  return `(${seq} - ${seq} % ${PLACE})`;
}

/** A condition: a seq is at a place. @param place the first seq of the place. */
export function isAtPlace(seq: string, place: string): string {
  return `${seq} between ${place} and ${place} + ${PLACE - 1}`;
}

/** SQL for the places of the views of the indicator ?1, archived ones too. */
export const PLACES_OF = `select ${startOfPlaceOf('seq')} as place from indicator where id = ?1
  union select ${startOfPlaceOf('seq')} from archive where id = ?1`;

/** The number of the marking of a view. */
export function markingOfSeq(seq: Seq): number {
  return seq % PLACE;
}

/** The first seq of a place. A walk that goes on from a view goes on from its place, since the view may be replaced. */
export function startOfPlace(seq: Seq): Seq {
  return seq - (seq % PLACE);
}

/** The last seq of a place. */
export function endOfPlace(seq: Seq): Seq {
  return startOfPlace(seq) + PLACE - 1;
}

/**
 * A condition on `indicator`: a reader with the highest ceiling does not see the view, because his has more reports. The
 * bit of the highest ceiling is the greatest one.
 */
export const IS_NARROW = `audience < ${readersAt('RED')}`;

/** Whether a reader with the highest ceiling does not see some view. */
export function hasNarrowViews(connection: Connection): boolean {
  return connection.row(`select exists (select 1 from indicator where ${IS_NARROW})`)?.[0] === 1;
}
