// The JSON of what was seen of an indicator.

import { evidenceOf, type KeptEvidence, seenValues } from '../domain/evidence/kept-evidence.ts';
import { isCut } from '../domain/evidence/kept-values.ts';
import { IndicatorEvidenceSchema } from '../gen/threatintel/v1/evidence_pb.ts';
import { createEncoder } from './json-encoder.ts';

const encode = createEncoder(IndicatorEvidenceSchema);

/**
 * ProtoJSON of `threatintel.v1.IndicatorEvidence`.
 * @param kept the evidence of each marking that the reader may see.
 */
export function encodeEvidence(indicatorId: string, kept: readonly KeptEvidence[]): string {
  const { seen } = evidenceOf(kept);
  return encode({
    indicatorId,
    seen: seenValues(seen).map(({ key, values }) => ({
      key,
      values: values.map(({ value, count, first, last }) => ({
        value,
        count,
        firstSeen: first,
        lastSeen: last,
        truncated: isCut(value),
      })),
    })),
    droppedCount: seen.dropped,
  });
}
