// Queues all views again, in steps, after the data of the enrichers has changed.

import { TLP_MARKINGS } from '../../../domain/vocabulary.ts';
import type { Seq } from '../../indicators.ts';
import type { Connection } from '../connection.ts';
import { blobToId } from '../id-column.ts';
import { markingOfSeq } from '../search/view-rows.ts';
import { enqueueJobs } from './job-queue.ts';

/** Above every seq. */
const START = Number.MAX_SAFE_INTEGER;

export function requeueViews(
  connection: Connection,
  generation: number,
  limit: number,
  now: number,
): boolean {
  const [known = 0, seq = START] = (connection.row('select generation, seq from requeue') ?? []) as number[];
  if (generation < known) return false;
  const before: Seq = generation === known ? seq : START;
  if (before === 0) return false;
  const rows = connection.rows(
    'select id, seq from indicator where seq < ? order by seq desc limit ?',
    before,
    limit,
  ) as [Uint8Array, Seq][];
  const views = rows.map(([id, place]) => ({
    indicatorId: blobToId(id),
    marking: TLP_MARKINGS[markingOfSeq(place)] ?? 'RED',
  }));
  enqueueJobs(connection, views, now);
  const more = rows.length === limit;
  connection.run(
    'insert or replace into requeue (id, generation, seq) values (1, ?, ?)',
    generation,
    more ? (rows.at(-1)?.[1] ?? 0) : 0,
  );
  return more;
}
