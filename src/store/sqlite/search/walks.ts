// Walks through many records, oldest first, in batches. Writers do not wait for them.

import { setImmediate } from 'node:timers/promises';
import type { IndicatorRecord } from '../../../domain/indicator/indicator.ts';
import { TLP_MARKINGS } from '../../../domain/vocabulary.ts';
import type { SearchCriteria, Seq, ViewKey } from '../../indicators.ts';
import type { Connection } from '../connection.ts';
import { blobToId } from '../id-column.ts';
import { guarded } from '../store-errors.ts';
import { readRecord } from './packed-record.ts';
import type { Planner } from './search-plan.ts';
import { searchStatement } from './search-statement.ts';
import { endOfPlace, markingOfSeq } from './view-rows.ts';

/** Records of one batch: some milliseconds, and at most some megabytes. */
const WALK_BATCH = 200;

export async function* eachRecord(
  connection: Connection,
  plan: Planner,
  criteria: SearchCriteria,
): AsyncGenerator<IndicatorRecord> {
  const readLast = guarded(
    () => connection.row('select coalesce(max(seq), 0) from indicator')?.[0] as number,
  );
  const readBatch = guarded((after: Seq, last: Seq) => {
    const between = { after, before: endOfPlace(last) + 1 };
    const { from, seq, where, values, oldestFirst } = searchStatement(plan(criteria), between);
    return connection.rows(
      `select r.seq, r.record, r.crc from ${from} cross join indicator_record r on r.seq = ${seq}
       where ${where} order by ${oldestFirst} limit ?`,
      ...values,
      WALK_BATCH,
    ) as [Seq, Uint8Array, number][];
  });
  const last = await readLast();
  let batch: [Seq, Uint8Array, number][];
  let after = 0;
  do {
    batch = await readBatch(after, last);
    for (const [, packed, crc] of batch) yield readRecord(connection, packed, crc);
    after = endOfPlace(batch.at(-1)?.[0] ?? last);
  } while (batch.length === WALK_BATCH);
}

/** Values of one batch: they are small. */
const VALUE_BATCH = 2_000;

export async function* eachValue(
  connection: Connection,
): AsyncGenerator<ViewKey & { readonly value: string }> {
  const readBatch = guarded(
    (after: Seq) =>
      connection.rows(
        'select seq, id, haystack from indicator where seq > ? order by seq limit ?',
        after,
        VALUE_BATCH,
      ) as [Seq, Uint8Array, string][],
  );
  let batch: [Seq, Uint8Array, string][];
  let after = 0;
  do {
    batch = await readBatch(after);
    for (const [seq, id, haystack] of batch)
      yield {
        indicatorId: blobToId(id),
        marking: TLP_MARKINGS[markingOfSeq(seq)] ?? 'UNSPECIFIED',
        value: haystack.split('\n', 1)[0] ?? '',
      };
    after = batch.at(-1)?.[0] ?? after;
    // Other work of this thread comes between the batches.
    await setImmediate();
  } while (batch.length === VALUE_BATCH);
}

export async function* eachStale(connection: Connection, before: number): AsyncGenerator<IndicatorRecord> {
  const readBatch = guarded(
    (after: Seq) =>
      connection.rows(
        `select i.seq, r.record, r.crc from indicator i join indicator_record r using (seq)
         where i.seq > ? and i.valid_until < ? order by i.seq limit ?`,
        after,
        before,
        WALK_BATCH,
      ) as [Seq, Uint8Array, number][],
  );
  let batch: [Seq, Uint8Array, number][];
  let after = 0;
  do {
    batch = await readBatch(after);
    for (const [, packed, crc] of batch) yield readRecord(connection, packed, crc);
    after = batch.at(-1)?.[0] ?? after;
  } while (batch.length === WALK_BATCH);
}
