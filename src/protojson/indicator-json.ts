// The JSON of an indicator, of the explanation of its score, and of the result of a lookup.

import type { Indicator, IndicatorRecord, Transition } from '../domain/indicator/indicator.ts';
import type { ScoreReceipt } from '../domain/score/score-receipt.ts';
import { LookupResultSchema } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { ThreatIndicatorSchema } from '../gen/threatintel/v1/model_pb.ts';
import { ScoreReceiptSchema } from '../gen/threatintel/v1/score_receipt_pb.ts';
import { createEncoder } from './json-encoder.ts';

/**
 * ProtoJSON of `threatintel.v1.ThreatIndicator` on one line. It is stored at every write, and reads hand it out
 * unchanged. The members of a domain indicator have the names of the contract, so no mapping is needed.
 */
export const encodeIndicator: (indicator: Indicator) => string =
  createEncoder<Indicator>(ThreatIndicatorSchema);

/** The stored receipt, with the id of the indicator and the history of its states. */
type Explanation = Partial<ScoreReceipt> & {
  readonly indicatorId: string;
  readonly history: readonly Transition[];
  readonly neverBlock?: { readonly entry: string; readonly because: string };
};

const encodeExplanation = createEncoder<Explanation>(ScoreReceiptSchema);

const NEVER_BLOCK = 'the operator never wants it to be blocked, so it stays out of the feed';

/** ProtoJSON of `threatintel.v1.ScoreReceipt`. A RAW indicator has no receipt: the terms of a score are then left out. */
export function encodeReceipt({ indicator, history, receipt, neverBlock }: IndicatorRecord): string {
  const { id: indicatorId, type, categories, lastSeen } = indicator;
  const protection =
    neverBlock === undefined ? undefined : { neverBlock: { entry: neverBlock, because: NEVER_BLOCK } };
  return encodeExplanation({ indicatorId, type, categories, lastSeen, ...receipt, ...protection, history });
}

/** ProtoJSON of `threatintel.v1.LookupResult`, whose members have the names of the contract. */
export const encodeLookupResult: (result: object) => string = createEncoder<object>(LookupResultSchema);
