// The rows of kept evidence: one for each marking that reports of an indicator have.
//
// The key of a row is made as the seq of a view (search/view-rows.ts): the place of the view that readers of this marking
// see, and the number of the marking. That place never changes, because a view that is made later takes the place of the
// view below it. A link can have a marking that no report of the indicator has, so a row may be without a view of its own.

import type { KeptEvidence } from '../../../domain/evidence/kept-evidence.ts';
import { TLP_MARKINGS, type TlpMarking } from '../../../domain/vocabulary.ts';
import { decodeEvidence, encodeEvidence } from '../../evidence-codec.ts';
import type { EvidenceWrite } from '../../indicators.ts';
import { markingNumber } from '../../rules/markings.ts';
import { checksumOf, requireChecksum } from '../checksums.ts';
import type { Connection } from '../connection.ts';
import { idToBlob } from '../id-column.ts';
import { isAtPlace, markingNumberOf, markingOfSeq, PLACES_OF, startOfPlace } from '../search/view-rows.ts';

/** The rows of the indicator ?1. */
export const EVIDENCE_OF = `(${PLACES_OF}) p cross join indicator_evidence e on ${isAtPlace('e.seq', 'p.place')}`;

/** All kept evidence of these indicators, by marking. Indicators without evidence are missing from the map. */
export function loadEvidence(
  connection: Connection,
  ids: readonly string[],
): Map<string, ReadonlyMap<TlpMarking, KeptEvidence>> {
  const found = new Map<string, ReadonlyMap<TlpMarking, KeptEvidence>>();
  for (const id of ids) {
    const blob = idToBlob(id);
    if (blob === undefined || found.has(id)) continue;
    const rows = connection.rows(`select e.seq, e.evidence, e.crc from ${EVIDENCE_OF}`, blob);
    if (rows.length === 0) continue;
    found.set(
      id,
      new Map(
        rows.map(([seq, text, crc]) => [
          TLP_MARKINGS[markingOfSeq(seq as number)] ?? 'RED',
          decodeEvidence(requireChecksum(connection, text, crc)),
        ]),
      ),
    );
  }
  return found;
}

/** Inserts or replaces rows. One for an indicator that readers of the marking cannot see is left out. */
export function saveEvidence(connection: Connection, writes: readonly EvidenceWrite[]): void {
  for (const { indicatorId, marking, evidence } of writes) {
    const seq = seqFor(connection, indicatorId, marking);
    if (seq === undefined) continue;
    const text = encodeEvidence(evidence);
    connection.run(
      `insert into indicator_evidence (seq, crc, evidence) values (?, ?, ?)
       on conflict (seq) do update set crc = excluded.crc, evidence = excluded.evidence`,
      seq,
      checksumOf(text),
      text,
    );
  }
}

/** Undefined if the view that readers of the marking see is archived, or if there is none. */
function seqFor(connection: Connection, id: string, marking: TlpMarking): number | undefined {
  const blob = idToBlob(id);
  if (blob === undefined) return undefined;
  const number = markingNumber(marking);
  const row = connection.row(
    `select seq, live from (
       select seq, 1 as live from indicator where id = ?1 union all select seq, 0 from archive where id = ?1
     ) where ${markingNumberOf('seq')} <= ?2 order by ${markingNumberOf('seq')} desc limit 1`,
    blob,
    number,
  );
  return row === undefined || row[1] === 0 ? undefined : startOfPlace(row[0] as number) + number;
}

/** Deletes all kept evidence of an indicator. */
export function removeEvidence(connection: Connection, id: string): void {
  const blob = idToBlob(id);
  if (blob === undefined) return;
  connection.run(`delete from indicator_evidence where seq in (select e.seq from ${EVIDENCE_OF})`, blob);
}
