// The archive: views of indicators that were long stale, outside the tables and indices that searches and feed read.

import type { Audience } from '../../../domain/audience.ts';
import { readersOf } from '../../../domain/audience.ts';
import { TLP_MARKINGS } from '../../../domain/vocabulary.ts';
import type { ArchivedIndicator, ArchiveReader, ArchiveWrite } from '../../archive.ts';
import type { Seq, ViewKey } from '../../indicators.ts';
import type { Connection } from '../connection.ts';
import { removeFromFeed } from '../feed/withdrawal.ts';
import { idToBlob } from '../id-column.ts';
import { type IndexChange, indexRows } from '../search/indexed-rows.ts';
import { deleteRow } from '../search/indicator-writer.ts';
import { markingNumberOf, markingOfSeq, viewOf } from '../search/view-rows.ts';
import { guarded } from '../store-errors.ts';
import { insertArchived, readArchived, unpackRecord } from './archived-rows.ts';

/** Records of one batch of a walk. */
const WALK_BATCH = 500;

export function createArchiveReader(connection: Connection): ArchiveReader {
  const readBatch = guarded(
    (after: Seq) =>
      connection.rows(
        'select seq, archived_at, record, crc from archive where seq > ? order by seq limit ?',
        after,
        WALK_BATCH,
      ) as [Seq, number, Uint8Array, number][],
  );
  return {
    get: guarded((id: string): readonly ArchivedIndicator[] => {
      const blob = idToBlob(id);
      return blob === undefined ? [] : readArchived(connection, blob);
    }),
    each: async function* () {
      let after = 0;
      let batch: [Seq, number, Uint8Array, number][];
      do {
        batch = await readBatch(after);
        for (const [seq, archivedAt, record, crc] of batch) {
          after = seq;
          yield { archivedAt, record: unpackRecord(connection, record, crc) };
        }
      } while (batch.length === WALK_BATCH);
    },
  };
}

/** Moves views into the archive. One with a job stays, because the pipeline is about to change it. */
export function archiveIndicators(
  connection: Connection,
  writes: readonly ArchiveWrite[],
  now: number,
): ViewKey[] {
  const moved: ViewKey[] = [];
  const changes: IndexChange[] = [];
  for (const { record, objectId } of writes) {
    const { id, tlp } = record.indicator;
    const blob = idToBlob(id);
    const seq = blob === undefined ? undefined : viewOf(connection, blob, tlp);
    if (blob === undefined || seq === undefined || hasJob(connection, blob, seq)) continue;
    insertArchived(connection, seq, blob, now, { record, objectId });
    changes.push(deleteRow(connection, seq));
    moved.push({ indicatorId: id, marking: tlp });
  }
  indexRows(connection, changes);
  return moved;
}

function hasJob(connection: Connection, id: Buffer, seq: Seq): boolean {
  const row = connection.row(
    'select 1 from job where indicator_id = ? and marking = ?',
    id,
    markingOfSeq(seq),
  );
  return row !== undefined;
}

/** Deletes from the feed what is left of the views that were archived before an instant. */
export function forgetArchivedInFeed(connection: Connection, before: number, limit: number): number {
  const rows = connection.rows(
    `select seq, id, object_id from archive indexed by archive_in_feed
     where object_id is not null and archived_at < ? order by archived_at limit ?`,
    before,
    limit,
  ) as [Seq, Uint8Array, string][];
  for (const [seq, id, objectId] of rows) {
    removeFromFeed(connection, objectId, readersNow(connection, id, seq));
    connection.run('update archive set object_id = null where seq = ?', seq);
  }
  return rows.length;
}

/** The readers of an archived view: those who may see it, and not the next view of its indicator. */
function readersNow(connection: Connection, id: Uint8Array, seq: Seq): Audience {
  const marking = markingOfSeq(seq);
  const next = connection.row(
    `select min(marking) from (
       select ${markingNumberOf('seq')} as marking from indicator where id = ?1
       union all select ${markingNumberOf('seq')} from archive where id = ?1
     ) where marking > ?2`,
    id,
    marking,
  )?.[0] as number | null | undefined;
  const [own, above] = [TLP_MARKINGS[marking], TLP_MARKINGS[next ?? -1]];
  return own === undefined ? 0 : readersOf(own, above);
}
